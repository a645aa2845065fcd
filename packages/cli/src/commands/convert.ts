import type { Command } from 'commander'
import type { Omission } from 'kiln-convert'
import { labelOf } from '../input/label.js'
import { joinedModel } from '../input/joined-model.js'
import { payloadBytes, type AnyModel, type AnyTensor } from '../input/model.js'
import { openModel } from '../input/open-any.js'
import { outputFormat } from '../output/formats.js'
import { omissionLines } from '../output/omissions.js'
import { outputLosses, writeOutput, type OutputSettings, type Written } from '../output/write-output.js'
import { inFile } from '../terminal/failure.js'
import type { Progress } from '../terminal/progress.js'
import { visible } from '../terminal/escape.js'
import type { Terminal } from '../terminal/terminal.js'
import { UsageError } from '../terminal/usage-error.js'
import { counted, countText, parseSize, sizeText } from '../terminal/units.js'
import { addCommand, type CommonOptions } from './define.js'
import { inputOptions, openOptionsOf, type InputOptions } from './input-options.js'
import { numericOptions, numericSettings, type NumericOptions } from './numeric-options.js'

interface ConvertOptions extends CommonOptions, InputOptions, NumericOptions {
  readonly output?: string
  readonly to?: string
  readonly shardSize?: string
  readonly bare?: boolean
  readonly alignment?: string
  readonly checksums?: boolean
  readonly bits?: boolean
  readonly deflate?: boolean
  readonly quiet?: boolean
}

// What the index of a set is written with where no size is said, as is usual for such sets.
const DEFAULT_SHARD = 5e9

export function registerConvert(program: Command, terminal: Terminal): void {
  const command = addCommand(program, 'convert', {
    summary: 'turn files of one format into another, every bit kept',
    details:
      'Reads safetensors (one file, an index, any shard or a folder), GGUF (split sets too), NPY, NPZ, ONNX with its external data, ' +
      'a TensorProto, TensorFlow.js weights and Kiln; writes Kiln, safetensors, GGUF, NPY and NPZ, by the name of OUT. Several ' +
      'inputs become one file. What can\'t be carried is reported by name. Nothing is widened or rounded unless --dtype or ' +
      '--quantize asks for it.',
    examples: [
      'kiln convert model.safetensors model.kiln',
      'kiln convert model.kiln out/model.safetensors --shard-size 2GiB',
      'kiln convert model.kiln small.kiln --quantize mxfp4',
    ],
  })
    .usage('[options] <in...> <out>')
    .argument('<files...>', 'inputs (files, folders, URLs, - for standard input), and last the output')
    .option('-o, --output <path>', 'where to write; then all arguments are inputs')
    .option('--to <format>', 'kiln, safetensors, gguf, npy or npz; default by the name of the output')
    .option('--shard-size <size>', 'safetensors, GGUF: a set of files of at most this size, such as 2GiB')
    .option('--bare', 'Kiln: a bare directory, without metadata')
    .option('--alignment <bytes>', 'Kiln, with --bare: where payloads lie, such as 4096')
    .option('--checksums', 'Kiln: a CRC-32 for every payload')
    .option('--bits', 'NPY, NPZ: write dtypes that numpy lacks as their bits, unsigned integers')
    .option('--deflate', 'NPZ: compress the members')
    .option('-q, --quiet', 'no progress and no remarks')
  inputOptions(command)
  numericOptions(command)
  command.action(async (files: string[], options: ConvertOptions) => {
    const path = options.output ?? files.at(-1)!
    const inputs = options.output === undefined ? files.slice(0, -1) : files
    if (inputs.length === 0) throw new UsageError('an output is missing: kiln convert IN… OUT')
    if (inputs.filter((input) => input === '-').length > 1) throw new UsageError('only one input can be standard input')
    if (path === '-' && options.json === true) throw new UsageError('--json reports on standard output, where the file would go; name an output')
    const settings = outputSettings(path, options)
    const numeric = numericSettings(options)
    const model = await openInputs(inputs, options, terminal)
    try {
      const label = inputs.map(labelOf).join(', ')
      const { tensors, changed } = await inFile(label, () => numeric(model))
      const output = { tensors, metadata: model.metadata }
      const omitted = [...model.omitted, ...outputLosses(output, settings)]
      const progress = options.quiet === true ? undefined : terminal.progress('convert', payloadBytes(tensors))
      let written: Written
      try {
        written = await inFile(label, () => writeOutput({ ...output, tensors: observed(tensors, progress) }, settings, model.files, terminal))
      } finally {
        progress?.done()
      }
      await report({ inputs, settings, written, tensors, changed, omitted }, options, terminal)
    } finally {
      await model.close()
    }
  })
}

