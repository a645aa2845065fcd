import { HEADER, block, directory, directoryRefused, type TensorSpec } from './block.js'
import type { Case } from './case.js'
import { type Hex, first, patched, u16, u32, u64, u8, utf8, zeros } from './hex.js'

const EMPTY = block([])
const BYTE: TensorSpec = { name: 'a', dtype: 'u8', shape: [1], data: '05' }

/** A named tensor without bytes: its heap ends at 193, one past a multiple of 64. */
const HOLLOW: TensorSpec = { name: 'a', dtype: 'u8', shape: [0], data: '' }

/** The 64 bytes of the header: FORMAT §4 steps 1 to 4. */
export function headerCases(): Case[] {
  return [...lengths(), ...constants(), ...counts(), ...totals(), ...bases()]
}

function lengths(): Case[] {
  const step = '(FORMAT §4 step 1)'
  return [
    directory('dir-empty', 'A directory without tensors is 64 bytes (FORMAT §4).', [], {}, EMPTY),
    ...[0, 1, 4, 8, 32, 63].map((there) =>
      directoryRefused(`dir-header-of-${there}`, `A directory begins with 64 bytes, not with ${there} ${step}.`,
        first(EMPTY, there), 'EOF'),
    ),
    directoryRefused('dir-header-of-63-bad-magic', `The 64 bytes are there, before the magic is looked at ${step}.`,
      `00${first(EMPTY, 63).slice(2)}`, 'EOF'),
  ]
}

function constants(): Case[] {
  const note = (what: string): string => `${what} (FORMAT §4 step 2).`
  const magics = ['KILF', 'kilt', 'TLIK', 'KILU', 'JILT', '\u0000\u0000\u0000\u0000']
  return [
    ...magics.map((magic, i) =>
      directoryRefused(`dir-magic-${i}`, note('The magic is KILT in ASCII'), patched(EMPTY, HEADER.magic, utf8(magic)),
        'FRAME'),
    ),
    ...[0, 1, 3, 255].map((version) =>
      directoryRefused(`dir-version-${version}`, note('The version is 2'),
        patched(EMPTY, HEADER.version, u8(version)), 'FRAME'),
    ),
    ...[0x01, 0x80].map((flags) =>
      directoryRefused(`dir-flags-${u8(flags)}`, note('The flags are 0'), patched(EMPTY, HEADER.flags, u8(flags)),
        'FRAME'),
    ),
    ...[0x0001, 0x0100].map((value) =>
      directoryRefused(`dir-reserved-${u16(value)}`, note('The two bytes after the flags are 0'),
        patched(EMPTY, HEADER.reserved, u16(value)), 'FRAME'),
    ),
    ...[32, 39, 47, 63].map((offset) =>
      directoryRefused(`dir-reserved-at-${offset}`, note('The last 32 bytes of the header are 0'),
        patched(EMPTY, offset, '01'), 'FRAME'),
    ),
  ]
}

function counts(): Case[] {
  const step = '(FORMAT §4 step 3)'
  const counted = (count: number): Hex => patched(EMPTY, HEADER.tensorCount, u32(count))
  return [
    directory('dir-count-at-cap', `As many tensors as the cap ${step}.`, [BYTE, { ...BYTE, name: 'b' }],
      { caps: { tensors: 2 } }),
    directoryRefused('dir-count-over-cap', `More tensors than the cap ${step}.`,
      block([BYTE, { ...BYTE, name: 'b' }]), 'LIMIT', { tensors: 1 }),
    directory('dir-count-cap-zero', `A cap of 0 takes the empty directory ${step}.`, [], { caps: { tensors: 0 } }),
    directoryRefused('dir-count-cap-zero-over', `A cap of 0 takes no tensor ${step}.`, block([BYTE]), 'LIMIT',
      { tensors: 0 }),
    directory('dir-count-other-caps', `No other cap applies to a directory, not to its names either ${step}.`, [BYTE],
      { caps: { count: 0, numbers: 0, string: 0, body: 0 } }),
    directoryRefused('dir-count-default-cap', `The default cap is 2^20 tensors; one more ${step}.`,
      counted(2 ** 20 + 1), 'LIMIT'),
    directoryRefused('dir-count-default-cap-at', 'For 2^20 tensors the payloads begin later (FORMAT §4 step 4).',
      counted(2 ** 20), 'FRAME'),
    directoryRefused('dir-count-most', `The greatest count ${step}.`, counted(0xffffffff), 'LIMIT'),
    directoryRefused('dir-count-most-uncapped',
      'The table of the greatest count is an exact size, in no number of bits too few (FORMAT §4 step 4).',
      counted(0xffffffff), 'FRAME', { tensors: 0xffffffff }),
    directoryRefused('dir-count-table-wraps', '2^25 descriptors are 2^32 bytes, not 0 (FORMAT §4 step 4).',
      counted(2 ** 25), 'FRAME', { tensors: 0xffffffff }),
  ]
}

