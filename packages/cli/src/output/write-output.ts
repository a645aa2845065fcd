import { basename, dirname, join } from 'node:path'
import { lossesOf, writeGguf, writeGgufSet, writeNpy, writeNpz, writeSafetensors, writeSafetensorsShards, type Omission } from 'kiln-convert'
import { KilnError, writeDirectory, writeModel } from 'kiln-format'
import type { SourceFile } from 'kiln-format/node'
import type { AnyTensor } from '../input/model.js'
import type { Terminal } from '../terminal/terminal.js'
import type { OutputFormat } from './formats.js'
import { openFileSink, openOutput, writingTo } from './open-output.js'

/** What is written, and how. */
export interface OutputSettings {
  readonly path: string
  readonly format: OutputFormat
  /** Bytes of a file of a set at most; undefined for one file. Of safetensors and GGUF. */
  readonly shardSize: number | undefined
  /** Kiln: a bare directory instead of a model file. */
  readonly bare: boolean
  /** Kiln: where payloads of a bare directory lie. */
  readonly alignment: number | undefined
  /** Kiln: whether every payload gets a CRC-32. */
  readonly checksums: boolean
  /** NPY and NPZ: whether dtypes that numpy lacks are written as their bits. */
  readonly bits: boolean
  /** NPZ: whether members are deflated. */
  readonly deflate: boolean
}

/** A model that is to be written. */
export interface OutputModel {
  readonly tensors: readonly AnyTensor[]
  readonly metadata: ReadonlyMap<string, string>
}

/** What was written. */
export interface Written {
  /** One file, or those of a set with its index last; none for standard output. */
  readonly files: readonly string[]
  readonly bytes: number
}

/** What a file of this format has no place for, by name. */
export function outputLosses(model: OutputModel, { format, bare }: OutputSettings): Omission[] {
  if (format !== 'kiln') return lossesOf(model, format)
  if (!bare) return []
  return Array.from(model.metadata.keys(), (name) => ({ name, reason: 'a string of the metadata, which a bare directory has no place for' }))
}

/** Writes a model. A file appears whole or not at all, a set of files likewise; none of `sources` is written over. */
export async function writeOutput(
  model: OutputModel,
  settings: OutputSettings,
  sources: readonly SourceFile[],
  terminal: Terminal,
): Promise<Written> {
  if (settings.shardSize !== undefined) return writeSet(model, settings, settings.shardSize, sources)
  const output = await openOutput(settings.path, terminal, sources)
  const bytes = await writingTo(output, (sink): Promise<number> => {
    const { bits, deflate, checksums, alignment, bare } = settings
    switch (settings.format) {
      case 'kiln':
        return bare ? writeDirectory(sink, model.tensors, { checksums, alignment }) : writeModel(sink, model, { checksums })
      case 'safetensors':
        return writeSafetensors(model, sink)
      case 'gguf':
        return writeGguf(model, sink)
      case 'npz':
        return writeNpz(model, sink, { raw: bits, deflate })
      case 'npy':
        return writeNpy(onlyTensor(model), sink, { raw: bits })
    }
  })
  return { files: output.path === undefined ? [] : [output.path], bytes }
}

function onlyTensor({ tensors }: OutputModel): AnyTensor {
  const [tensor] = tensors
  if (tensor !== undefined && tensors.length === 1) return tensor
  throw new KilnError('TYPE', `an NPY file holds one tensor, there are ${tensors.length}; write an .npz, or take one out with kiln extract`)
}

/** A set of files beside each other, named after the output. */
async function writeSet(model: OutputModel, { path, format }: OutputSettings, shardSize: number, sources: readonly SourceFile[]): Promise<Written> {
  const folder = dirname(path)
  const options = { shardSize, name: basename(path).replace(/\.(?:safetensors(?:\.index\.json)?|gguf)$/i, '') }
  const openFile = (file: string): ReturnType<typeof openFileSink> => openFileSink(join(folder, file), sources)
  const inFolder = (files: readonly string[]): string[] => files.map((file) => join(folder, file))
  if (format === 'gguf') {
    const { files, bytes } = await writeGgufSet(model, openFile, options)
    return { files: inFolder(files), bytes }
  }
  const { files, index, bytes } = await writeSafetensorsShards(model, openFile, options)
  return { files: inFolder(index === undefined ? files : [...files, index]), bytes }
}
