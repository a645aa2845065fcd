import { readU64 } from '../bytes/u64.js'
import { formatHash } from '../schema/hash.js'
import { dtypeOfCode } from '../tensors/dtypes.js'
import type { PathStep } from '../errors/kiln-error.js'
import type { FieldRule } from './rules.js'
import type { WalkState } from './state.js'

/** A field of fixed place in a header or a descriptor. */
export interface FieldPlace {
  /** Its name, or name and index for an entry of the shape. */
  readonly steps: readonly PathStep[]
  /** From the first byte of the header or descriptor. */
  readonly offset: number
  readonly rule: FieldRule
}

/** The fields of a table of offsets, in the order of their bytes. */
export function placesOf<K extends string>(
  offsets: Readonly<Record<K, number>>,
  fieldRules: Readonly<Record<NoInfer<K>, FieldRule>>,
): FieldPlace[] {
  const inOrder = (Object.keys(offsets) as K[]).sort((a, b) => offsets[a] - offsets[b])
  return inOrder.map((key) => ({
    steps: [fieldRules[key].name],
    offset: offsets[key],
    rule: fieldRules[key],
  }))
}

/** The field that has this byte, counted like `start` from the beginning of the input. */
export function fieldWith(
  places: readonly FieldPlace[],
  start: number,
  at: number,
): { offset: number; length: number; rule: string; steps: readonly PathStep[] } {
  const found = places.find(({ offset, rule }) => at < start + offset + rule.length)!
  return { offset: start + found.offset, length: found.rule.length, rule: found.rule.rule, steps: found.steps }
}

/** One span a field. `start` is where the fields begin in the input, `at` where in the bytes at hand. */
export function putFields(
  w: WalkState,
  kind: 'header' | 'descriptor' | 'frame-header',
  places: readonly FieldPlace[],
  start: number,
  view: DataView,
  at: number,
  tensor?: number,
): void {
  for (const { steps, offset, rule } of places) {
    const value = wordAt(view, at + offset, rule)
    const extra = {
      type: rule.type,
      ...(value === undefined ? {} : { value }),
      ...(tensor === undefined ? {} : { tensor }),
    }
    w.put(kind, start + offset, rule.length, rule.rule, extra, steps)
  }
}

function wordAt(view: DataView, at: number, { type, length }: FieldRule): unknown {
  switch (type) {
    case 'u8':
      return view.getUint8(at)
    case 'u16':
      return view.getUint16(at, true)
    case 'u32':
      return view.getUint32(at, true)
    case 'u64': {
      // Entries of a shape that are not used stand together as one field without a value.
      if (length > 8) return undefined
      const value = readU64(view, at)
      return Number.isSafeInteger(value) ? value : view.getBigUint64(at, true)
    }
    case 'hash':
      return formatHash(view.getBigUint64(at, true))
    case 'crc32':
      return `0x${view.getUint32(at, true).toString(16).padStart(8, '0')}`
    case 'dtype': {
      const code = view.getUint16(at, true)
      return dtypeOfCode(code)?.name ?? `0x${code.toString(16).padStart(4, '0')}`
    }
    case 'ASCII':
      return String.fromCharCode(...Array.from({ length }, (_, i) => view.getUint8(at + i)))
    default:
      return undefined
  }
}