function totals(): Case[] {
  const step = '(FORMAT §4 step 4)'
  const total = (value: number | bigint): Hex => patched(EMPTY, HEADER.totalSize, u64(value))
  const over: readonly (readonly [label: string, value: number | bigint])[] = [
    ['one-over', 65],
    ['two-to-32', 2n ** 32n],
    ['two-to-32-and-64', 2n ** 32n + 64n],
    ['two-to-53', 2n ** 53n],
    ['two-to-53-and-64', 2n ** 53n + 64n],
    ['two-to-63', 2n ** 63n],
    ['most', 2n ** 64n - 1n],
  ]
  return [
    ...over.map(([label, value]) =>
      directoryRefused(`dir-total-${label}`, `The whole block is there, or it is the end ${step}.`, total(value),
        'EOF'),
    ),
    ...[0, 1, 63].map((value) =>
      directoryRefused(`dir-total-${value}`, `The payloads do not begin past the block's end ${step}.`, total(value),
        'FRAME'),
    ),
    directoryRefused('dir-total-in-payload', 'A payload past the end, though its byte is there (FORMAT §4 step 5).',
      patched(block([BYTE]), HEADER.totalSize, u64(256)), 'EOF'),
    directoryRefused('dir-total-cut', `A byte of the last payload is not there ${step}.`, block([BYTE]).slice(0, -2),
      'EOF'),
    directory('dir-total-one-later', 'A block may end after its payloads; no writer does that (FORMAT §4 step 7).',
      [BYTE], { strict: 'TYPE' }, block([BYTE], { tail: 1 })),
    directory('dir-total-empty-later', 'An empty block may end later, too (FORMAT §4 step 7).', [],
      { strict: 'TYPE' }, block([], { tail: 3 })),
  ]
}

function bases(): Case[] {
  const step = '(FORMAT §4 step 4)'
  const base = (hex: Hex, value: number | bigint): Hex => patched(hex, HEADER.payloadBase, u64(value))
  const roomy = block([BYTE], { tail: 512 })
  return [
    ...[0, 1, 32, 63].map((value) =>
      directoryRefused(`dir-base-${value}`, `Payloads begin after the table ${step}.`, base(EMPTY, value), 'FRAME'),
    ),
    ...[257, 260, 288, 319].map((value) =>
      directoryRefused(`dir-base-unaligned-${value}`, `payload_base is a multiple of 64 ${step}.`, base(roomy, value),
        'FRAME'),
    ),
    directoryRefused('dir-base-in-heap', `192 is a multiple of 64, but the heap ends at 193 ${step}.`, base(roomy, 192),
      'FRAME'),
    directoryRefused('dir-base-in-descriptors', `payload_base inside the descriptors ${step}.`, base(roomy, 128),
      'FRAME'),
    directory('dir-base-one-later', `payload_base may lie further on; no writer puts it there ${step}.`, [BYTE],
      { strict: 'TYPE' }, block([BYTE], { base: 320 })),
    directory('dir-base-empty-later', `So it may in an empty directory ${step}.`, [], { strict: 'TYPE' },
      block([], { base: 128 })),
    directory('dir-base-4096', `A larger alignment for the whole file is valid and not canonical ${step}.`, [BYTE],
      { strict: 'TYPE' }, block([BYTE], { base: 4096 })),
    directory('dir-base-farthest', `payload_base 65,535 bytes past the heap is the last that is near enough ${step}.`,
      [HOLLOW], { strict: 'TYPE' }, block([HOLLOW], { base: 193 + 65_535 })),
    directoryRefused('dir-base-too-far', `payload_base 65,536 bytes past the heap is too far ${step}.`,
      block([], { base: 64 + 65_536 }), 'FRAME'),
    directoryRefused('dir-base-past-total', `payload_base past the block's end ${step}.`, base(EMPTY, 128), 'FRAME'),
    directoryRefused('dir-base-past-total-of-two', `payload_base past the block's end, with bytes there ${step}.`,
      base(EMPTY, 128) + zeros(64), 'FRAME'),
    ...[2n ** 32n, 2n ** 32n + 256n, 2n ** 53n, 2n ** 63n, 2n ** 64n - 64n, 2n ** 64n - 1n].map((value, i) =>
      directoryRefused(`dir-base-huge-${i}`, `payload_base is a u64 and is compared as one ${step}.`,
        base(block([BYTE]), value), 'FRAME'),
    ),
    directoryRefused('dir-heap-size-most', `The heap's end is an exact sum ${step}.`,
      patched(block([BYTE]), HEADER.heapSize, u32(0xffffffff)), 'FRAME'),
    directoryRefused('dir-heap-size-past-base', `The heap ends before the payloads begin ${step}.`,
      patched(block([BYTE]), HEADER.heapSize, u32(65)), 'FRAME'),
  ]
}
