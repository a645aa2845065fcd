import { decodeFrame, encodeDirectory, encodeParts, KilnError, parseSchema, type Schema } from 'kiln-format'
import { plainDifference } from '../conformance/compare.js'
import { bitsSchema } from '../notation/bits.js'
import { bytesOfHex, hexOf } from '../notation/hex.js'
import { valueOfNotation } from '../notation/read.js'
import { tensorsOfNotation } from '../notation/tensors.js'
import { decodeDocument } from './decode.js'
import { framePartsOfBits } from './frame-parts.js'

type Json = Readonly<Record<string, unknown>>

/** The bytes of a document, as slices in order. Throws `TYPE` or `SCHEMA`, with the path, for what is no document. */
export function encodeDocument(json: unknown): Uint8Array[] {
  if (!isObject(json)) throw notADocument('a JSON object expected')
  switch (json['kiln']) {
    case 'frames':
      return framesParts(json['frames'])
    case 'directory':
      return json['exact'] === undefined ? [encodeTensors(json)] : [exactBytes(json, 'directory', undefined, ['tensors'])]
    case 'value': {
      const schema = schemaText(json['schema'])
      if (json['exact'] !== undefined) return [exactBytes(json, 'value', schema, ['schema', 'value'])]
      return at('value', () => encodeParts(bitsSchema(schema), valueOfNotation(schema, json['value'], true)))
    }
    default:
      throw notADocument(`"kiln" is ${JSON.stringify(json['kiln']) ?? 'missing'}`)
  }
}

function notADocument(what: string): KilnError {
  return new KilnError('TYPE', `${what}; a document has "kiln": "frames", "directory" or "value", as kiln decode writes it`)
}

function isObject(json: unknown): json is Json {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
}

function at<T>(step: string | number, run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw error instanceof KilnError ? error.within(step) : error
  }
}

function schemaText(json: unknown): Schema {
  return at('schema', () => {
    if (typeof json !== 'string') throw new KilnError('SCHEMA', 'the schema is missing; it is the canonical text, as a string')
    return parseSchema(json)
  })
}

function encodeTensors(json: Json): Uint8Array {
  const alignment = json['alignment'] as number | undefined
  return encodeDirectory(at('tensors', () => tensorsOfNotation(json['tensors'])), { alignment })
}

function framesParts(json: unknown): Uint8Array[] {
  if (!Array.isArray(json) || json.length === 0) throw new KilnError('TYPE', 'a file holds at least one frame; "frames" is an array of them')
  return at('frames', () => json.flatMap((frame: unknown, i) => at(i, () => frameParts(frame))))
}

function frameParts(json: unknown): Uint8Array[] {
  if (!isObject(json)) throw new KilnError('TYPE', 'a frame is an object with schema, flags and value')
  const schema = schemaText(json['schema'])
  const flags = json['flags'] ?? 1
  if (flags !== 0 && flags !== 1 && flags !== 2 && flags !== 3) {
    throw new KilnError('TYPE', 'flags are 0 to 3: 1 for the schema, 2 for the checksum').within('flags')
  }
  if (json['exact'] !== undefined) return [exactFrame(json, schema)]
  return at('value', () => framePartsOfBits(schema, valueOfNotation(schema, json['value'], true), flags))
}

/** Bytes that stand for themselves, after a look whether they still say what the rest of the document says. */
function exactBytes(json: Json, kiln: string, schema: Schema | undefined, keys: readonly string[]): Uint8Array {
  const bytes = at('exact', () => bytesOfHex(json['exact']))
  const said = decodeDocument(bytes, schema, {}, { hex: hexOf }) as unknown as Json
  if (said['kiln'] !== kiln) throw stale(kiln)
  for (const key of keys) {
    const difference = plainDifference(json[key], said[key], key)
    if (difference !== undefined) throw stale(difference.path)
  }
  return bytes
}

function exactFrame(json: Json, schema: Schema): Uint8Array {
  const bytes = at('exact', () => bytesOfHex(json['exact']))
  const { flags } = decodeFrame(bytes, schema)
  const { frames } = decodeDocument(bytes, schema, {}, { hex: hexOf }) as unknown as { frames: Iterable<Json> }
  const [said] = frames
  const difference = plainDifference(json['value'], said?.['value'], 'value')
  if (difference !== undefined) throw stale(difference.path)
  if (flags !== (json['flags'] ?? 1)) throw stale('flags')
  return bytes
}

function stale(path: string): KilnError {
  return new KilnError('TYPE', `these bytes say something else at ${path}; take "exact" out to write the value anew`).within('exact')
}
