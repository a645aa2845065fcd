import { decodeFrame, encodeDirectory, encodeParts, KilnError, parseSchema, type Schema } from 'kiln-format'
import { plainDifference } from '../conformance/compare.js'
import { bitsSchema } from '../notation/bits.js'
import { bytesOfHex, hexOf } from '../notation/hex.js'
import { valueOfNotation } from '../notation/read.js'
import { tensorsOfNotation } from '../notation/tensors.js'
import { decodeBareValue, decodeDocument } from './decode.js'
import { framePartsOfBits } from './frame-parts.js'

type Json = Readonly<Record<string, unknown>>

/** The bytes of a document, as slices in order. Throws `TYPE` or `SCHEMA`, with the path, for what is no document. */
export function encodeDocument(json: unknown): Uint8Array[] {
  if (!isObject(json)) throw notADocument('a JSON object expected')
  switch (json['kiln']) {
    case 'frames':
      return framesParts(json['frames'])
    case 'directory':
      return [json['exact'] === undefined ? encodeTensors(json) : exactDirectory(json)]
    case 'value': {
      const schema = schemaText(json['schema'])
      if (json['exact'] !== undefined) return [exactValue(json, schema)]
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
function exactDirectory(json: Json): Uint8Array {
  const bytes = at('exact', () => bytesOfHex(json['exact']))
  const said = decodeDocument(bytes, undefined, {}, { hex: hexOf })
  if (said.kiln !== 'directory') throw stale('kiln')
  checkSaid(json['tensors'], said.tensors, 'tensors')
  return bytes
}

function exactValue(json: Json, schema: Schema): Uint8Array {
  const bytes = at('exact', () => bytesOfHex(json['exact']))
  const said = decodeBareValue(bytes, schema, {}, { hex: hexOf })
  checkSaid(json['value'], said.kiln === 'value' ? said.value : undefined, 'value')
  return bytes
}

function exactFrame(json: Json, schema: Schema): Uint8Array {
  const bytes = at('exact', () => bytesOfHex(json['exact']))
  const { flags } = decodeFrame(bytes, schema)
  if (flags !== (json['flags'] ?? 1)) throw stale('flags')
  const said = decodeDocument(bytes, schema, {}, { hex: hexOf })
  const [frame] = said.kiln === 'frames' ? said.frames : []
  checkSaid(json['value'], frame?.value, 'value')
  return bytes
}

function checkSaid(json: unknown, said: unknown, path: string): void {
  const difference = plainDifference(json, said, path)
  if (difference !== undefined) throw stale(difference.path)
}

function stale(path: string): KilnError {
  return new KilnError('TYPE', `these bytes say something else at ${path}; take "exact" out to write the value anew`).within('exact')
}
