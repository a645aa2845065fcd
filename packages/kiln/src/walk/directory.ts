import { isKilnError, type KilnError, type PathStep } from '../errors/kiln-error.js'
import { descriptorDtype, descriptorShape, DESCRIPTOR_SIZE, MAX_RANK } from '../tensors/descriptor.js'
import * as descriptorFields from '../tensors/descriptor-fields.js'
import { HEADER_SIZE, heapStart } from '../tensors/header.js'
import * as headerFields from '../tensors/header-fields.js'
import { TensorTable } from '../tensors/table.js'
import type { Facts } from './body.js'
import { fieldWith, placesOf, putFields, type FieldPlace } from './fields.js'
import { descriptorRules, headerRules, rules } from './rules.js'
import type { Pauses, WalkState } from './state.js'

/** A block whose table is at hand; `start` counts from the start of the input. */
interface Block {
  readonly table: TensorTable
  readonly start: number
  /** Whether the header was valid, so that it is known where all else lies. */
  readonly hasTable: boolean
}

/** Goes through the directory at the cursor (FORMAT §4) and opens `budget` levels of it. */
export function* walkDirectory(w: WalkState, budget: number): Pauses<Facts> {
  const start = w.pos
  const available = w.end - start
  const cap = w.r.settings.limits.tensors
  const table = new TensorTable()
  let hasTable = false
  w.field(Math.min(HEADER_SIZE, available), rules.header)
  if (!w.has(HEADER_SIZE)) yield w.need(HEADER_SIZE)
  try {
    table.loadHeader(w.r.bytes, w.r.view, w.r.pos, available, cap)
    if (!w.has(table.payloadBase)) {
      yield w.need(table.payloadBase)
      table.loadHeader(w.r.bytes, w.r.view, w.r.pos, available, cap)
    }
    hasTable = true
    table.check(w.r.settings.strict)
  } catch (error) {
    if (!isKilnError(error)) throw error
    yield* upToFault(w, { table, start, hasTable }, budget, error)
    throw error
  }
  if (w.muted === 0) yield* layout(w, { table, start, hasTable }, budget)
  w.pos = start + table.totalSize
  return { entries: table.tensorCount }
}

/** Gives what lies before a fault of the table, and says which field has it. */
function* upToFault(w: WalkState, block: Block, budget: number, error: KilnError): Pauses {
  const { start } = block
  const at = w.base + (error.offset ?? 0)
  if (at === start && error.code === 'EOF') return
  const place = placeOf(block, at)
  if (w.muted === 0) {
    w.clip = place.offset
    yield* layout(w, block, budget)
    w.clip = Infinity
  }
  if (error.path === '' && place.steps !== undefined) w.steps.push('header', ...place.steps)
  w.field(place.length, place.rule, place.offset)
}

interface Place {
  readonly offset: number
  readonly length: number
  readonly rule: string
  readonly steps?: readonly PathStep[]
}

/** The field that has this byte of the table. */
function placeOf({ table, start, hasTable }: Block, at: number): Place {
  const descriptors = start + HEADER_SIZE
  if (at < descriptors || !hasTable) return fieldWith(headerPlaces, start, at)
  const heap = start + heapStart(table.tensorCount)
  if (at < heap) return fieldWith(descriptorPlaces(MAX_RANK), at - ((at - descriptors) % DESCRIPTOR_SIZE), at)
  const moved = start - table.start
  for (let i = 0; i < table.tensorCount; i++) {
    const offset = moved + table.nameStart(i)
    const length = table.nameLength(i)
    if (at < offset + length) return { offset, length, rule: rules.name }
  }
  return { offset: at, length: start + table.payloadBase - at, rule: rules.basePadding }
}

const headerPlaces = placesOf(headerFields, headerRules)

const { shape: shapeOffset, ...tailFields } = descriptorFields
const tailPlaces = placesOf(tailFields, descriptorRules)
const shapePlaces: readonly FieldPlace[] = Array.from({ length: MAX_RANK }, (_, i) => ({
  steps: ['shape', i], offset: shapeOffset + i * 8, rule: descriptorRules.shape,
}))

/** The fields of a descriptor in the order of their bytes; entries of the shape beyond the rank are one. */
function descriptorPlaces(rank: number): readonly FieldPlace[] {
  if (rank >= MAX_RANK) return [...shapePlaces, ...tailPlaces]
  const length = (MAX_RANK - rank) * 8
  const rule = { ...descriptorRules.shape, length, rule: rules.unusedShape }
  const unused: FieldPlace = { steps: [rule.name, rank], offset: shapeOffset + rank * 8, rule }
  return [...shapePlaces.slice(0, rank), unused, ...tailPlaces]
}

