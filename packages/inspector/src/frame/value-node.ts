import type { ByteSource, Schema } from 'kiln-format'
import { walkSource, type Span } from 'kiln-format/walk'
import { faultOfSpan } from '../model/fault.js'
import { partOf } from '../model/part-source.js'
import { shortened } from '../ui/format.js'

/** A value of a frame: what the walk says of it. Its parts are asked for when it is opened. */
export interface ValueNode {
  /** Where it stands in what holds it: a field's name, `[3]`, a key. */
  readonly label: string
  readonly schema: Schema
  readonly offset: number
  readonly length: number
  readonly span: Pick<Span, 'value' | 'type' | 'entries'>
  readonly fault?: string
}

/** Parts that are shown at once. */
export const STEP = 200

export interface Parts {
  readonly nodes: readonly ValueNode[]
  /** Where to go on, if there are more. */
  readonly next: number | undefined
}

/** Whether a value has parts to be shown. */
export function canOpen({ schema, span, length }: ValueNode): boolean {
  if (schema.kind === 'list' || schema.kind === 'dict') return span.entries !== 0
  // An option of none is its tag alone.
  return schema.kind === 'struct' || (schema.kind === 'option' && length > 1)
}

/** The parts of a value, from the one with number `first` at byte `from` on. */
export async function partsOf(
  source: ByteSource,
  node: ValueNode,
  first: number,
  from: number | undefined,
  signal: AbortSignal,
): Promise<Parts> {
  const { schema, offset, length } = node
  if (schema.kind === 'list' && isNumber(schema.element)) return numbersOf(source, node, first, signal)
  const part = partOf(source, offset, length)
  const nodes: ValueNode[] = []
  let key: string | undefined
  const begin = from === undefined ? undefined : from - offset
  for await (const span of walkSource(part, {
    as: schema,
    depth: 1,
    signal,
    ...(begin === undefined ? {} : { from: begin }),
  })) {
    if (begin !== undefined && span.offset < begin) continue
    if (span.kind === 'count' || span.kind === 'rest') continue
    if (nodes.length === STEP && key === undefined) return { nodes, next: offset + span.offset }
    if (span.kind === 'key') {
      key = typeof span.value === 'string' ? JSON.stringify(shortened(span.value, 120)) : String(span.value)
      continue
    }
    if (span.kind === 'tag') {
      if (span.value === false) nodes.push({ label: 'none', schema, offset: offset + span.offset, length: 1, span: {} })
      continue
    }
    nodes.push(nodeOf(span, schema, labelOf(schema, span, key, first + nodes.length), offset))
    key = undefined
  }
  return { nodes, next: undefined }
}

function labelOf(holder: Schema, span: Span, key: string | undefined, place: number): string {
  if (holder.kind === 'struct') return holder.names[place] ?? span.path
  return key ?? (span.path === '' ? 'value' : span.path)
}

function nodeOf(span: Span, holder: Schema, label: string, base: number): ValueNode {
  const fault = faultOfSpan(span)
  const schema = fault === undefined ? schemaOfPart(holder, label) : holder
  return {
    label,
    schema,
    offset: base + span.offset,
    length: span.length,
    span,
    ...(fault === undefined ? {} : { fault: `${fault.code ?? ''}: ${fault.detail}` }),
  }
}

function schemaOfPart(holder: Schema, label: string): Schema {
  switch (holder.kind) {
    case 'struct':
      return holder.fields[label] ?? holder
    case 'list':
      return holder.element
    case 'dict':
      return holder.value
    case 'option':
      return holder.some
    default:
      return holder
  }
}

const WIDTHS: Readonly<Record<string, number>> = {
  i8: 1,
  u8: 1,
  i16: 2,
  u16: 2,
  f16: 2,
  bf16: 2,
  i32: 4,
  u32: 4,
  f32: 4,
  i64: 8,
  u64: 8,
  f64: 8,
}

function isNumber(schema: Schema): boolean {
  return Object.hasOwn(WIDTHS, schema.kind)
}

/** Elements of a list of numbers, which the walk gives as one span: each is one of them. */
async function numbersOf(source: ByteSource, node: ValueNode, first: number, signal: AbortSignal): Promise<Parts> {
  const { schema, offset, length } = node
  if (schema.kind !== 'list') return { nodes: [], next: undefined }
  const width = WIDTHS[schema.element.kind] ?? 1
  const count = (length - 4) / width
  const shown = Math.min(STEP, count - first)
  const start = offset + 4 + first * width
  const nodes: ValueNode[] = []
  // One element is a value of the element's own schema, so the walk reads it.
  const part = partOf(source, start, shown * width)
  const bytes = await part.read(0, shown * width, { signal })
  for (let i = 0; i < shown; i++) {
    const own = bytes.subarray(i * width, (i + 1) * width)
    const one = {
      size: width,
      label: source.label,
      read: async (at: number, size: number) => own.subarray(at, at + size),
    }
    for await (const span of walkSource(one, { as: schema.element })) {
      nodes.push({ label: `[${first + i}]`, schema: schema.element, offset: start + i * width, length: width, span })
    }
  }
  return { nodes, next: first + shown < count ? start + shown * width : undefined }
}