function outputSettings(path: string, options: ConvertOptions): OutputSettings {
  const format = outputFormat(path, options.to)
  const only = (given: unknown, option: string, formats: readonly string[]): void => {
    if (given !== undefined && !formats.includes(format)) throw new UsageError(`${option} is of ${formats.join(' and ')}, not of ${format}`)
  }
  only(options.shardSize, '--shard-size', ['safetensors', 'gguf'])
  only(options.bare, '--bare', ['kiln'])
  only(options.checksums, '--checksums', ['kiln'])
  only(options.bits, '--bits', ['npy', 'npz'])
  only(options.deflate, '--deflate', ['npz'])
  if (options.alignment !== undefined && options.bare !== true) throw new UsageError('--alignment is of a bare directory; say --bare too')
  if (options.shardSize !== undefined && path === '-') throw new UsageError('a set of files does not go to standard output; name a file')
  const shardSize = options.shardSize === undefined ? undefined : parseSize(options.shardSize)
  return {
    path,
    format,
    shardSize: shardSize ?? (path.endsWith('.index.json') ? DEFAULT_SHARD : undefined),
    bare: options.bare === true,
    alignment: options.alignment === undefined ? undefined : parseSize(options.alignment),
    checksums: options.checksums === true,
    bits: options.bits === true,
    deflate: options.deflate === true,
  }
}

async function openInputs(inputs: readonly string[], options: ConvertOptions, terminal: Terminal): Promise<AnyModel> {
  const models: AnyModel[] = []
  try {
    for (const input of inputs) {
      models.push(await openModel(input, terminal, openOptionsOf(options)))
    }
    return joinedModel(models)
  } catch (error) {
    for (const model of models) await model.close()
    throw error
  }
}

function observed(tensors: readonly AnyTensor[], progress: Progress | undefined): readonly AnyTensor[] {
  if (progress === undefined) return tensors
  return tensors.map((tensor) => ({
    ...tensor,
    async *chunks(options) {
      for await (const piece of tensor.chunks(options)) {
        progress.add(piece.length)
        yield piece
      }
    },
  }))
}

interface Conversion {
  readonly inputs: readonly string[]
  readonly settings: OutputSettings
  readonly written: Written
  readonly tensors: readonly AnyTensor[]
  readonly changed: readonly string[]
  readonly omitted: readonly Omission[]
}

async function report({ inputs, settings, written, tensors, changed, omitted }: Conversion, options: ConvertOptions, terminal: Terminal): Promise<void> {
  if (options.quiet !== true) for (const line of omissionLines(omitted)) await terminal.note(line)
  if (options.json === true) {
    const { files, bytes } = written
    await terminal.json({ inputs: inputs.map(labelOf), outputs: files, format: settings.format, tensors: tensors.length, bytes, changed, omitted })
    return
  }
  if (settings.path === '-' || options.quiet === true) return
  const files = written.files.length === 1 ? written.files[0]! : `${written.files.length} files, ${written.files.at(-1)} last`
  const numbers = changed.length === 0 ? '' : `, ${countText(changed.length)} of them ${options.quantize ?? options.dtype}`
  await terminal.line(visible(`${files}: ${counted(tensors.length, 'tensor')}${numbers}, ${sizeText(written.bytes)}`))
}
