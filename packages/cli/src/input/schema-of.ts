import { stat } from 'node:fs/promises'
import { formatHash, KilnError, parseSchema, readFrameHeader, type Schema } from 'kiln-format'
import { inFile } from '../terminal/failure.js'
import type { Terminal } from '../terminal/terminal.js'
import { labelOf } from './label.js'
import { readBytes, textOf } from './read-bytes.js'

const MAGIC_FRAME = 'KILF'
const MAGIC_DIRECTORY = 'KILT'
// The longest header of a frame, and as much of people's schema text as can be valid: what is read of a file.
const LONGEST_HEADER = 65_600

/** What begins as schema text does is text; a file of such a name is reached as `./name`. */
const TEXT = /^\s*(?:(?:struct\s*\{|(?:list|dict|option)\s*<)|(?:bool|[iu](?:8|16|32|64)|b?f16|f32|f64|string|bytes|tensors)\s*$)/

/**
 * The schema that an argument means: schema text itself, a file with schema text, a file of frames (the first frame's
 * own schema), or `-` for standard input.
 */
export async function schemaOf(argument: string, terminal: Terminal): Promise<Schema> {
  if (TEXT.test(argument)) return parseSchema(argument)
  // A slip in a schema's first word is a fault of the text, not a missing file.
  if (argument !== '-' && /[{<,:]/.test(argument) && !(await exists(argument))) return parseSchema(argument)
  return inFile(labelOf(argument), async () => {
    const front = await readBytes(argument, terminal, LONGEST_HEADER)
    return broughtSchema(front) ?? parseSchema(textOf(front))
  })
}

/** The schema that the first frame of a Kiln file brings; undefined of what is no Kiln file. */
export function broughtSchema(front: Uint8Array): Schema | undefined {
  const magic = new TextDecoder('latin1').decode(front.subarray(0, 4))
  if (magic === MAGIC_DIRECTORY) throw new KilnError('SCHEMA', 'a bare tensor directory has no schema of its own; its type is "tensors"')
  if (magic !== MAGIC_FRAME) return undefined
  const { schema, hash } = readFrameHeader(front)
  if (schema === undefined) throw new KilnError('SCHEMA', `the frame brings no schema, only the hash ${formatHash(hash)}; give its schema text`)
  return schema
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(() => true, () => false)
}
