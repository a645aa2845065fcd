import type { TensorInfo } from 'kiln-format'
import type { ForeignModel, ForeignTensor, Omission } from 'kiln-convert'
import type { SourceFile } from 'kiln-format/node'

/** A tensor of a file of any format. What a Kiln file says beyond the others is in `kiln`. */
export interface AnyTensor extends ForeignTensor {
  /** Whether a Kiln writer stores its CRC-32: set for tensors that had one. */
  readonly checksum?: boolean
  readonly kiln?: Pick<TensorInfo, 'scheme' | 'axis' | 'groupSize' | 'checksum'> & {
    /** Where the payload begins, in bytes from the start of the file. */
    readonly offset: number
  }
}

/** A file, or a set of files, of any format, seen in one way. */
export interface AnyModel {
  /** As it was given. */
  readonly input: string
  readonly format: 'kiln' | ForeignModel['format']
  /** Bytes of the file that was named. */
  readonly size: number
  /** In the order of the file. */
  readonly tensors: readonly AnyTensor[]
  readonly metadata: ReadonlyMap<string, string>
  /** What neither tensors nor metadata hold, and why. */
  readonly omitted: readonly Omission[]
  /** Files of this machine that are read; they are never written over. */
  readonly files: readonly SourceFile[]
  close(): Promise<void>
}

/** The tensor that a link means: by its name, or by its place. */
export function linkedTensor(model: Pick<AnyModel, 'tensors'>, link: string | number): AnyTensor | undefined {
  return typeof link === 'number' ? model.tensors[link] : model.tensors.find(({ name }) => name === link)
}

/** Bytes of all payloads. */
export function payloadBytes(tensors: readonly { readonly byteLength: number }[]): number {
  return tensors.reduce((sum, { byteLength }) => sum + byteLength, 0)
}
