import type { Command } from 'commander'
import { openAny } from '../input/open-any.js'
import { labelOf } from '../input/label.js'
import { schemaOf } from '../input/schema-of.js'
import { inspectForeign, inspectKiln, type InspectSettings } from '../inspect/report.js'
import { inFile } from '../terminal/failure.js'
import type { Terminal } from '../terminal/terminal.js'
import { UsageError } from '../terminal/usage-error.js'
import { addCommand, type CommonOptions } from './define.js'
import { inputOptions, openOptionsOf, type InputOptions } from './input-options.js'

interface InspectOptions extends CommonOptions, InputOptions {
  readonly sha256?: boolean
  readonly schema?: string
  readonly bytes?: boolean
  readonly rules?: boolean
}

export function registerInspect(program: Command, terminal: Terminal): void {
  const command = addCommand(program, 'inspect', {
    summary: 'show what is in a file',
    details:
      'FILE is a Kiln file or one of its neighbours (safetensors, GGUF, NPY, NPZ, ONNX, a TensorProto, TensorFlow.js weights), ' +
      'known by its content: a path, a folder, a URL, or - for standard input. A file of a set shows the whole set. ' +
      'Only headers are read, unless --sha256 asks for payloads.',
    examples: ['kiln inspect model.kiln', 'kiln inspect --json --sha256 model.safetensors', 'kiln inspect --bytes request.kiln'],
  })
    .argument('<file>', 'a file, a folder, a URL, or - for standard input')
    .option('--sha256', 'the SHA-256 of each payload, as Kiln stores it')
    .option('--bytes', 'Kiln: what every byte is, instead; of a bad file up to its fault')
    .option('--rules', 'with --bytes: the rule of the format that each follows')
    .option('--schema <schema>', 'schema text or a file, for frames that bring none; else an earlier frame\'s is taken')
  inputOptions(command).action(async (file: string, options: InspectOptions) => {
    const settings: InspectSettings = {
      file: labelOf(file),
      json: options.json === true,
      sha256: options.sha256 === true,
      schema: options.schema === undefined ? undefined : await schemaOf(options.schema, terminal),
    }
    const opened = await openAny(file, terminal, openOptionsOf(options))
    await inFile(labelOf(file), async () => {
      if (opened.kind === 'foreign') {
        if (options.bytes === true) {
          await opened.model.close()
          throw new UsageError('--bytes is of Kiln files')
        }
        await inspectForeign(opened.model, settings, terminal)
      } else if (options.bytes === true) {
        const { inspectBytes } = await import('../inspect/report-bytes.js')
        await inspectBytes(opened.source, settings, options.rules === true, terminal)
      } else await inspectKiln(opened, settings, terminal)
    })
  })
}
