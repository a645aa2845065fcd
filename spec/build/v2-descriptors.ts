import { HEADER, type TensorSpec, at, block, directory, directoryRefused } from './block.js'
import type { Case, CaseError } from './case.js'
import { UNKNOWN_CODES } from './dtype-rows.js'
import { type Hex, patched, u16, u32, u64, u8, zeros } from './hex.js'

const STEP = '(FORMAT §4 step 5)'
const PAIR: TensorSpec = { dtype: 'f32', shape: [2], data: '0000803f000000c0' }
const NAMED: TensorSpec = { ...PAIR, name: 'a' }

/** What a descriptor says of its tensor, apart from names and links: FORMAT §4 step 5. */
export function descriptorCases(): Case[] {
  return [...fixed(), ...dtypes(), ...shapes(), ...lengths(), ...offsets(), ...ends()]
}

function refused(name: string, what: string, hex: Hex, error: CaseError): Case {
  return directoryRefused(name, `${what} ${STEP}.`, hex, error)
}

function fixed(): Case[] {
  const one = block([PAIR])
  const two = block([NAMED, { ...PAIR, name: 'b' }])
  return [
    ...[0x0002, 0x0003, 0x0100, 0x8000].map((flags) =>
      refused(`dir-descriptor-flags-${u16(flags)}`, 'A flag other than bit 0 is unknown',
        patched(one, at(0, 'flags'), u16(flags)), 'FRAME'),
    ),
    refused('dir-descriptor-flags-of-second', 'The second descriptor is checked as well',
      patched(two, at(1, 'flags'), u16(2)), 'FRAME'),
    ...[0, 7, 15].map((into) =>
      refused(`dir-descriptor-reserved-${into}`, 'The last 16 bytes of a descriptor are 0',
        patched(one, at(0, 'reserved', into), '01'), 'FRAME'),
    ),
    refused('dir-checksum-without-flag', 'Without its flag the checksum is 0',
      patched(one, at(0, 'checksum'), u32(1)), 'FRAME'),
    refused('dir-checksum-without-flag-right', 'Without its flag the checksum is 0, even if it would be right',
      patched(one, at(0, 'checksum'), u32(0xc3872656)), 'FRAME'),
  ]
}

function dtypes(): Case[] {
  return UNKNOWN_CODES.map((code) =>
    refused(`dir-dtype-unknown-${code.toString(16).padStart(4, '0')}`, 'A code that is no dtype',
      patched(block([{ dtype: 'u8', shape: [2], data: '0102' }]), at(0, 'dtype'), u16(code)), 'TYPE'),
  )
}

type Shape = readonly (number | bigint)[]

/** Shapes that read: rank 0 to 8, zeros, and dimensions as large as they come. */
const SHAPES: readonly (readonly [label: string, what: string, shape: Shape, bytes: number])[] = [
  ['rank-0', 'A tensor of rank 0 has one element', [], 1],
  ['rank-1', 'A vector', [3], 3],
  ['rank-2', 'A matrix', [2, 3], 6],
  ['rank-8', 'Rank 8 is the most', [1, 2, 1, 2, 1, 1, 2, 1], 8],
  ['rank-8-ones', 'Eight dimensions of one', [1, 1, 1, 1, 1, 1, 1, 1], 1],
  ['zero', 'A 0 in the shape makes 0 bytes', [0], 0],
  ['zero-first', 'A 0 in the shape makes 0 bytes', [0, 5], 0],
  ['zero-last', 'A 0 in the shape makes 0 bytes', [5, 0], 0],
  ['zeros-8', 'Eight zeros', [0, 0, 0, 0, 0, 0, 0, 0], 0],
  ['zero-and-most', 'A 0 beside the greatest dimension makes 0 bytes', [2n ** 53n - 1n, 0], 0],
  ['zero-and-seven-most', 'A 0 makes 0 bytes, whatever the product of the others', [
    2n ** 53n - 1n, 2n ** 53n - 1n, 2n ** 53n - 1n, 2n ** 53n - 1n, 2n ** 53n - 1n, 2n ** 53n - 1n, 2n ** 53n - 1n, 0,
  ], 0],
  ['zero-then-seven-most', 'A 0 makes 0 bytes, in front as well', [
    0, 2n ** 53n - 1n, 2n ** 53n - 1n, 2n ** 53n - 1n, 2n ** 53n - 1n, 2n ** 53n - 1n, 2n ** 53n - 1n, 2n ** 53n - 1n,
  ], 0],
]

