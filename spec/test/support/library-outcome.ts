import {
  decode,
  decodeFrame,
  encode,
  encodeDirectory,
  encodeFrame,
  formatHash,
  isKilnError,
  parseSchema,
  readDirectory,
  verifyDirectory,
  type Schema,
} from 'kiln-format'
import type { Outcome, ReadCase } from '../../reference/run-case.js'
import { bytesOf, hexOf, tensorsToCase, toCase } from './library-values.js'

/** What the library makes of a case, in the same words as the reference's `outcomeOf`. */
export function libraryOutcome(entry: ReadCase): Outcome {
  let outcome: Outcome = {}
  const error = codeOf(() => {
    outcome = valueOf(entry)
  })
  return error === 'ok' ? outcome : { error }
}

function valueOf(entry: ReadCase): Outcome {
  const options = entry.caps === undefined ? {} : { limits: entry.caps }
  switch (entry.kind) {
    case 'schema': {
      const schema = parseSchema(entry.text!) as Schema
      return { canonical: schema.text, hash: formatHash(schema.hash) }
    }
    case 'frozen': {
      const schema = parseSchema(entry.schema!) as Schema
      const value = decode(schema, bytesOf(entry.hex!), options)
      return { value: toCase(schema, value), rewritten: hexOf(encode(schema, value as never)) }
    }
    case 'directory': {
      const bytes = bytesOf(entry.hex!)
      const directory = readDirectory(bytes, options)
      return {
        value: tensorsToCase(directory),
        strict: codeOf(() => readDirectory(bytes, { ...options, strict: true })),
        verify: codeOf(() => verifyDirectory(bytes, options)),
        rewritten: hexOf(encodeDirectory(directory)),
      }
    }
    case 'frame': {
      const bytes = bytesOf(entry.hex!)
      const frame =
        typeof entry.schema === 'string'
          ? decodeFrame(bytes, parseSchema(entry.schema) as Schema, options)
          : decodeFrame(bytes, undefined, options)
      return {
        value: toCase(frame.schema, frame.value),
        flags: frame.flags,
        rewritten: hexOf(
          encodeFrame(frame.schema, frame.value as never, {
            schema: frame.flags % 2 === 1,
            checksum: frame.flags >= 2,
          }),
        ),
      }
    }
  }
}

function codeOf(act: () => void): string {
  try {
    act()
    return 'ok'
  } catch (error) {
    if (isKilnError(error)) return error.code
    throw error
  }
}
