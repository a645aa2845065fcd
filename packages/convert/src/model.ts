import type { ByteSource, DtypeName, ReadOptions, TensorOptions } from 'kiln-format'

/**
 * A tensor of a file: described now, its payload read when asked for. It is also what Kiln's own writers of
 * files take, and what the writers of other formats do, so a tensor of a Kiln file may have links to its scales
 * (`scale`, `outer`, `axis`, `groupSize`, FORMAT §5); no other format gives any.
 */
export interface ForeignTensor extends Pick<TensorOptions, 'scale' | 'outer' | 'axis' | 'groupSize'> {
  readonly name: string
  readonly dtype: DtypeName
  /** Outermost dimension first, row-major. */
  readonly shape: readonly number[]
  /** Bytes of the payload as Kiln stores it; exactly what dtype and shape need. */
  readonly byteLength: number
  /**
   * The payload as Kiln stores it: little-endian, row-major, narrow dtypes packed from the low bits
   * up. Pieces are of bounded size (1 MiB or so), never empty, and valid until the next is asked for.
   */
  chunks(options?: ReadOptions): AsyncIterable<Uint8Array>
  /**
   * Some bytes of that payload, where the file has it as Kiln does; else it is left out, and only `chunks` gives the
   * payload. What comes back may borrow the source's memory; a range beyond the payload is `EOF`.
   */
  readonly read?: ((offset: number, length: number, options?: ReadOptions) => Promise<Uint8Array>) | undefined
}

/** Something of the file that can't be carried into a Kiln file, and why. */
export interface Omission {
  readonly name: string
  readonly reason: string
}

/** A file, or a set of files, of another format. */
export interface ForeignModel {
  readonly format: 'safetensors' | 'gguf' | 'npy' | 'npz' | 'onnx' | 'tensorproto' | 'tfjs'
  /** In the order of the file. */
  readonly tensors: readonly ForeignTensor[]
  /** For a model file's `dict<string,string>`: strings as they are, all else so that the way back restores it. */
  readonly metadata: ReadonlyMap<string, string>
  /** What the tensors and metadata don't hold. */
  readonly omitted: readonly Omission[]
  /** Lets go of the sources that this model opened by itself (shards, external data). */
  close(): Promise<void>
}

/** What writers of other formats take: any ForeignModel, or tensors and strings put together by the caller. */
export interface WritableModel {
  readonly tensors: readonly ForeignTensor[]
  readonly metadata?: ReadonlyMap<string, string> | undefined
}

/**
 * The folder that a set of files lies in. Names reach it only through `plainName`, so they can't
 * climb out; an implementation over a real file system also refuses links that lead out.
 */
export interface Folder {
  /** Opens a file of the folder; a missing one is a KilnError `EOF` that names it. */
  open(name: string, options?: ReadOptions): Promise<ByteSource>
  /** The names of the plain files in the folder, where it can be listed. */
  list?(): Promise<readonly string[]>
}
