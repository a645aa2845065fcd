import { KilnError } from 'kiln-format'
import type { ByteSource, Dtype, ReadOptions } from 'kiln-format'
import type { ForeignTensor } from '../model.js'
import { payloadRead } from '../payload/payload-read.js'
import { PIECE, rangeChunks } from '../payload/range-chunks.js'
import { swapNumbers } from '../reading/byte-order.js'
import { quoted } from '../text/quoted.js'
import type { GgufHead, GgufTensorInfo } from './read-head.js'
import { swappedFields } from './tensor-types.js'

/** A tensor of a GGUF file, with what the file calls it. */
export interface GgufTensor extends ForeignTensor {
  /** The number of the type in ggml. */
  readonly ggmlType: number
  /** From the start of the tensors' data, as stored. */
  readonly offset: number
}

/**
 * The tensors of a file. In a big-endian file numbers are swapped to Kiln's order, and of ggml's
 * blocks those whose fields are known; another block dtype is `TYPE`, here and not while reading.
 */
export function tensorsOf(source: ByteSource, head: GgufHead): GgufTensor[] {
  return head.infos.map((info) => {
    const swap = head.littleEndian ? undefined : swapper(info)
    return {
      name: info.name,
      dtype: info.dtype.name,
      shape: info.shape,
      byteLength: info.byteLength,
      ggmlType: info.ggmlType,
      offset: info.offset,
      read: swap === undefined ? payloadRead(source, head.dataStart + info.offset, info.byteLength) : undefined,
      chunks: (options?: ReadOptions) => {
        const start = head.dataStart + info.offset
        if (swap === undefined) return rangeChunks(source, start, info.byteLength, options)
        return swappedChunks(source, start, info, swap, options)
      },
    }
  })
}

async function* swappedChunks(
  source: ByteSource,
  start: number,
  { byteLength, dtype }: GgufTensorInfo,
  swap: (bytes: Uint8Array) => void,
  options: ReadOptions | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  // Whole blocks, so that no number lies in two pieces.
  const step = PIECE - (PIECE % blockBytes(dtype))
  for (let done = 0; done < byteLength; done += step) {
    options?.signal?.throwIfAborted()
    // A copy, because what a source gives may be its own memory.
    const own = new Uint8Array(await source.read(start + done, Math.min(step, byteLength - done), options))
    swap(own)
    yield own
  }
}

/** Bytes of a block; GGUF's plain types are whole bytes too. */
function blockBytes(dtype: Dtype): number {
  return dtype.blockBits / 8
}

function swapper({ name, dtype }: GgufTensorInfo): (bytes: Uint8Array) => void {
  const size = blockBytes(dtype)
  if (!dtype.foreign) return (bytes) => swapNumbers(bytes, size)
  const fields = swappedFields.get(dtype.name)
  if (fields === undefined) {
    throw new KilnError(
      'TYPE',
      `tensor ${quoted(name)} is ${dtype.name} in a big-endian file, and how its blocks swap is not defined; ` +
        `of the block dtypes ${[...swappedFields.keys()].join(', ')} are read from such files`,
    )
  }
  return (bytes) => {
    for (let block = 0; block < bytes.length; block += size) {
      for (const field of fields) swapNumbers(bytes.subarray(block + field, block + field + 2), 2)
    }
  }
}
