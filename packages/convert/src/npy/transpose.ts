/** Sides of the tiles: 32 numbers of 16 bytes are 512 bytes, so that a tile's rows and columns stay in the cache. */
const TILE = 32

/**
 * Puts a Fortran-ordered array into C order: `from` and `to` hold the same `shape` of numbers of `width`
 * bytes, and don't overlap. Copied by the bits, in words of the largest size that fits the width.
 */
export function fortranToC(from: Uint8Array, to: Uint8Array, shape: readonly number[], width: number): void {
  // Never through floats: a NaN's payload need not outlive a register.
  if (width === 1) return transposeWords(from, to, shape, 1)
  if (width === 2) return transposeWords(words(Uint16Array, from), words(Uint16Array, to), shape, 1)
  transposeWords(words(Uint32Array, from), words(Uint32Array, to), shape, width / 4)
}

function words<A>(type: new (buffer: ArrayBufferLike, offset: number, length: number) => A, bytes: Uint8Array): A {
  const size = (type as unknown as { readonly BYTES_PER_ELEMENT: number }).BYTES_PER_ELEMENT
  return new type(bytes.buffer, bytes.byteOffset, bytes.byteLength / size)
}

type Words = Uint8Array | Uint16Array | Uint32Array

/**
 * `perNumber` words a number. Of all dimensions the first is the nearest in `from` and the last the
 * nearest in `to`: tiles go over these two, and the ones between are counted through.
 */
function transposeWords(from: Words, to: Words, shape: readonly number[], perNumber: number): void {
  const rank = shape.length
  if (rank < 2) {
    to.set(from)
    return
  }
  const rows = shape[0]!
  const columns = shape[rank - 1]!
  const middle = shape.slice(1, -1)
  let inner = 1
  for (const dimension of middle) inner *= dimension
  const fromColumn = rows * inner * perNumber
  const toRow = inner * columns * perNumber
  const index = middle.map(() => 0)
  for (let m = 0; m < inner; m++) {
    let fromAt = 0
    for (let d = middle.length - 1; d >= 0; d--) fromAt = fromAt * middle[d]! + index[d]!
    const fromBase = fromAt * rows * perNumber
    const toBase = m * columns * perNumber
    for (let r0 = 0; r0 < rows; r0 += TILE) {
      const r1 = Math.min(r0 + TILE, rows)
      for (let c0 = 0; c0 < columns; c0 += TILE) {
        const c1 = Math.min(c0 + TILE, columns)
        for (let r = r0; r < r1; r++) {
          let f = fromBase + c0 * fromColumn + r * perNumber
          let t = toBase + r * toRow + c0 * perNumber
          for (let c = c0; c < c1; c++, f += fromColumn, t += perNumber) {
            for (let w = 0; w < perNumber; w++) to[t + w] = from[f + w]!
          }
        }
      }
    }
    for (let d = middle.length - 1; d >= 0; d--) {
      if (++index[d]! < middle[d]!) break
      index[d] = 0
    }
  }
}
