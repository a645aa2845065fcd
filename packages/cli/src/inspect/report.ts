import type { ByteSource, Schema } from 'kiln-format'
import type { SourceFile } from 'kiln-format/node'
import { openKilnModel } from '../input/kiln-model.js'
import { readingAhead } from '../input/reading-ahead.js'
import { payloadBytes, type AnyModel, type AnyTensor } from '../input/model.js'
import { brief } from '../terminal/shape-text.js'
import { visible } from '../terminal/escape.js'
import type { Terminal } from '../terminal/terminal.js'
import { countText, counted, sizeText } from '../terminal/units.js'
import { omissionLines } from '../output/omissions.js'
import { frameHeaders } from './frames.js'
import { frameLines, frameRows, printFrames, type FrameRow } from './report-frames.js'
import { sha256Of, tensorRows, tensorTable, type TensorRow } from './tensor-rows.js'

export interface InspectSettings {
  /** What the file is called. */
  readonly file: string
  readonly json: boolean
  /** Whether payloads are read for their SHA-256. */
  readonly sha256: boolean
  /** For frames that bring none; without it, those that earlier frames brought. */
  readonly schema: Schema | undefined
}

const FORMATS: Readonly<Record<AnyModel['format'], string>> = {
  kiln: 'Kiln',
  safetensors: 'safetensors',
  gguf: 'GGUF',
  npy: 'NPY',
  npz: 'NPZ',
  onnx: 'ONNX',
  tensorproto: 'ONNX tensor',
  tfjs: 'TensorFlow.js weights',
}

/** Rows for all tensors, with SHA-256 and a progress line if asked for. */
async function rowsOf(model: AnyModel, settings: InspectSettings, terminal: Terminal): Promise<TensorRow[]> {
  const progress = terminal.progress('sha256', payloadBytes(model.tensors))
  const digest = settings.sha256 ? (tensor: AnyTensor): Promise<string> => sha256Of(tensor, progress.add) : undefined
  try {
    const rows: TensorRow[] = []
    for await (const row of tensorRows(model, digest)) rows.push(row)
    return rows
  } finally {
    progress.done()
  }
}

export async function inspectForeign(model: AnyModel, settings: InspectSettings, terminal: Terminal): Promise<void> {
  try {
    const rows = await rowsOf(model, settings, terminal)
    if (settings.json) await terminal.json(modelDocument(model, settings, rows, undefined))
    else await printModel(model, settings, rows, undefined, terminal)
  } finally {
    await model.close()
  }
}

/** A Kiln file: a directory or a frame with tensors in front as a model, any other frames by their fields. */
export async function inspectKiln(
  { source, files }: { readonly source: ByteSource; readonly files: readonly SourceFile[] },
  settings: InspectSettings,
  terminal: Terminal,
): Promise<void> {
  try {
    const ahead = readingAhead(source)
    const frame = await soleFrame(ahead, settings)
    if (frame === 'several') {
      await inspectFrames(ahead, settings, terminal)
      return
    }
    const model = await openKilnModel(settings.file, source, files, settings.schema)
    const rows = await rowsOf(model, settings, terminal)
    if (settings.json) await terminal.json(modelDocument(model, settings, rows, frame))
    else await printModel(model, settings, rows, frame, terminal)
  } finally {
    await source.close?.()
  }
}

/**
 * The only frame of a file if its value begins with tensors; undefined for a bare directory, and `several` for frames
 * that are shown by their fields.
 */
async function soleFrame(source: ByteSource, { schema }: InspectSettings): Promise<FrameRow | 'several' | undefined> {
  const magic = source.size < 4 ? '' : String.fromCharCode(...(await source.read(0, 4)))
  if (magic !== 'KILF') return undefined
  let first: FrameRow | undefined
  let count = 0
  for await (const header of frameHeaders(source)) {
    count++
    const own = header.schema
    if (count > 1 || own?.kind !== 'struct' || own.fields[own.names[0]!]!.kind !== 'tensors') return 'several'
  }
  for await (const row of frameRows(source, schema)) first = row
  return first ?? 'several'
}

async function inspectFrames(source: ByteSource, settings: InspectSettings, terminal: Terminal): Promise<void> {
  if (settings.json) {
    const frames: FrameRow[] = []
    for await (const frame of frameRows(source, settings.schema)) frames.push(frame)
    await terminal.json({ file: settings.file, format: 'kiln', bytes: source.size, frames })
    return
  }
  await terminal.line(visible(`${settings.file}: Kiln frames, ${sizeText(source.size)}`))
  await printFrames(source, settings.schema, terminal)
}

function modelDocument(model: AnyModel, { file }: InspectSettings, tensors: readonly TensorRow[], frame: FrameRow | undefined): object {
  return {
    file,
    format: model.format,
    ...(model.size === 0 ? {} : { bytes: model.size }),
    ...(frame === undefined ? {} : { schema: frame.schema, hash: frame.hash, flags: frame.flags, fields: frame.fields }),
    metadata: model.metadata,
    tensors,
    ...(model.omitted.length === 0 ? {} : { omitted: model.omitted }),
  }
}

async function printModel(
  model: AnyModel,
  { file }: InspectSettings,
  rows: readonly TensorRow[],
  frame: FrameRow | undefined,
  terminal: Terminal,
): Promise<void> {
  const size = model.size === 0 ? '' : `, ${sizeText(model.size)}`
  const kind = model.format === 'kiln' ? (frame === undefined ? 'directory' : 'frame') : 'file'
  await terminal.line(terminal.colours.bold(visible(`${file}: ${FORMATS[model.format]} ${kind}${size}`)))
  if (frame !== undefined) await terminal.lines(frameLines(frame))
  if (model.metadata.size > 0) await terminal.line(`metadata: ${counted(model.metadata.size, 'string')}`)
  await terminal.lines(Array.from(model.metadata, ([key, value]) => `  ${brief(key)}: ${brief(value)}`))
  await terminal.line(`tensors: ${countText(rows.length)}, ${sizeText(payloadBytes(model.tensors))} of payload`)
  if (rows.length > 0) await terminal.lines(tensorTable(rows))
  await terminal.lines(omissionLines(model.omitted))
}
