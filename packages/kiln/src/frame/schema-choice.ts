import { KilnError, moved } from '../errors/kiln-error.js'
import { isSchema } from '../schema/is-schema.js'
import { formatHash } from '../schema/hash.js'
import { parseText } from '../schema/parse.js'
import type { Schema } from '../schema/types.js'
import { FLAG_SCHEMA, type FrameHeader } from './header.js'
import * as frameFields from './frame-fields.js'
import { keepSchema, recentSchema } from './recent-schemas.js'

/** The caller's schema, or several of which the frame's hash picks one. */
export type SchemaChoice<S extends Schema = Schema> = S | readonly S[]

/**
 * Instead of schemas: each frame is read by its own, and one that brings none by the one that an earlier frame brought
 * with its hash. So files are read whose first frame alone describes them.
 */
export type InheritSchemas = 'inherit'

/** The caller's schemas by hash. Made once for a loop over many frames. */
export interface SchemaRegistry {
  /** Undefined if the caller gave none: then frames must bring their own. */
  readonly byHash: ReadonlyMap<bigint, readonly Schema[]> | undefined
  /** With `inherit`, what earlier frames brought, by hash. */
  readonly brought?: Map<bigint, Schema>
}

// A file has a few kinds of frames. What a hostile one brings beyond these is forgotten, the oldest first.
const MOST_BROUGHT = 64

export function registryOf(choice: SchemaChoice | InheritSchemas | undefined): SchemaRegistry {
  if (choice === undefined) return { byHash: undefined }
  if (choice === 'inherit') return { byHash: undefined, brought: new Map() }
  const schemas: readonly unknown[] = Array.isArray(choice) ? choice : [choice]
  const byHash = new Map<bigint, Schema[]>()
  for (const schema of schemas) {
    if (!isSchema(schema)) throw new KilnError('SCHEMA', 'a schema, or a list of schemas, expected for the frame')
    const same = byHash.get(schema.hash)
    if (same === undefined) byHash.set(schema.hash, [schema])
    else if (!same.some((other) => other.text === schema.text)) same.push(schema)
  }
  return { byHash }
}

/** Where the schema text of a frame ends whose whole header is there. FORMAT §6 step 2, first half. */
function textEnd(bytes: Uint8Array, start: number, headerEnd: number): number {
  let end = start
  while (end < headerEnd && bytes[end] !== 0) end++
  for (let i = end; i < headerEnd; i++) {
    if (bytes[i] !== 0) throw new KilnError('FRAME', 'the bytes behind the schema text must be 0', i)
  }
  if (headerEnd - end >= 64) throw new KilnError('FRAME', `${headerEnd - end} bytes stand behind the schema text; fewer than 64 may`, end)
  return end
}

/** Whether bytes are a text, a character a byte: 60 ns for 60 of them, where making a string takes 2 µs. */
function isText(bytes: Uint8Array, start: number, end: number, text: string): boolean {
  if (text.length !== end - start) return false
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) !== bytes[start + i]) return false
  return true
}

/**
 * The schema that a frame brings (FORMAT §6 step 2), or undefined if it brings none. `known` are schemas with the header's
 * hash: a text that one of them prints, or one that a frame brought lately, is canonical and needs no parsing.
 */
export function embeddedSchema(bytes: Uint8Array, at: number, header: FrameHeader, known: readonly Schema[]): Schema | undefined {
  if ((header.flags & FLAG_SCHEMA) === 0) return undefined
  const start = at + frameFields.text
  const end = textEnd(bytes, start, at + header.headerSize)
  const atHand = [...known, recentSchema(header.hash)].find((schema) => schema !== undefined && isText(bytes, start, end, schema.text))
  if (atHand !== undefined) return atHand
  const schema = parseEmbedded(bytes, start, end)
  if (schema.hash !== header.hash) {
    throw new KilnError(
      'FRAME',
      `the header's hash is ${formatHash(header.hash)}, its schema text has ${formatHash(schema.hash)}`,
      at + frameFields.hash,
    )
  }
  keepSchema(schema)
  return schema
}

/** The schema of a text that is canonical; a fault of the text is at a byte of the input. */
function parseEmbedded(bytes: Uint8Array, start: number, end: number): Schema {
  let text = ''
  for (let i = start; i < end; i += 1024) text += String.fromCharCode(...bytes.subarray(i, Math.min(end, i + 1024)))
  let schema: Schema
  try {
    schema = parseText(text, text.length)
  } catch (error) {
    throw moved(error, start)
  }
  if (schema.text === text) return schema
  throw new KilnError('SCHEMA', `the frame's schema text is not canonical; it should read ${shown(schema.text)}`, start)
}

function shown(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}

/**
 * The schema that a frame's body is read with (FORMAT §6 steps 2 and 3): the caller's, if it gave any, and
 * then the frame's must be the same; else the frame's own.
 */
export function chooseSchema(bytes: Uint8Array, at: number, header: FrameHeader, registry: SchemaRegistry): Schema {
  const candidates = registry.byHash?.get(header.hash) ?? []
  const embedded = embeddedSchema(bytes, at, header, candidates)
  if (registry.byHash === undefined) {
    const schema = embedded ?? registry.brought?.get(header.hash)
    if (schema === undefined) {
      throw new KilnError(
        'SCHEMA',
        `the frame brings no schema and none was given; give the one with hash ${formatHash(header.hash)}`,
        at + frameFields.flags,
      )
    }
    if (embedded !== undefined && registry.brought !== undefined) remember(registry.brought, embedded)
    return schema
  }
  const matching = embedded === undefined ? candidates : candidates.filter((schema) => schema.text === embedded.text)
  if (matching.length > 1) {
    throw new KilnError(
      'FRAME',
      `two of the schemas given hash to ${formatHash(header.hash)} and the frame brings none; write it with { schema: true }`,
      at + frameFields.hash,
    )
  }
  const [schema] = matching
  if (schema === undefined) throw notTheCallers(header, at, embedded, registry.byHash)
  return schema
}

function remember(brought: Map<bigint, Schema>, schema: Schema): void {
  // Of two texts with one hash the later holds; deleting first makes it the newest.
  brought.delete(schema.hash)
  brought.set(schema.hash, schema)
  const [oldest] = brought.keys()
  if (brought.size > MOST_BROUGHT) brought.delete(oldest!)
}

function notTheCallers(
  header: FrameHeader,
  at: number,
  embedded: Schema | undefined,
  byHash: ReadonlyMap<bigint, readonly Schema[]>,
): KilnError {
  const given = [...byHash.values()].flat().slice(0, 3).map((schema) => `${formatHash(schema.hash)} ${shown(schema.text)}`)
  const own = embedded === undefined ? '' : ` ${shown(embedded.text)}`
  return new KilnError(
    'FRAME',
    `the frame was written with another schema: ${formatHash(header.hash)}${own}; given: ${given.join('; ') || 'none'}`,
    at + frameFields.hash,
  )
}
