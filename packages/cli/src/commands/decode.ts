import type { Command } from 'commander'
import { decodeBareValue, decodeDocument } from '../document/decode.js'
import { labelOf } from '../input/label.js'
import { readBytes } from '../input/read-bytes.js'
import { schemaOf } from '../input/schema-of.js'
import { inFile } from '../terminal/failure.js'
import { HexText } from '../terminal/json-text.js'
import type { Terminal } from '../terminal/terminal.js'
import { UsageError } from '../terminal/usage-error.js'
import { addCommand } from './define.js'

interface DecodeCommandOptions {
  readonly schema?: string
  readonly strict?: boolean
  readonly bare?: boolean
}

export function registerDecode(program: Command, terminal: Terminal): void {
  addCommand(program, 'decode', {
    summary: 'write a Kiln file as JSON, every bit of it',
    details:
      'The document goes to standard output and kiln encode makes the same bytes of it: 64-bit integers are decimal ' +
      'strings, floats their bits, bytes and lists of numbers hex digits, dicts arrays of pairs in stored order. ' +
      'With --schema, a file that is no Kiln file is read as one bare value.',
    examples: ['kiln decode request.kiln > request.json', 'kiln decode body.bin --schema "list<f32>"'],
  })
    .argument('<file>', 'a Kiln file, - for standard input')
    .option('--schema <schema>', 'schema text, or a file that has it: for frames without their own, else an earlier frame\'s is taken, and for a bare value')
    .option('--bare', 'the file is one bare value of --schema, even if it begins like a Kiln file')
    .option('--strict', 'refuse directories that are not canonical')
    .action(async (file: string, options: DecodeCommandOptions) => {
      const schema = options.schema === undefined ? undefined : await schemaOf(options.schema, terminal)
      if (options.bare === true && schema === undefined) throw new UsageError('--bare needs --schema')
      const bytes = await readBytes(file, terminal)
      const document = await inFile(labelOf(file), () => {
        const how = { strict: options.strict === true }
        const notation = { hex: (payload: Uint8Array) => new HexText(payload) }
        return options.bare === true ? decodeBareValue(bytes, schema!, how, notation) : decodeDocument(bytes, schema, how, notation)
      })
      await terminal.json(document)
    })
}
