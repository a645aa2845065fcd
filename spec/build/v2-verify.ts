import { type Layout, type TensorSpec, block, directory } from './block.js'
import type { Case, CaseError } from './case.js'
import { type Hex, patched } from './hex.js'

const S4 = '(FORMAT §4)'

/** Two payloads of three bytes: at 384 and 448, the end at 451. */
const A: TensorSpec = { name: 'a', dtype: 'u8', shape: [3], data: '010203' }
const B: TensorSpec = { ...A, name: 'b' }
const NINE: TensorSpec = { name: 'n', dtype: 'u8', shape: [9], data: '313233343536373839' }

/** CRC-32 of 01 02 03. */
const CRC_123 = 0x55bc801d

/** What reading leaves unread: gaps and checksums. */
export function verifyCases(): Case[] {
  return [...checksums(), ...gaps(), ...order()]
}

function checksums(): Case[] {
  const stale = (name: string, what: string, tensors: readonly TensorSpec[]): Case =>
    directory(name, `${what} ${S4}.`, tensors, { verify: 'CHECKSUM', canonical: false })
  return [
    directory('dir-checksum', `A checksum is the CRC-32 of zip and PNG, CBF43926 for 123456789 ${S4}.`,
      [{ ...NINE, checksum: 0xcbf43926 }]),
    directory('dir-checksum-of-some', `Checksums are asked for tensor by tensor ${S4}.`,
      [A, { ...B, checksum: CRC_123 }, { ...A, name: 'c' }]),
    directory('dir-checksum-of-nothing', `The CRC-32 of no bytes is 0, with its flag set ${S4}.`,
      [{ name: 'z', dtype: 'u8', shape: [0], data: '', checksum: 0 }]),
    directory('dir-checksum-high-bit', `A checksum is unsigned ${S4}.`,
      [{ dtype: 'f32', shape: [2], data: '0000803f000000c0', checksum: 0xc3872656 }]),
    directory('dir-checksum-with-links', `A quantized tensor and its scale with checksums ${S4}.`, [
      { ...A, name: 'w', scheme: 1, axis: 0, groupSize: 3, scale: 1, checksum: CRC_123 },
      { name: 's', dtype: 'u8', shape: [1], data: '05', checksum: 0xa2681b02 },
    ]),
    stale('dir-checksum-stale', 'Reading gives the stored number and compares nothing; verifying compares',
      [{ ...NINE, checksum: 0xcbf43927 }]),
    stale('dir-checksum-stale-zero', 'A stored 0 is a number to compare, if the flag is set',
      [{ ...NINE, checksum: 0 }]),
    stale('dir-checksum-stale-swapped', 'A checksum is little-endian', [{ ...NINE, checksum: 0x2639f4cb }]),
    stale('dir-checksum-stale-second', 'Every checksum is compared',
      [{ ...A, checksum: CRC_123 }, { ...B, checksum: 1 }]),
    stale('dir-checksum-stale-of-nothing', 'The CRC-32 of no bytes is 0 and nothing else',
      [{ name: 'z', dtype: 'u8', shape: [0], data: '', checksum: 1 }]),
    stale('dir-checksum-stale-with-gap', 'A checksum is of the payload, not of the gap after it',
      [{ name: 'a', dtype: 'u8', shape: [1], data: '00', checksum: 0x2144df1c }, B]),
  ]
}

function altered(
  name: string,
  what: string,
  tensors: readonly TensorSpec[],
  hex: Hex,
  strict: CaseError | 'ok',
  verify: CaseError,
): Case {
  return directory(name, `${what} ${S4}.`, tensors, { strict, verify, canonical: false }, hex)
}

function gaps(): Case[] {
  const two = block([A, B])
  const spread: Layout = { offsets: [64, 128], tail: 64 }
  const apart = block([A, B], spread)
  return [
    altered('dir-gap-first-byte', 'Reading leaves the gap between payloads alone; verifying wants zeros', [A, B],
      patched(two, 387, '01'), 'ok', 'FRAME'),
    altered('dir-gap-last-byte', 'Every byte of a gap is 0', [A, B], patched(two, 447, '80'), 'ok', 'FRAME'),
    altered('dir-gap-before-first', 'The gap before a first payload that begins later', [A, B],
      patched(apart, 384, '01'), 'TYPE', 'FRAME'),
    altered('dir-gap-before-first-last-byte', 'Every byte of the gap before the first payload', [A, B],
      patched(apart, 447, '01'), 'TYPE', 'FRAME'),
    altered('dir-gap-between-apart', 'The gap between payloads that are further apart', [A, B],
      patched(apart, 500, '01'), 'TYPE', 'FRAME'),
    altered('dir-gap-tail-first', 'The bytes after the last payload are 0', [A, B], patched(apart, 515, '01'), 'TYPE',
      'FRAME'),
    altered('dir-gap-tail-last', 'The bytes after the last payload are 0, up to total_size', [A, B],
      patched(apart, 578, '01'), 'TYPE', 'FRAME'),
    directory('dir-gap-zeros', `Zeros in every gap are verified and read; no writer lays them out so ${S4}.`, [A, B],
      { strict: 'TYPE' }, apart),
    altered('dir-gap-empty-directory', 'The bytes after the header of an empty directory that is longer', [],
      patched(block([], { tail: 3 }), 66, '01'), 'TYPE', 'FRAME'),
    altered('dir-gap-before-empty', 'The gap before an empty payload', [A, { ...B, shape: [0], data: '' }],
      patched(block([A, { ...B, shape: [0], data: '' }]), 400, '01'), 'ok', 'FRAME'),
  ]
}

/** Payload by payload: the gap before it, then its checksum; the rest of the block comes last. */
function order(): Case[] {
  const stale = { checksum: 1 }
  const apart: Layout = { offsets: [64, 128], tail: 64 }
  return [
    altered('dir-verify-gap-before-checksum', 'The gap before a payload, then its checksum', [A, { ...B, ...stale }],
      patched(block([A, { ...B, ...stale }]), 400, '01'), 'ok', 'FRAME'),
    altered('dir-verify-checksum-before-next-gap', 'A checksum, then the gap before the next payload',
      [{ ...A, ...stale }, B], patched(block([{ ...A, ...stale }, B]), 400, '01'), 'ok', 'CHECKSUM'),
    altered('dir-verify-first-gap-before-checksum', 'The gap before the first payload comes first of all',
      [{ ...A, ...stale }, B], patched(block([{ ...A, ...stale }, B], apart), 400, '01'), 'TYPE', 'FRAME'),
    altered('dir-verify-checksum-before-tail', 'The last checksum, then the bytes after it', [A, { ...B, ...stale }],
      patched(block([A, { ...B, ...stale }], apart), 578, '01'), 'TYPE', 'CHECKSUM'),
  ]
}
