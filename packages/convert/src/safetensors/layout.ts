import { dtypeOf, KilnError, type DtypeName } from 'kiln-format'
import { quoted } from '../text/quoted.js'
import { kilnDtype } from './dtypes.js'
import type { HeaderEntry } from './header.js'

/** A tensor whose place in the file has been checked. */
export interface PlacedTensor {
  readonly name: string
  /** Offset in the file and length, in bytes. */
  readonly offset: number
  readonly byteLength: number
  /** What Kiln can hold of it; else why it can't. */
  readonly form: { readonly dtype: DtypeName; readonly shape: readonly number[] } | { readonly reason: string }
}

const U64 = 2n ** 64n
const MOST_RANK = 8

/**
 * Checks the tensors of a header against each other and the file, as the reference does and in its
 * order: taken by their offsets they follow on each other from the first payload byte to the last byte
 * of the file, without holes or overlaps, each as long as its shape and dtype make it (`TYPE`; a
 * payload past the end of the file `EOF`, bytes after the last `TRAILING`). Returned in header order.
 */
export function placeTensors(entries: readonly HeaderEntry[], payloadStart: number, fileSize: number): PlacedTensor[] {
  const available = fileSize - payloadStart
  const placed = new Map<HeaderEntry, PlacedTensor>()
  const inOrder = [...entries].sort((a, b) => compare(a.start, b.start) || compare(a.end, b.end))
  let position = 0
  let before: HeaderEntry | undefined
  for (const entry of inOrder) {
    checkStart(entry, position, before, payloadStart)
    if (entry.end < entry.start) {
      throw fault(
        'TYPE',
        entry,
        `data_offsets end at ${entry.end}, before they start at ${entry.start}`,
        payloadStart + position,
      )
    }
    const form = formOf(entry, payloadStart)
    if (entry.end > available) {
      throw fault('EOF', entry, `ends at byte ${entry.end} of the payloads, and there are ${available}`, fileSize)
    }
    const end = Number(entry.end)
    placed.set(entry, { name: entry.name, offset: payloadStart + position, byteLength: end - position, form })
    position = end
    before = entry
  }
  if (position < available) {
    const detail = `${available - position} bytes follow the last tensor; a safetensors file ends with it`
    throw new KilnError('TRAILING', detail, payloadStart + position)
  }
  return entries.map((entry) => placed.get(entry)!)
}

function compare(a: number | bigint, b: number | bigint): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function fault(code: 'TYPE' | 'EOF', entry: HeaderEntry, detail: string, offset: number): KilnError {
  return new KilnError(code, `tensor ${quoted(entry.name)}: ${detail}`, offset)
}

function checkStart(entry: HeaderEntry, position: number, before: HeaderEntry | undefined, payloadStart: number): void {
  if (entry.start === position) return
  const gap = BigInt(entry.start) - BigInt(position)
  const detail =
    gap > 0n
      ? `starts at byte ${entry.start} of the payloads, which leaves a hole of ${gap} bytes before it`
      : `starts at byte ${entry.start} of the payloads, inside ${quoted(before?.name ?? '')}, which ends at ${position}`
  throw fault('TYPE', entry, detail, payloadStart + position)
}

/** The entry as a Kiln tensor, or why it can't be one, once its size is known to be right. */
function formOf(entry: HeaderEntry, payloadStart: number): PlacedTensor['form'] {
  const place = payloadStart + Number(entry.start)
  const length = BigInt(entry.end) - BigInt(entry.start)
  let elements = 1n
  for (const dimension of entry.shape) {
    elements *= BigInt(dimension)
    // The reference multiplies in 64 bits from the left, so an overflow counts even before a 0.
    if (elements >= U64) throw fault('TYPE', entry, `the product of its shape is over 2^64 - 1`, place)
  }
  const dtype = kilnDtype(entry.dtype)
  if (dtype === undefined) {
    const range = `bytes ${place} to ${BigInt(place) + length} of the file`
    return { reason: `dtype ${quoted(entry.dtype)} is not known; its payload is ${range}` }
  }
  const bits = elements * BigInt(dtypeOf(dtype).blockBits)
  if (bits >= U64) throw fault('TYPE', entry, `its size is over 2^64 - 1 bits`, place)
  if (bits % 8n !== 0n) {
    throw fault(
      'TYPE',
      entry,
      `${elements} elements of ${entry.dtype} are no whole number of bytes, which safetensors asks for`,
      place,
    )
  }
  if (bits / 8n !== length) {
    const detail = `${entry.dtype} of shape [${shapeText(entry)}] needs ${bits / 8n} bytes, data_offsets give ${length}`
    throw fault('TYPE', entry, detail, place)
  }
  return kilnForm(entry, dtype)
}

function kilnForm(entry: HeaderEntry, dtype: DtypeName): PlacedTensor['form'] {
  if (entry.shape.length > MOST_RANK) {
    return { reason: `rank ${entry.shape.length}; a Kiln tensor has at most ${MOST_RANK} dimensions` }
  }
  const shape: number[] = []
  for (const dimension of entry.shape) {
    if (typeof dimension === 'bigint') return { reason: `a dimension of ${dimension}; Kiln's go up to 2^53 - 1` }
    shape.push(dimension)
  }
  return { dtype, shape }
}

function shapeText(entry: HeaderEntry): string {
  const shown = entry.shape.slice(0, 16).join(', ')
  return entry.shape.length > 16 ? `${shown}, ...` : shown
}