function* layout(w: WalkState, block: Block, budget: number): Pauses {
  const { table, start, hasTable } = block
  const open = budget > 1
  w.steps.push('header')
  if (open) putFields(w, 'header', headerPlaces, start, table.view, table.start)
  w.steps.pop()
  if (!open) w.put('header', start, HEADER_SIZE, rules.header, undefined, ['header'])
  if (!hasTable) return
  yield* layoutDescriptors(w, block, budget)
  yield* layoutNames(w, block, open)
  yield* layoutPayloads(w, block, open)
}

function* layoutDescriptors(w: WalkState, { table, start }: Block, budget: number): Pauses {
  const { tensorCount, view } = table
  const first = start + HEADER_SIZE
  const length = tensorCount * DESCRIPTOR_SIZE
  if (tensorCount === 0 || !w.touches(first, length)) return
  if (budget <= 1) {
    w.put('descriptor', first, length, rules.descriptors, { entries: tensorCount }, ['descriptors'])
    return
  }
  const skipped = Math.max(0, Math.floor((w.from - first) / DESCRIPTOR_SIZE))
  for (let i = skipped; i < tensorCount; i++) {
    const offset = first + i * DESCRIPTOR_SIZE
    const at = table.descriptorAt(i)
    if (offset >= w.clip) return
    if (budget === 2) {
      w.put('descriptor', offset, DESCRIPTOR_SIZE, rules.descriptors, { tensor: i, ...named(w, table, i) }, [i])
    } else {
      w.steps.push(i)
      putFields(w, 'descriptor', descriptorPlaces(view.getUint8(at + descriptorFields.rank)), offset, view, at, i)
      w.steps.pop()
    }
    if (w.full) yield undefined
  }
}

/** The name, where the table has been checked that far. */
function named(w: WalkState, table: TensorTable, i: number): { value?: string } {
  return w.clip === Infinity ? { value: table.name(i) } : {}
}

function* layoutNames(w: WalkState, { table, start }: Block, open: boolean): Pauses {
  const heap = start + heapStart(table.tensorCount)
  const base = start + table.payloadBase
  const { heapSize } = table
  if (!w.touches(heap, base - heap)) return
  if (!open) {
    if (heapSize > 0) w.put('name', heap, heapSize, rules.name, { entries: table.tensorCount }, ['names'])
  } else {
    const moved = start - table.start
    const first = firstAfter(table.tensorCount, w.from, (i) => moved + table.nameStart(i) + table.nameLength(i))
    for (let i = first; i < table.tensorCount; i++) {
      const offset = moved + table.nameStart(i)
      if (offset >= w.clip) return
      const length = table.nameLength(i)
      if (length === 0) continue
      w.steps.push(i)
      w.put('name', offset, length, rules.name, { tensor: i, value: table.name(i) }, ['name'])
      w.steps.pop()
      if (w.full) yield undefined
    }
  }
  if (base > heap + heapSize) w.put('padding', heap + heapSize, base - heap - heapSize, rules.basePadding)
}

function* layoutPayloads(w: WalkState, { table, start }: Block, open: boolean): Pauses {
  const { tensorCount, totalSize } = table
  const base = start + table.payloadBase
  const end = start + totalSize
  if (base >= w.clip) return
  if (!open) {
    if (end > base) w.put('payload', base, end - base, rules.payload, { entries: tensorCount }, ['payloads'])
    return
  }
  const endOf = (i: number): number => start + table.payloadStart(i) + table.payloadLength(i)
  const first = firstAfter(tensorCount, w.from, endOf)
  let before = first === 0 ? base : endOf(first - 1)
  for (let i = first; i < tensorCount; i++) {
    const offset = start + table.payloadStart(i)
    if (offset > before) w.put('padding', before, offset - before, rules.gap)
    const at = table.descriptorAt(i)
    const type = `${descriptorDtype(table.view, at).name}[${descriptorShape(table.view, at).join(', ')}]`
    w.put('payload', offset, table.payloadLength(i), rules.payload, { type, tensor: i, value: table.name(i) }, [i])
    before = endOf(i)
    if (w.full) yield undefined
  }
  if (end > before) w.put('padding', before, end - before, rules.gap)
}

/** The first index whose part ends at or after `from`; ends never fall. */
function firstAfter(count: number, from: number, endOf: (index: number) => number): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (endOf(middle) < from) low = middle + 1
    else high = middle
  }
  return low
}