function shapes(): Case[] {
  const one = block([PAIR])
  const dimension = (hex: Hex, axis: number, size: number | bigint): Hex =>
    patched(hex, at(0, 'shape', 8 * axis), u64(size))
  const hollow = block([{ dtype: 'u8', shape: [0, 0], data: '' }])
  return [
    ...SHAPES.map(([label, what, shape, bytes]) =>
      directory(`dir-shape-${label}`, `${what} (FORMAT §4).`, [{ dtype: 'u8', shape, data: 'a5'.repeat(bytes) }]),
    ),
    ...[9, 16, 128, 255].map((rank) =>
      refused(`dir-rank-${rank}`, 'A rank is at most 8', patched(one, at(0, 'rank'), u8(rank)), 'TYPE'),
    ),
    ...[1, 2, 7].map((axis) =>
      refused(`dir-shape-beyond-rank-${axis}`, 'Dimensions from the rank on are 0, and 1 is none',
        dimension(one, axis, 1), 'TYPE'),
    ),
    refused('dir-shape-beyond-rank-0', 'With rank 0 every dimension is 0',
      dimension(block([{ dtype: 'u8', shape: [], data: '05' }]), 0, 1), 'TYPE'),
    refused('dir-shape-beyond-rank-high', 'A dimension is a u64, its high half too',
      dimension(one, 1, 2n ** 63n), 'TYPE'),
    ...[2n ** 53n, 2n ** 53n + 1n, 2n ** 63n, 2n ** 64n - 1n].map((size, i) =>
      refused(`dir-shape-over-${i}`, 'A dimension is at most 2^53 - 1, beside a 0 as well',
        dimension(hollow, 0, size), 'TYPE'),
    ),
    refused('dir-shape-over-last', 'The last dimension is at most 2^53 - 1 as well', dimension(hollow, 1, 2n ** 53n),
      'TYPE'),
    refused('dir-rank-less', 'A rank that leaves a dimension outside', patched(one, at(0, 'rank'), u8(0)), 'TYPE'),
    refused('dir-rank-more', 'A rank that takes in a dimension of 0 needs no bytes, and 8 are there',
      patched(one, at(0, 'rank'), u8(2)), 'TYPE'),
  ]
}

/** byte_length that is the true size in too few bits, or that would need a product rounded. */
const LENGTHS: readonly (readonly [label: string, dtype: string, shape: Shape, length: bigint])[] = [
  ['wraps-64', 'u8', [2n ** 32n, 2n ** 32n], 0n],
  ['wraps-32', 'u8', [2n ** 16n, 2n ** 16n], 0n],
  ['wraps-64-bits', 'u64', [2n ** 32n, 2n ** 29n], 0n],
  ['wraps-of-half', 'f16', [2n ** 52n, 2n ** 11n], 0n],
  ['wraps-in-bits', 'u8', [2n ** 52n, 2n ** 9n], 0n],
  ['wraps-in-the-middle', 'u8', [2n ** 40n, 2n ** 40n, 2n ** 40n], 0n],
  ['eight-most', 'c128', Array.from({ length: 8 }, () => 2n ** 53n - 1n), 2n ** 64n - 1n],
  ['rounded-down', 'u8', [2n ** 53n - 1n, 2], 2n ** 54n],
  ['rounded-up', 'u8', [94906267, 94906267], 9007199515875288n],
]

