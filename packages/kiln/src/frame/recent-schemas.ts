import type { Schema } from '../schema/types.js'

// Parsing a text and making its readers takes 30 µs for four fields, where reading such a message takes half of one. Kept
// is as much text as one schema can have, so that frames of nobody's choosing hold on to no more than one of them could.
const MOST_TEXT = 65_536

/** Schemas that frames brought lately, the oldest first. They are frozen, and of each text any schema is as good. */
const recent: Schema[] = []
let length = 0

/** A schema with this hash that a frame brought lately, whose text is to be compared with the frame's. */
export function recentSchema(hash: bigint): Schema | undefined {
  return recent.findLast((schema) => schema.hash === hash)
}

/** Keeps a schema that a frame has brought; the oldest are forgotten for it. */
export function keepSchema(schema: Schema): void {
  recent.push(schema)
  length += schema.text.length
  while (length > MOST_TEXT) length -= recent.shift()!.text.length
}
