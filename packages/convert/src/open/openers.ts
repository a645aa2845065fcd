import { KilnError, type ByteSource } from 'kiln-format'
import { openGguf } from '../gguf/open.js'
import { openGgufSet } from '../gguf/open-set.js'
import type { Folder, ForeignModel } from '../model.js'
import { openNpy } from '../npy/open.js'
import { openNpz } from '../npz/open.js'
import { openOnnx } from '../onnx/open.js'
import { openTensorProto } from '../onnx/open-tensor-proto.js'
import { openSafetensors } from '../safetensors/open.js'
import { openSafetensorsSet } from '../safetensors/open-set.js'
import { parseShardName } from '../safetensors/shard-names.js'
import type { FileKind, FileKindName } from '../sniff/kinds.js'
import { quoted } from '../text/quoted.js'
import { openTfjs } from '../tfjs/open.js'
import type { ForeignLimits, ForeignOptions } from './options.js'

/** A file that is to be opened: what it is, and its own name. */
export interface Opening {
  readonly source: ByteSource
  readonly name: string
  readonly options: ForeignOptions
}

type Opener = (opening: Opening) => Promise<ForeignModel>

/** How each kind is opened; a kind that is not here can't be. */
const OPENERS: Readonly<Partial<Record<FileKindName, Opener>>> = {
  safetensors: openSafetensorsFile,
  'safetensors-index': async ({ name, options }) => {
    const folder = folderFor(options, 'the index of a set holds no tensors')
    return openSafetensorsSet(folder, name, capped(options, 'safetensors'))
  },
  gguf: async ({ source, name, options }) => {
    const own = capped(options, 'gguf')
    // The source may be one of a set by what it says inside; openGguf then says so and what to do.
    return options.folder !== undefined && options.alone !== true && /-of-\d+\.gguf$/i.test(name)
      ? openGgufSet(options.folder, name, own)
      : openGguf(source, { ...own, alone: options.alone })
  },
  npy: ({ source, options }) => openNpy(source, capped(options, 'npy')),
  npz: ({ source, options }) => openNpz(source, capped(options, 'npz')),
  // One whose first member tells nothing; the reader says which members are no arrays.
  zip: ({ source, options }) => openNpz(source, capped(options, 'npz')),
  onnx: ({ source, options }) =>
    openOnnx(source, options.folder, { ...capped(options, 'onnx'), subgraphs: options.subgraphs }),
  tensorproto: ({ source, options }) => openTensorProto(source, options.folder, capped(options, 'onnx')),
  tfjs: async ({ source, options }) =>
    openTfjs(source, folderFor(options, 'its weights are in files beside it'), capped(options, 'tfjs')),
}

/** What to try for a file whose content tells nothing, so that the error is of the format that its name gives. */
const BY_EXTENSION: Readonly<Record<string, FileKindName>> = {
  safetensors: 'safetensors',
  gguf: 'gguf',
  npy: 'npy',
  npz: 'npz',
  onnx: 'onnx',
  pb: 'tensorproto',
}

/** How to open a file of this kind and name, or undefined where that is not possible. */
export function openerFor(kind: FileKind, name: string): Opener | undefined {
  if (kind.name !== 'unknown') return OPENERS[kind.name]
  const extension = /\.([^./\\]*)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  const named = Object.hasOwn(BY_EXTENSION, extension) ? BY_EXTENSION[extension] : undefined
  return named === undefined ? undefined : OPENERS[named]
}

/** The caps of one format, and the signal. */
function capped<F extends keyof ForeignLimits>(
  options: ForeignOptions,
  format: F,
): { signal: ForeignOptions['signal']; limits: ForeignLimits[F] } {
  return { signal: options.signal, limits: options.limits?.[format] }
}

function folderFor({ folder }: ForeignOptions, why: string): Folder {
  if (folder !== undefined) return folder
  throw new KilnError('EOF', `${why}; give its folder too`)
}

async function openSafetensorsFile({ source, name, options }: Opening): Promise<ForeignModel> {
  const own = capped(options, 'safetensors')
  const shard = options.alone === true ? undefined : parseShardName(name)
  if (shard !== undefined && shard.of > 1) {
    if (options.folder !== undefined) return openSafetensorsSet(options.folder, name, own)
    throw new KilnError(
      'TYPE',
      `${quoted(name)} is one of the ${shard.of} files of a set: give its folder, or open it with the option alone`,
    )
  }
  return openSafetensors(source, own)
}
