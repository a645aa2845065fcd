import { extname } from 'node:path'
import type { Command } from 'commander'
import { writeNpy } from 'kiln-convert'
import type { ByteSink } from 'kiln-format'
import { labelOf } from '../input/label.js'
import { openModel } from '../input/open-any.js'
import type { AnyTensor } from '../input/model.js'
import { tensorNamed } from '../input/payload.js'
import { openOutput, writingTo } from '../output/open-output.js'
import { inFile } from '../terminal/failure.js'
import type { Terminal } from '../terminal/terminal.js'
import { UsageError } from '../terminal/usage-error.js'
import { addCommand, type CommonOptions } from './define.js'
import { inputOptions, openOptionsOf, type InputOptions } from './input-options.js'

interface ExtractOptions extends CommonOptions, InputOptions {
  readonly output?: string
  readonly format?: string
  readonly bits?: boolean
}

export function registerExtract(program: Command, terminal: Terminal): void {
  const command = addCommand(program, 'extract', {
    summary: 'take one tensor out of a file of any format',
    details:
      'Writes its payload as Kiln stores it (little-endian, row-major, narrow dtypes packed), or an NPY file where -o ends ' +
      'with .npy. Only this tensor is read.',
    examples: ['kiln extract model.kiln layers.0.weight -o weight.npy', 'kiln extract model.gguf token_embd.weight > weight.bin'],
  })
    .argument('<file>', 'a file of any format, a URL, or - for standard input')
    .argument('<name>', 'the tensor, by its name or as #PLACE')
    .option('-o, --output <file>', 'the file to write; else standard output')
    .option('--format <format>', 'raw or npy; default by the name of the output')
    .option('--bits', 'write dtypes that numpy lacks (bf16, f8, packed ones) as their bits, unsigned integers')
  inputOptions(command).action(async (file: string, name: string, options: ExtractOptions) => {
    const format = formatOf(options)
    if (options.json === true && (options.output ?? '-') === '-') throw new UsageError('--json reports on a file; name it with -o')
    const model = await openModel(file, terminal, openOptionsOf(options))
    try {
      const tensor = await inFile(labelOf(file), () => tensorNamed(model, name))
      const output = await openOutput(options.output, terminal, model.files)
      const bytes = await inFile(labelOf(file), () =>
        writingTo(output, (sink) => (format === 'npy' ? writeNpy(tensor, sink, { raw: options.bits === true }) : writeRaw(tensor, sink))))
      if (options.json !== true) return
      const { dtype, shape } = tensor
      await terminal.json({ output: options.output, format, name: tensor.name, dtype, shape, bytes })
    } finally {
      await model.close()
    }
  })
}

function formatOf({ format, output }: ExtractOptions): 'raw' | 'npy' {
  const wanted = format ?? (extname(output ?? '').toLowerCase() === '.npy' ? 'npy' : 'raw')
  if (wanted === 'raw' || wanted === 'npy') return wanted
  throw new UsageError(`--format is raw or npy, not "${wanted}"; kiln convert writes whole files`)
}

async function writeRaw(tensor: AnyTensor, sink: ByteSink): Promise<number> {
  for await (const piece of tensor.chunks()) await sink.write(piece)
  return tensor.byteLength
}
