import type { Case, CaseCaps, CaseError } from './case.js'
import { BOOL, CHECKSUM, FRAME, SCHEMA, STRING, frame } from './frame-bytes.js'
import { frameRefused } from './frame-case.js'
import { type Hex, first, patched, str, u16, u32, u64, u8, utf8 } from './hex.js'

/**
 * A frame with both flags: text at 32, body at 64, the end at 72. Every fault below is a change
 * that leaves all that is checked before it good.
 */
const WHOLE = frame({ schema: STRING, body: str('kiln'), flags: SCHEMA + CHECKSUM, checksum: 0x290b39ca })

interface Fault {
  readonly label: string
  readonly step: number
  readonly code: CaseError
  readonly patch?: readonly [offset: number, bytes: Hex]
  readonly caps?: CaseCaps
  readonly cut?: number
  readonly append?: Hex
  readonly caller?: string
}

function fault(label: string, step: number, code: CaseError, offset: number, bytes: Hex): Fault {
  return { label, step, code, patch: [offset, bytes] }
}

/** Every check of a frame, in the order in which it is made. */
const FAULTS: readonly Fault[] = [
  { label: 'short', step: 1, code: 'EOF', cut: 31 },
  fault('magic', 1, 'FRAME', FRAME.magic, utf8('KILT')),
  fault('version', 1, 'FRAME', FRAME.version, u8(2)),
  fault('flags', 1, 'FRAME', FRAME.flags, u8(7)),
  fault('reserved', 1, 'FRAME', FRAME.reserved, u16(1)),
  fault('header-size', 1, 'FRAME', FRAME.headerSize, u32(65)),
  fault('header-limit', 1, 'LIMIT', FRAME.headerSize, u32(65_664)),
  { label: 'header-cut', step: 1, code: 'EOF', cut: 63 },
  fault('padding', 2, 'FRAME', FRAME.text + 8, u8(1)),
  fault('text', 2, 'SCHEMA', FRAME.text, utf8('S')),
  fault('hash', 2, 'FRAME', FRAME.hash, u64(1)),
  { label: 'caller', step: 3, code: 'FRAME', caller: BOOL.text },
  { label: 'body-cap', step: 4, code: 'LIMIT', caps: { body: 7 } },
  { label: 'body-cut', step: 4, code: 'EOF', cut: 71 },
  fault('crc', 4, 'CHECKSUM', FRAME.checksum, u32(1)),
  { label: 'value-cap', step: 5, code: 'LIMIT', caps: { string: 3 } },
  { label: 'after', step: 5, code: 'TRAILING', append: '00' },
]

/** Each check alone; each with the next one; and each with the nearest later check of every other code. */
export function frameOrderCases(): Case[] {
  const cases = FAULTS.map((one) =>
    frameRefused(
      `frame-order-${one.label}`,
      `One fault of a good frame (FORMAT §6 step ${one.step}).`,
      one.caller ?? STRING.text,
      damaged([one]),
      one.code,
      one.caps,
    ),
  )
  for (const [i, earlier] of FAULTS.entries()) {
    const codes = new Set<CaseError>([earlier.code])
    for (const [j, later] of FAULTS.entries()) {
      if (j <= i || clash(earlier, later) || (j !== i + 1 && codes.has(later.code))) continue
      codes.add(later.code)
      cases.push(
        frameRefused(
          `frame-order-${earlier.label}-then-${later.label}`,
          `Two faults: that of step ${earlier.step} is found before that of step ${later.step} (FORMAT §6).`,
          earlier.caller ?? later.caller ?? STRING.text,
          damaged([earlier, later]),
          earlier.code,
          earlier.caps === undefined ? later.caps : { ...earlier.caps, ...later.caps },
        ),
      )
    }
  }
  return cases
}

function damaged(faults: readonly Fault[]): Hex {
  let hex = WHOLE
  for (const { patch } of faults) if (patch !== undefined) hex = patched(hex, patch[0], patch[1])
  for (const { append } of faults) hex += append ?? ''
  for (const { cut } of faults) if (cut !== undefined) hex = first(hex, cut)
  return hex
}

/** Whether two faults can't stand in the same bytes. */
function clash(a: Fault, b: Fault): boolean {
  if (a.cut !== undefined && b.cut !== undefined) return true
  const cut = a.cut ?? b.cut
  if (cut !== undefined && (a.append ?? b.append) !== undefined) return true
  const patch = a.cut === undefined ? a.patch : b.patch
  if (cut !== undefined && patch !== undefined) return patch[0] >= cut
  if (a.patch === undefined || b.patch === undefined) return false
  const [start, bytes] = a.patch
  const [other, others] = b.patch
  return start < other + others.length / 2 && other < start + bytes.length / 2
}