function lengths(): Case[] {
  const one = block([PAIR])
  const sized = (hex: Hex, length: number | bigint): Hex => patched(hex, at(0, 'byteLength'), u64(length))
  const claimed = (dtype: string, shape: readonly (number | bigint)[], length: bigint): Hex =>
    sized(block([{ dtype, shape, data: '' }]), length)
  return [
    ...[0, 7, 9, 16].map((length) =>
      refused(`dir-byte-length-${length}`, 'byte_length is exactly what dtype and shape need, 8 here',
        sized(one, length), 'TYPE'),
    ),
    ...[2n ** 32n + 8n, 2n ** 53n + 8n, 2n ** 63n, 2n ** 64n - 1n].map((length, i) =>
      refused(`dir-byte-length-huge-${i}`, 'byte_length is a u64 and is compared as one', sized(one, length), 'TYPE'),
    ),
    ...LENGTHS.map(([label, dtype, shape, length]) =>
      refused(`dir-byte-length-${label}`, 'The product of a shape is exact, of any size',
        claimed(dtype, shape, length), 'TYPE'),
    ),
    refused('dir-byte-length-true-huge', 'A size that is right, and not there, is past the end',
      claimed('u8', [2n ** 53n - 1n, 2047], 2047n * (2n ** 53n - 1n)), 'EOF'),
    refused('dir-byte-length-true-bits', '2^64 bits are 2^61 bytes, right and not there',
      claimed('u1', [2n ** 50n, 2n ** 14n], 2n ** 61n), 'EOF'),
    refused('dir-byte-length-true-square', 'A product past 2^53 is exact, right and not there',
      claimed('u8', [94906267, 94906267], 9007199515875289n), 'EOF'),
    refused('dir-byte-length-bits-not-bytes', 'byte_length counts bytes, not bits',
      sized(block([{ dtype: 'u4', shape: [2], data: '21' }]), 8), 'TYPE'),
    refused('dir-byte-length-of-rank-0', 'A tensor of rank 0 needs one element',
      sized(block([{ dtype: 'u8', shape: [], data: '05' }]), 0), 'TYPE'),
  ]
}

const THREE: TensorSpec = { name: 'a', dtype: 'u8', shape: [3], data: '010203' }
const HOLLOW: TensorSpec = { name: 'b', dtype: 'u8', shape: [0], data: '' }

