import type { Command } from 'commander'
import { verifySource, type ByteSource, type Schema } from 'kiln-format'
import type { SourceFile } from 'kiln-format/node'
import { labelOf } from '../input/label.js'
import { payloadBytes, type AnyModel } from '../input/model.js'
import { openAny } from '../input/open-any.js'
import { readingAhead } from '../input/reading-ahead.js'
import { schemaOf } from '../input/schema-of.js'
import { openOutput, writingTo } from '../output/open-output.js'
import { failureText, failureOf, inFile } from '../terminal/failure.js'
import { visible } from '../terminal/escape.js'
import type { Terminal } from '../terminal/terminal.js'
import { UsageError } from '../terminal/usage-error.js'
import { counted, sizeText } from '../terminal/units.js'
import { copyFront, wholeFrames } from '../verify/whole-frames.js'
import { addCommand, type CommonOptions } from './define.js'
import { inputOptions, openOptionsOf, type InputOptions } from './input-options.js'

interface VerifyOptions extends CommonOptions, InputOptions {
  readonly strict?: boolean
  readonly schema?: string
  readonly repair?: boolean
  readonly output?: string
}

/** What was found whole. */
interface Verdict {
  readonly format: string
  readonly frames?: number
  readonly tensors: number
  readonly checksums?: number
  readonly bytes?: number
}

export function registerVerify(program: Command, terminal: Terminal): void {
  const command = addCommand(program, 'verify', {
    summary: 'check a whole file: structure, gaps, and every checksum',
    details:
      'The first fault is told, and the exit code is 1. Memory does not grow with the file. A file of another format is read to ' +
      'its end. --repair writes the whole frames at the front of a file of frames to -o: what is left of a log whose writer was cut off.',
    examples: ['kiln verify model.kiln', 'kiln verify --repair log.kiln -o whole.kiln'],
  })
    .argument('<file>', 'a file, a URL, or - for standard input')
    .option('--strict', 'refuse directories that are valid but not canonical')
    .option('--schema <schema>', 'schema text or a file, for frames that bring none; else an earlier frame\'s is taken')
    .option('--repair', 'keep the whole frames, and write them to -o')
    .option('-o, --output <file>', 'with --repair: the file to write')
  inputOptions(command).action(async (file: string, options: VerifyOptions) => {
    if (options.repair === true && options.output === undefined) throw new UsageError('--repair writes a new file; name it with -o')
    if (options.repair !== true && options.output !== undefined) throw new UsageError('-o is of --repair')
    const schema = options.schema === undefined ? undefined : await schemaOf(options.schema, terminal)
    const opened = await openAny(file, terminal, openOptionsOf(options))
    await inFile(labelOf(file), async () => {
      if (opened.kind === 'foreign') {
        if (options.repair === true) {
          await opened.model.close()
          throw new UsageError('--repair is of Kiln files')
        }
        await report(file, await readAll(opened.model, terminal), options, terminal)
        return
      }
      try {
        if (options.output !== undefined) await repair(file, opened, options.output, options, terminal)
        else await report(file, await verified(opened.source, schema, options, terminal), options, terminal)
      } finally {
        await opened.source.close?.()
      }
    })
  })
}

async function verified(source: ByteSource, schema: Schema | undefined, { strict }: VerifyOptions, terminal: Terminal): Promise<Verdict> {
  const progress = terminal.progress('verify', source.size)
  let before = 0
  try {
    const { kind, frames, tensors, checksums, size } = await verifySource(readingAhead(source), {
      strict: strict === true,
      schemas: schema ?? 'inherit',
      onProgress(passed) {
        progress.add(passed - before)
        before = passed
      },
    })
    return { format: 'kiln', ...(kind === 'frames' ? { frames } : {}), tensors, checksums, bytes: size }
  } finally {
    progress.done()
  }
}

async function readAll(model: AnyModel, terminal: Terminal): Promise<Verdict> {
  const progress = terminal.progress('verify', payloadBytes(model.tensors))
  try {
    for (const tensor of model.tensors) for await (const piece of tensor.chunks()) progress.add(piece.length)
    return { format: model.format, tensors: model.tensors.length, ...(model.size === 0 ? {} : { bytes: model.size }) }
  } finally {
    progress.done()
    await model.close()
  }
}

async function report(file: string, verdict: Verdict, { json }: VerifyOptions, terminal: Terminal): Promise<void> {
  if (json === true) {
    await terminal.json({ file: labelOf(file), good: true, ...verdict })
    return
  }
  const { frames, tensors, checksums, bytes } = verdict
  const parts = [
    ...(frames === undefined ? [] : [counted(frames, 'frame')]),
    counted(tensors, 'tensor'),
    ...(checksums === undefined ? [] : [`${counted(checksums, 'checksum')} compared`]),
    ...(bytes === undefined ? [] : [sizeText(bytes)]),
  ]
  await terminal.line(visible(`${labelOf(file)}: good: ${parts.join(', ')}`))
}

async function repair(
  file: string,
  { source, files }: { readonly source: ByteSource; readonly files: readonly SourceFile[] },
  path: string,
  { json }: VerifyOptions,
  terminal: Terminal,
): Promise<void> {
  const progress = terminal.progress('repair', source.size)
  const { frames, length, fault } = await wholeFrames(source, progress.add).finally(progress.done)
  await writingTo(await openOutput(path, terminal, files), (sink) => copyFront(source, length, sink))
  const dropped = source.size - length
  const reason = fault === undefined ? undefined : failureOf(fault)
  if (json === true) {
    await terminal.json({ file: labelOf(file), output: path, frames, bytes: length, dropped_bytes: dropped, ...(reason === undefined ? {} : { fault: reason }) })
    return
  }
  if (reason !== undefined) await terminal.note(failureText(reason))
  const rest = dropped === 0 ? 'nothing was torn' : `${counted(dropped, 'byte')} behind are left out`
  await terminal.line(visible(`${path}: ${counted(frames, 'whole frame')}, ${sizeText(length)}; ${rest}`))
}
