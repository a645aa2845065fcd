import type { ByteSource, DtypeName, KilnErrorCode, ReadOptions, Scheme } from 'kiln-format'

/** A tensor of whichever format, its payload read when asked for. */
export interface ViewTensor {
  /** Where it stands in the file's list. */
  readonly index: number
  /** Empty for an unnamed tensor. */
  readonly name: string
  readonly dtype: DtypeName
  /** Outermost first. */
  readonly shape: readonly number[]
  readonly elements: number
  /** Bytes of the payload, as Kiln stores it. */
  readonly byteLength: number
  /** Where the payload begins in the file; undefined where the format keeps it in another form. */
  readonly fileOffset: number | undefined
  /** Where the descriptor begins in the file; of Kiln files only. */
  readonly descriptorOffset?: number | undefined
  readonly scheme: Scheme
  readonly axis: number | undefined
  readonly groupSize: number
  /** Indexes in the file's list. */
  readonly scale: number | undefined
  readonly outer: number | undefined
  readonly checksum: number | undefined
  /** The payload from its front on, in pieces of bounded size. */
  chunks(options?: ReadOptions): AsyncIterable<Uint8Array>
  /** Some bytes of the payload; undefined where only `chunks` gives them. */
  readonly read?: ((offset: number, length: number, options?: ReadOptions) => Promise<Uint8Array>) | undefined
}

/** The tensors of a file. Lists of a hundred thousand are made of columns; the objects are made when looked at. */
export interface TensorList {
  readonly length: number
  readonly names: readonly string[]
  at(index: number): ViewTensor
  indexOf(name: string): number
}

/** A check that failed: why the file, or the rest of it, can't be shown. */
export interface Fault {
  readonly code: KilnErrorCode | undefined
  /** What was wrong and what to do. */
  readonly detail: string
  readonly path: string
  readonly byte: number | undefined
  /** The rule of the format, where it is one of Kiln's own. */
  readonly rule: string | undefined
}

export interface FrameSummary {
  readonly offset: number
  readonly length: number
  /** Schema text, or undefined if the frame brings none. */
  readonly schema: string | undefined
}

/** A file that is open. */
export interface OpenedFile {
  readonly name: string
  readonly size: number
  /** In words: `Kiln model file`, `safetensors`. */
  readonly kind: string
  /** Whether the file is Kiln's own, so that each byte of it can be told. */
  readonly kiln: boolean
  readonly source: ByteSource
  readonly tensors: TensorList
  readonly metadata: ReadonlyMap<string, string>
  /** The frames of a Kiln file; none of a bare directory. */
  readonly frames: readonly FrameSummary[]
  /** What of a file of another format is not shown, and why. */
  readonly omitted: readonly { readonly name: string; readonly reason: string }[]
  /** What was checked, in words. */
  readonly checked: readonly string[]
  readonly fault: Fault | undefined
  close(): Promise<void>
}
