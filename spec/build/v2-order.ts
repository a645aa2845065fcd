import { HEADER, type TensorSpec, at, block, directoryRefused } from './block.js'
import type { Case, CaseCaps, CaseError } from './case.js'
import { type Hex, first, patched, u16, u32, u64, u8, utf8 } from './hex.js'

/**
 * Two tensors: heap at 320 to 324, payloads at 384 and 448, the end at 451. Every fault below is
 * a change of these bytes that leaves all that is checked before it good.
 */
const TENSORS: readonly TensorSpec[] = [
  { name: 'ab', dtype: 'f32', shape: [2], data: '0000803f000000c0' },
  { name: 'cd', dtype: 'u8', shape: [3], data: '010203' },
]
const HEAP = 320

interface Fault {
  readonly label: string
  readonly step: number
  readonly code: CaseError
  /** What changes: offset and bytes. */
  readonly patch?: readonly [offset: number, bytes: Hex]
  readonly caps?: CaseCaps
  readonly cut?: number
  readonly append?: Hex
}

function fault(label: string, step: number, code: CaseError, offset: number, bytes: Hex): Fault {
  return { label, step, code, patch: [offset, bytes] }
}

/** Every check of a block, in the order in which it is made. */
const FAULTS: readonly Fault[] = [
  { label: 'short', step: 1, code: 'EOF', cut: 63 },
  fault('magic', 2, 'FRAME', HEADER.magic, utf8('KILF')),
  fault('version', 2, 'FRAME', HEADER.version, u8(1)),
  fault('flags', 2, 'FRAME', HEADER.flags, u8(1)),
  fault('reserved', 2, 'FRAME', HEADER.reserved, u16(1)),
  fault('last-reserved', 2, 'FRAME', HEADER.lastReserved, u8(1)),
  { label: 'count', step: 3, code: 'LIMIT', caps: { tensors: 1 } },
  fault('total', 4, 'EOF', HEADER.totalSize, u64(2n ** 40n)),
  fault('base-unaligned', 4, 'FRAME', HEADER.payloadBase, u64(385)),
  fault('base-low', 4, 'FRAME', HEADER.payloadBase, u64(320)),
  fault('base-far', 4, 'FRAME', HEADER.payloadBase, u64(384 + 65_536)),
  fault('base-past-total', 4, 'FRAME', HEADER.payloadBase, u64(512)),
  fault('first-flags', 5, 'FRAME', at(0, 'flags'), u16(2)),
  fault('first-reserved', 5, 'FRAME', at(0, 'reserved'), u8(1)),
  fault('first-checksum', 5, 'FRAME', at(0, 'checksum'), u32(1)),
  fault('first-dtype', 5, 'TYPE', at(0, 'dtype'), u16(0)),
  fault('first-rank', 5, 'TYPE', at(0, 'rank'), u8(9)),
  fault('first-beyond-rank', 5, 'TYPE', at(0, 'shape', 8), u64(1)),
  fault('first-dimension', 5, 'TYPE', at(0, 'shape'), u64(2n ** 53n)),
  fault('first-block', 5, 'TYPE', at(0, 'dtype'), u16(0x1008)),
  fault('first-length', 5, 'TYPE', at(0, 'byteLength'), u64(9)),
  fault('first-offset', 5, 'TYPE', at(0, 'byteOffset'), u64(32)),
  fault('first-past-total', 5, 'EOF', at(0, 'byteOffset'), u64(2n ** 40n)),
  fault('first-name-offset', 5, 'TYPE', at(0, 'nameOffset'), u32(1)),
  fault('first-name-past-heap', 5, 'EOF', at(0, 'nameLength'), u32(5)),
  fault('first-name-utf8', 5, 'UTF8', HEAP, 'ff'),
  fault('second-flags', 5, 'FRAME', at(1, 'flags'), u16(2)),
  fault('second-dtype', 5, 'TYPE', at(1, 'dtype'), u16(0)),
  fault('second-length', 5, 'TYPE', at(1, 'byteLength'), u64(2)),
  fault('second-overlap', 5, 'TYPE', at(1, 'byteOffset'), u64(0)),
  fault('second-past-total', 5, 'EOF', at(1, 'byteOffset'), u64(128)),
  fault('second-name-offset', 5, 'TYPE', at(1, 'nameOffset'), u32(1)),
  fault('second-name-past-heap', 5, 'EOF', at(1, 'nameLength'), u32(3)),
  fault('second-name-utf8', 5, 'UTF8', HEAP + 2, 'ff'),
  fault('second-name-twice', 5, 'TYPE', HEAP + 2, utf8('ab')),
  fault('heap-not-filled', 6, 'FRAME', at(1, 'nameLength'), u32(1)),
  fault('heap-gap', 6, 'FRAME', HEAP + 4, u8(1)),
  fault('first-scheme', 7, 'TYPE', at(0, 'scheme'), u8(3)),
  fault('second-scheme', 7, 'TYPE', at(1, 'groupSize'), u32(1)),
  { label: 'trailing', step: 8, code: 'TRAILING', append: '00' },
]

/**
 * Each check alone; each check and the next one; and each check with the nearest later check of
 * every other code. Of two faults the earlier decides.
 */
export function orderCases(): Case[] {
  const cases: Case[] = FAULTS.map((one) =>
    directoryRefused(`dir-order-${one.label}`, `One fault of two good tensors (FORMAT §4 step ${one.step}).`,
      damaged([one]), one.code, one.caps),
  )
  for (const [i, earlier] of FAULTS.entries()) {
    const codes = new Set<CaseError>([earlier.code])
    for (const [j, later] of FAULTS.entries()) {
      if (j <= i || clash(earlier, later)) continue
      if (j !== i + 1 && codes.has(later.code)) continue
      codes.add(later.code)
      cases.push(
        directoryRefused(
          `dir-order-${earlier.label}-then-${later.label}`,
          `Two faults: that of step ${earlier.step} is found before that of step ${later.step} (FORMAT §4).`,
          damaged([earlier, later]),
          earlier.code,
          earlier.caps ?? later.caps,
        ),
      )
    }
  }
  return cases
}

function damaged(faults: readonly Fault[]): Hex {
  let hex = block(TENSORS)
  for (const { patch } of faults) if (patch !== undefined) hex = patched(hex, patch[0], patch[1])
  for (const { append } of faults) hex += append ?? ''
  for (const { cut } of faults) if (cut !== undefined) hex = first(hex, cut)
  return hex
}

/** Whether two faults can't stand in the same bytes. */
function clash(a: Fault, b: Fault): boolean {
  // A second name cut to one letter is no longer the first name.
  if (a.label === 'second-name-twice' && b.label === 'heap-not-filled') return true
  if (a.cut !== undefined) return b.append !== undefined || (b.patch !== undefined && b.patch[0] >= a.cut)
  if (a.patch === undefined || b.patch === undefined) return false
  const [start, bytes] = a.patch
  const [other, others] = b.patch
  return start < other + others.length / 2 && other < start + bytes.length / 2
}
