import { dtypeOf, type DtypeName } from '../tensors/dtypes.js'
import { codeAt } from './codes.js'
import { f32BitsOfCodes, f32PairsOfCodes } from './widen-tables.js'
import { eachWords } from './words.js'

// One function for each type of codes: a loop that sees two types of array is two to three times as slow.
// Eight elements a round: 0.43 against 0.72 ns an element for f16 (Node 20). Pairs of 8-bit codes, in a table of
// 512 KiB, are slower by a third than single ones, whose table of 1 KiB stays in the first-level cache.

function lookUpWords(codes: Uint16Array, table: Int32Array, target: Int32Array, count: number): void {
  let i = 0
  for (const rounds = count - (count % 8); i < rounds; i += 8) {
    target[i] = table[codes[i]!]!
    target[i + 1] = table[codes[i + 1]!]!
    target[i + 2] = table[codes[i + 2]!]!
    target[i + 3] = table[codes[i + 3]!]!
    target[i + 4] = table[codes[i + 4]!]!
    target[i + 5] = table[codes[i + 5]!]!
    target[i + 6] = table[codes[i + 6]!]!
    target[i + 7] = table[codes[i + 7]!]!
  }
  for (; i < count; i++) target[i] = table[codes[i]!]!
}

function lookUpBytes(codes: Uint8Array, table: Int32Array, target: Int32Array, count: number): void {
  let i = 0
  for (const rounds = count - (count % 8); i < rounds; i += 8) {
    target[i] = table[codes[i]!]!
    target[i + 1] = table[codes[i + 1]!]!
    target[i + 2] = table[codes[i + 2]!]!
    target[i + 3] = table[codes[i + 3]!]!
    target[i + 4] = table[codes[i + 4]!]!
    target[i + 5] = table[codes[i + 5]!]!
    target[i + 6] = table[codes[i + 6]!]!
    target[i + 7] = table[codes[i + 7]!]!
  }
  for (; i < count; i++) target[i] = table[codes[i]!]!
}

/** Pairs of the first `count` bytes: two elements a byte of 4 bits, four of 2, eight of 1. */
function lookUpPackedPairs(
  bytes: Uint8Array,
  bits: number,
  table: Float64Array,
  target: Float64Array,
  count: number,
): void {
  let to = 0
  if (bits === 4) {
    for (const rounds = count - (count % 4); to < rounds; to += 4) {
      target[to] = table[bytes[to]!]!
      target[to + 1] = table[bytes[to + 1]!]!
      target[to + 2] = table[bytes[to + 2]!]!
      target[to + 3] = table[bytes[to + 3]!]!
    }
    for (; to < count; to++) target[to] = table[bytes[to]!]!
  } else if (bits === 2) {
    for (let i = 0; i < count; i++) {
      const byte = bytes[i]!
      target[to++] = table[byte & 15]!
      target[to++] = table[byte >> 4]!
    }
  } else {
    for (let i = 0; i < count; i++) {
      const byte = bytes[i]!
      target[to++] = table[byte & 3]!
      target[to++] = table[(byte >> 2) & 3]!
      target[to++] = table[(byte >> 4) & 3]!
      target[to++] = table[byte >> 6]!
    }
  }
}

/** Pairs of elements of 6 bits: four elements in each of the first `count` threes of bytes. */
function lookUpSixBitPairs(bytes: Uint8Array, table: Float64Array, target: Float64Array, count: number): void {
  for (let i = 0, from = 0, to = 0; i < count; i++, from += 3, to += 2) {
    const four = bytes[from]! | (bytes[from + 1]! << 8) | (bytes[from + 2]! << 16)
    target[to] = table[four & 0xfff]!
    target[to + 1] = table[four >> 12]!
  }
}

/**
 * Widens the first `count` elements of a dtype that has a table (see `isTabled`) into `target`, which is
 * `count` long. Pairs are used below 8 bits where the target lies at a multiple of 8, as an own array does.
 */
export function widenByTable(dtype: DtypeName, bytes: Uint8Array, count: number, target: Float32Array): void {
  const bits = dtypeOf(dtype).blockBits
  const out = new Int32Array(target.buffer, target.byteOffset, count)
  if (bits === 16) {
    const table = f32BitsOfCodes(dtype)
    eachWords(Uint16Array, bytes, count, (codes, first, length) => {
      lookUpWords(codes, table, first === 0 && length === count ? out : out.subarray(first, first + length), length)
    })
    return
  }
  if (bits === 8) {
    lookUpBytes(bytes, f32BitsOfCodes(dtype), out, count)
    return
  }
  let done = 0
  if (target.byteOffset % 8 === 0) {
    const unitElements = bits === 6 ? 4 : 8 / bits
    const units = Math.floor(count / unitElements)
    done = units * unitElements
    const halves = new Float64Array(target.buffer, target.byteOffset, done / 2)
    if (bits === 6) lookUpSixBitPairs(bytes, f32PairsOfCodes(dtype), halves, units)
    else lookUpPackedPairs(bytes, bits, f32PairsOfCodes(dtype), halves, units)
  }
  const table = f32BitsOfCodes(dtype)
  for (let i = done; i < count; i++) out[i] = table[codeAt(bytes, bits, i)]!
}
