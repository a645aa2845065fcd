// The values that every peer writes and reads, made from a seed: the same in every run.
import { randomSource } from '../lib/random.mjs'

/** W1: an embedding. */
export function embedding(dimensions) {
  const next = randomSource(dimensions)
  return { id: 1234567890123n, vector: Float32Array.from({ length: dimensions }, () => next() / 2 ** 31 - 1) }
}

const FIRST = ['alice', 'bob', 'carol', 'dave', 'erin', 'frank', 'grace', 'heidi', 'ivan', 'judy', 'mallory', 'niaj', 'olivia', 'peggy']
const WIDE = ['zoë', 'łukasz', 'søren', 'émilie', '美咲', 'дмитрий', 'þóra', 'josé']
const TAGS = ['new', 'priority', 'beta', 'internal', 'archived', 'mobile', 'trial', 'paid']

/** W2: a record of twelve strings, two of them its own; with `wide`, a third of them are not ASCII. */
export function record(i, wide = false) {
  const next = randomSource(i + (wide ? 1e6 : 0))
  const pick = (list) => list[next() % list.length]
  const name = wide ? pick(WIDE) : pick(FIRST)
  return {
    id: BigInt(1e12 + i),
    user: `${name} ${next() % 100000}`,
    email: `${pick(FIRST)}${next() % 100000}@example.org`,
    created: next(),
    score: Math.fround(next() / 2 ** 32),
    active: next() % 2 === 0,
    tags: [pick(TAGS), wide ? pick(WIDE) : pick(TAGS)],
    attributes: new Map([
      ['plan', pick(TAGS)], ['region', wide ? pick(WIDE) : 'eu-west-1'], ['locale', 'en-GB'], ['source', wide ? pick(WIDE) : 'signup'],
    ]),
  }
}

/** W3: many records. */
export const records = (count, wide = false) => Array.from({ length: count }, (_, i) => record(i, wide))

/** W4: an inference request with two tensors, 196 KB. */
export function request() {
  const next = randomSource(4)
  return {
    id: 42n,
    model: 'small-encoder',
    temperature: 0.75,
    tensors: [
      { name: 'ids', dtype: 'i64', shape: [1, 64], data: BigInt64Array.from({ length: 64 }, () => BigInt(next() % 32000)) },
      { name: 'embeds', dtype: 'f32', shape: [64, 768], data: Float32Array.from({ length: 64 * 768 }, () => next() / 2 ** 31 - 1) },
    ],
  }
}

/** W5: tensors of a directory, small ones with the names of a model. */
export function tensors(count) {
  const parts = ['attn.q.weight', 'attn.k.weight', 'attn.v.weight', 'attn.o.weight', 'mlp.up.weight', 'mlp.down.weight', 'norm1.weight', 'norm2.bias']
  return Array.from({ length: count }, (_, i) => ({
    name: `model.layers.${Math.floor(i / parts.length)}.${parts[i % parts.length]}`,
    dtype: 'f32',
    shape: [2, 4],
    data: Float32Array.from({ length: 8 }, (_, j) => i + j / 8),
  }))
}

export const bytesOf = (array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
