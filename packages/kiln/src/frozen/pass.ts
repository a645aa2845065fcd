import { elementType, isNumberName } from '../bytes/elements.js'
import type { ByteReader } from '../bytes/reader.js'
import type { Limits } from '../limits/limits.js'
import type { Schema } from '../schema/types.js'
import { HEADER_SIZE, readHeader, type DirectoryHeader } from '../tensors/header.js'
import { fixedSizeOf } from './sizes.js'

/**
 * What to pass over, as a flat list: neighbours of fixed size are one addition, structs are their fields. Going
 * through it takes half of the time of a closure a field, since the cursor stays in a register.
 */
export interface PassStep {
  readonly op: 'fixed' | 'string' | 'bytes' | 'numbers' | 'rows' | 'each' | 'texts' | 'option' | 'tensors'
  /** Bytes of fixed size in front. */
  readonly before: number
  /** Bytes of an element of `numbers` and `rows`; strings of an element of `texts`. */
  readonly size: number
  /** What an element of `each` is, or what an `option` holds. */
  readonly inner: readonly PassStep[]
}

/** The steps that pass over values that stand one behind the other. */
export function passStepsOf(schemas: readonly Schema[]): readonly PassStep[] {
  const steps: PassStep[] = []
  let before = 0
  const add = (op: PassStep['op'], size = 0, inner: readonly PassStep[] = []): void => {
    steps.push({ op, before, size, inner })
    before = 0
  }
  const visit = (schema: Schema): void => {
    const fixed = fixedSizeOf(schema)
    if (fixed !== undefined) {
      before += fixed
      return
    }
    switch (schema.kind) {
      case 'string':
      case 'bytes':
      case 'tensors':
        return add(schema.kind)
      case 'struct':
        return schema.names.forEach((name) => visit(schema.fields[name]!))
      case 'option':
        return add('option', 0, passStepsOf([schema.some]))
      case 'list':
        if (isNumberName(schema.element.kind)) return add('numbers', elementType(schema.element.kind).width)
        return each([schema.element])
      case 'dict':
        return each([schema.key, schema.value])
    }
  }
  const each = (parts: readonly Schema[]): void => {
    const inner = passStepsOf(parts)
    const [first] = inner as [PassStep]
    if (inner.length === 1 && first.op === 'fixed') add('rows', first.before)
    else if (inner.every(({ op, before }) => op === 'string' && before === 0)) add('texts', inner.length)
    else add('each', 0, inner)
  }
  schemas.forEach(visit)
  if (before > 0) add('fixed')
  return steps
}

/**
 * Where the values end that begin at `pos`; more than `end` if one of the checks on the way fails. Which one it is,
 * the skippers say, which are slower: availability is compared once for neighbours here, and a list whose elements
 * can't all be there is noticed where they end.
 */
export function passOver(steps: readonly PassStep[], r: ByteReader, from: number): number {
  const { view, end } = r
  const { limits } = r.settings
  let pos = from
  for (let i = 0; i < steps.length; i++) {
    const step = steps[i]!
    pos += step.before
    switch (step.op) {
      case 'fixed':
        break
      case 'string': {
        if (pos + 4 > end) return Infinity
        const length = view.getUint32(pos, true)
        if (length > limits.string) return Infinity
        pos += 4 + length
        break
      }
      case 'bytes':
        if (pos + 4 > end) return Infinity
        pos += 4 + view.getUint32(pos, true)
        break
      case 'option': {
        if (pos + 1 > end) return Infinity
        const tag = view.getUint8(pos)
        if (tag > 1) return Infinity
        pos += 1
        if (tag === 1) pos = passOver(step.inner, r, pos)
        break
      }
      case 'tensors':
        pos = passTensors(r, pos)
        break
      default: {
        if (pos + 4 > end) return Infinity
        const count = view.getUint32(pos, true)
        if (count > (step.op === 'numbers' ? limits.numbers : limits.count)) return Infinity
        pos += 4
        if (step.op === 'texts') pos = passTexts(view, pos, end, count * step.size, limits)
        else if (step.op === 'each') for (let n = count; n > 0 && pos <= end; n--) pos = passOver(step.inner, r, pos)
        else pos += count * step.size
      }
    }
  }
  return pos
}

/** As {@link passOver}, for so many strings. */
function passTexts(view: DataView, from: number, end: number, count: number, limits: Limits): number {
  const cap = limits.string
  let pos = from
  for (let n = count; n > 0; n--) {
    if (pos + 4 > end) return Infinity
    const length = view.getUint32(pos, true)
    if (length > cap) return Infinity
    pos += 4 + length
  }
  return pos
}

/** As {@link passOver}, for a directory: its header says where it ends. */
export function passTensors(r: ByteReader, pos: number): number {
  if (pos > r.end) return Infinity
  const header: DirectoryHeader = { tensorCount: 0, heapSize: 0, payloadBase: 0, totalSize: HEADER_SIZE }
  try {
    readHeader(r.view, pos, r.end - pos, r.settings.limits.tensors, header)
  } catch {
    return Infinity
  }
  return pos + header.totalSize
}
