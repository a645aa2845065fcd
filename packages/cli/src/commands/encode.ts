import type { Command } from 'commander'
import { KilnError } from 'kiln-format'
import { encodeDocument } from '../document/encode.js'
import { labelOf } from '../input/label.js'
import { readText } from '../input/read-bytes.js'
import { openOutput, writingTo } from '../output/open-output.js'
import { inFile } from '../terminal/failure.js'
import type { Terminal } from '../terminal/terminal.js'
import { UsageError } from '../terminal/usage-error.js'
import { addCommand, type CommonOptions } from './define.js'

interface EncodeCommandOptions extends CommonOptions {
  readonly output?: string
}

export function registerEncode(program: Command, terminal: Terminal): void {
  addCommand(program, 'encode', {
    summary: 'make a Kiln file of the JSON that kiln decode writes',
    details: 'Bytes go to -o FILE, or to standard output. Checksums are computed anew.',
    examples: ['kiln encode request.json -o request.kiln', 'kiln decode a.kiln | kiln encode - | cmp - a.kiln'],
  })
    .argument('<file>', 'a JSON document, - for standard input')
    .option('-o, --output <file>', 'the file to write')
    .action(async (file: string, options: EncodeCommandOptions) => {
      if (options.json === true && (options.output ?? '-') === '-') throw new UsageError('--json reports on a file; name it with -o')
      const text = await readText(file, terminal)
      const parts = await inFile(labelOf(file), () => encodeDocument(parseJson(text)))
      const output = await openOutput(options.output, terminal, file === '-' ? [] : [file])
      const bytes = await writingTo(output, async (sink) => {
        let written = 0
        for (const part of parts) {
          await sink.write(part)
          written += part.length
        }
        return written
      })
      if (options.json === true) await terminal.json({ output: options.output, bytes })
    })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new KilnError('TYPE', `no JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}