function offsets(): Case[] {
  const one = block([PAIR], { tail: 256 })
  const two = block([{ ...THREE }, { ...THREE, name: 'b' }], { tail: 256 })
  const long: TensorSpec = { name: 'a', dtype: 'u8', shape: [65], data: '07'.repeat(65) }
  const exact: TensorSpec = { name: 'a', dtype: 'u8', shape: [64], data: '07'.repeat(64) }
  const moved = (hex: Hex, index: number, offset: number | bigint): Hex =>
    patched(hex, at(index, 'byteOffset'), u64(offset))
  return [
    ...[1, 4, 32, 63, 65].map((offset) =>
      refused(`dir-byte-offset-${offset}`, 'byte_offset is a multiple of 64', moved(one, 0, offset), 'TYPE'),
    ),
    refused('dir-byte-offset-unaligned-and-past', 'A multiple of 64, before the end is looked at',
      moved(one, 0, 2n ** 40n + 1n), 'TYPE'),
    ...[2n ** 53n + 1n, 2n ** 63n + 32n, 2n ** 64n - 1n].map((offset, i) =>
      refused(`dir-byte-offset-unaligned-huge-${i}`, 'A multiple of 64, in all 64 bits of the offset',
        moved(one, 0, offset), 'TYPE'),
    ),
    directory('dir-offsets-two', 'Each payload begins at the next multiple of 64 (FORMAT §4).',
      [THREE, { ...THREE, name: 'b' }]),
    directory('dir-offsets-exact', 'After 64 bytes the next payload follows without a gap (FORMAT §4).',
      [exact, { ...THREE, name: 'b' }]),
    directory('dir-offsets-65', 'After 65 bytes the next payload begins at 128 (FORMAT §4).',
      [long, { ...THREE, name: 'b' }]),
    refused('dir-byte-offset-overlap', 'A payload does not begin before the one before it has ended',
      moved(two, 1, 0), 'TYPE'),
    refused('dir-byte-offset-overlap-by-one', 'A payload of 65 bytes has not ended at 64',
      moved(block([long, { ...THREE, name: 'b' }], { tail: 256 }), 1, 64), 'TYPE'),
    refused('dir-byte-offset-backwards', 'Payloads stand in the order of the tensors',
      moved(moved(two, 0, 128), 1, 0), 'TYPE'),
    directory('dir-offsets-later', 'A payload may begin later; no writer puts it there (FORMAT §4 step 7).',
      [THREE, { ...THREE, name: 'b' }], { strict: 'TYPE' },
      block([THREE, { ...THREE, name: 'b' }], { offsets: [0, 128] })),
    directory('dir-offsets-first-later', 'So may the first (FORMAT §4 step 7).', [THREE], { strict: 'TYPE' },
      block([THREE], { offsets: [64] })),
    directory('dir-offsets-4096', 'A larger alignment of every payload is valid, not canonical (FORMAT §4).',
      [THREE, { ...THREE, name: 'b' }], { strict: 'TYPE' },
      block([THREE, { ...THREE, name: 'b' }], { base: 512, offsets: [0, 4096] })),
    directory('dir-empty-payload-after-three',
      'Three bytes and an empty tensor end at payload_base + 64 (FORMAT §4).', [THREE, HOLLOW]),
    refused('dir-empty-payload-overlap', 'An empty payload does not begin inside another, or it is before its end',
      moved(block([THREE, HOLLOW]), 1, 0), 'TYPE'),
    refused('dir-empty-payload-unaligned', 'An empty payload begins at a multiple of 64',
      moved(block([THREE, HOLLOW]), 1, 3), 'TYPE'),
    refused('dir-empty-payload-past-total', 'An empty payload does not lie past the end',
      moved(block([THREE, HOLLOW]), 1, 128), 'EOF'),
    directory('dir-empty-payloads-together', 'Empty payloads share an offset (FORMAT §4).',
      [HOLLOW, { ...HOLLOW, name: 'c' }, THREE]),
    directory('dir-empty-payload-exact', 'An empty payload after 64 bytes lies at the end (FORMAT §4).',
      [exact, HOLLOW]),
    directory('dir-empty-payload-only', 'An empty payload alone adds nothing (FORMAT §4).', [HOLLOW]),
  ]
}

/** Ends and sums of ends that do not fit in the block, or in 64 bits. */
function ends(): Case[] {
  const one = block([PAIR])
  const moved = (offset: bigint): Hex => patched(one, at(0, 'byteOffset'), u64(offset))
  const hollow = block([HOLLOW])
  return [
    refused('dir-payload-past-total', 'A payload lies inside the block', moved(64n), 'EOF'),
    refused('dir-payload-past-total-by-one', 'A payload lies inside the block, its last byte too',
      patched(block([{ dtype: 'u8', shape: [3], data: '010203' }]), HEADER.totalSize, u64(194)), 'EOF'),
    refused('dir-payload-past-total-not-input', "The end is the block's, not the input's",
      `${moved(64n)}${zeros(256)}`, 'EOF'),
    ...[2n ** 32n, 2n ** 53n, 2n ** 63n, 2n ** 64n - 64n].map((offset, i) =>
      refused(`dir-payload-offset-huge-${i}`, 'Sums of offsets are exact', moved(offset), 'EOF'),
    ),
    refused('dir-payload-sum-wraps', 'payload_base and byte_offset that add up to 2^64 are not 0',
      moved(2n ** 64n - 192n), 'EOF'),
    refused('dir-payload-sum-wraps-empty', 'An empty payload at 2^64 - payload_base is not at the start',
      patched(hollow, at(0, 'byteOffset'), u64(2n ** 64n - 256n)), 'EOF'),
  ]
}
