import type { ReadOptions } from 'kiln-format'
import type { GgufLimits } from '../gguf/read-head.js'
import type { Folder } from '../model.js'
import type { NpyLimits } from '../npy/header.js'
import type { NpzLimits } from '../npz/open.js'
import type { GraphLimits } from '../onnx/graph.js'
import type { SafetensorsLimits } from '../safetensors/read-file.js'
import type { TfjsLimits } from '../tfjs/options.js'

/** Caps by format; each that is left out has the default of its reader. `onnx` holds for single tensors too. */
export interface ForeignLimits {
  readonly safetensors?: Partial<SafetensorsLimits> | undefined
  readonly gguf?: Partial<GgufLimits> | undefined
  readonly npy?: Partial<NpyLimits> | undefined
  readonly npz?: Partial<NpzLimits> | undefined
  readonly onnx?: Partial<GraphLimits> | undefined
  readonly tfjs?: Partial<TfjsLimits> | undefined
}

/** Options of {@link openForeignFolder}. */
export interface FolderOptions extends ReadOptions {
  readonly limits?: ForeignLimits | undefined
}

/** Options of {@link openForeign}. */
export interface ForeignOptions extends FolderOptions {
  /** The file's name in `folder`. Default: the last part of the source's label. */
  readonly name?: string | undefined
  /** The folder that the file lies in: for sets, external data, and the files of weights. */
  readonly folder?: Folder | undefined
  /** Opens one file of a set by itself, as if it were all. Default false. */
  readonly alone?: boolean | undefined
  /** ONNX: also takes the initializers of graphs inside nodes (see `openOnnx`). Default false. */
  readonly subgraphs?: boolean | undefined
}
