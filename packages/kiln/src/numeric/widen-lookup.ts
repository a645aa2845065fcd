import { dtypeOf, type DtypeName } from '../tensors/dtypes.js'
import { codeAt } from './codes.js'
import { f32BitsOfCodes, f32PairsOfCodes } from './widen-tables.js'
import { eachWords } from './words.js'

// One function for each type of codes: a loop that sees two types of array is two to three times as slow.
// Eight elements a round: 0.43 against 0.72 ns an element for f16, 0.29 against 0.66 for 8 bits (Node 20).

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

function lookUpBytePairs(codes: Uint16Array, table: Float64Array, target: Float64Array, count: number): void {
  let i = 0
  for (const rounds = count - (count % 4); i < rounds; i += 4) {
    target[i] = table[codes[i]!]!
    target[i + 1] = table[codes[i + 1]!]!
    target[i + 2] = table[codes[i + 2]!]!
    target[i + 3] = table[codes[i + 3]!]!
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

// A pair table of 8-bit codes is 512 KiB and takes 0.2 ms to make: it pays from some ten thousand elements on.
const BYTE_PAIRS_FROM = 32_768

/**
 * Widens the first `count` elements of a dtype that has a table (see `isTabled`) into `target`, which is
 * `count` long. Pairs are used where the target lies at a multiple of 8, as an own array does.
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
  const aligned = target.byteOffset % 8 === 0
  let done = 0
  if (bits === 8) {
    if (aligned && count >= BYTE_PAIRS_FROM && bytes.byteOffset % 2 === 0) {
      const words = Math.floor(count / 2)
      const codes = new Uint16Array(bytes.buffer, bytes.byteOffset, words)
      lookUpBytePairs(codes, f32PairsOfCodes(dtype), new Float64Array(target.buffer, target.byteOffset, words), words)
      done = words * 2
    }
    lookUpBytes(bytes.subarray(done), f32BitsOfCodes(dtype), out.subarray(done), count - done)
    return
  }
  if (aligned) {
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
