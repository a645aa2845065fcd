import { k } from 'kiln-format'

export const DIMENSIONS = 128

/** An embedding: the number of a document, and where it lies. */
export const Embedding = k.struct({ vector: k.list(k.f32), id: k.u32 })

/** The same, of a later version of the program: a file holds both, and readers tell them apart. */
export const LabelledEmbedding = k.struct({ vector: k.list(k.f32), id: k.u32, language: k.string })

/** @typedef {{ vector: Float32Array, id: number }} Item */

/**
 * Embeddings as a model could have made them: vectors of length 1, in no order, the same in every run.
 *
 * @param {number} from the first id
 * @param {number} to the id behind the last
 * @returns {Item[]}
 */
export function madeUp(from, to) {
  return Array.from({ length: to - from }, (_, i) => ({ id: from + i, vector: unitVector(from + i) }))
}

/** @param {number} seed */
function unitVector(seed) {
  const vector = new Float32Array(DIMENSIONS)
  let state = (seed + 1) * 7919
  let squares = 0
  for (let i = 0; i < DIMENSIONS; i++) {
    // The sum of four is near enough to a bell curve, by which directions are spread evenly.
    let sum = -2
    for (let n = 0; n < 4; n++) {
      state = (state * 48_271) % 2_147_483_647
      sum += state / 2_147_483_647
    }
    vector[i] = sum
    squares += sum * sum
  }
  return vector.map((value) => value / Math.sqrt(squares))
}
