import { KilnError } from 'kiln-format'
import type { ByteSink, ByteSource } from 'kiln-format'
import type { ForeignTensor } from '../../src/model.js'

/** What a {@link memorySource} was asked for. */
export interface Reads {
  count: number
  bytes: number
  longest: number
}

/** Bytes as a source whose every answer lies at an odd offset of a buffer, and that counts what it is asked for. */
export function memorySource(bytes: Uint8Array, label = 'bytes'): ByteSource & { readonly reads: Reads } {
  const reads: Reads = { count: 0, bytes: 0, longest: 0 }
  return {
    size: bytes.length,
    label,
    reads,
    read(offset, length, options) {
      return Promise.resolve().then(() => {
        options?.signal?.throwIfAborted()
        if (!(
          Number.isInteger(offset) &&
          Number.isInteger(length) &&
          offset >= 0 &&
          length >= 0 &&
          offset + length <= bytes.length
        )) {
          throw new KilnError('EOF', `${length} bytes from ${offset} asked for, there are ${bytes.length}`, offset)
        }
        reads.count++
        reads.bytes += length
        reads.longest = Math.max(reads.longest, length)
        const room = new Uint8Array(length + 3)
        room.set(bytes.subarray(offset, offset + length), 3)
        return room.subarray(3)
      })
    },
  }
}

/** A sink that keeps copies, and how it ended. */
export class MemorySink implements ByteSink {
  readonly pieces: Uint8Array[] = []
  ended: 'closed' | 'aborted' | undefined

  write(chunk: Uint8Array): Promise<void> {
    if (this.ended !== undefined) return Promise.reject(new Error('written to after its end'))
    this.pieces.push(chunk.slice())
    return Promise.resolve()
  }

  close(): Promise<void> {
    this.ended = 'closed'
    return Promise.resolve()
  }

  abort(): Promise<void> {
    this.ended ??= 'aborted'
    return Promise.resolve()
  }

  get bytes(): Uint8Array {
    return concat(this.pieces)
  }
}

export function concat(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

/** A payload whole, checked against what the tensor says; each piece is spoilt once it has been taken. */
export async function payload(tensor: ForeignTensor): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of tensor.chunks()) {
    if (piece.length === 0) throw new Error('an empty piece')
    pieces.push(piece.slice())
    length += piece.length
    if (length > tensor.byteLength) throw new Error('more bytes than announced')
  }
  if (length !== tensor.byteLength) throw new Error(`${length} bytes, and ${tensor.byteLength} announced`)
  return concat(pieces)
}

/** A tensor over bytes in memory. */
export function memoryTensor(
  name: string,
  dtype: ForeignTensor['dtype'],
  shape: readonly number[],
  bytes: Uint8Array,
  piece = 1000,
): ForeignTensor {
  return {
    name,
    dtype,
    shape,
    byteLength: bytes.length,
    async *chunks() {
      for (let at = 0; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece)
    },
  }
}

/** A source of any size that is zeros but for some parts; reads of over 16 MiB are an error. */
export function sparseSource(
  size: number,
  parts: readonly (readonly [offset: number, bytes: Uint8Array])[],
): ByteSource & { readonly reads: Reads } {
  const reads: Reads = { count: 0, bytes: 0, longest: 0 }
  return {
    size,
    label: 'sparse',
    reads,
    read(offset, length) {
      return Promise.resolve().then(() => {
        if (!(
          Number.isSafeInteger(offset) &&
          Number.isSafeInteger(length) &&
          offset >= 0 &&
          length >= 0 &&
          offset + length <= size
        )) {
          throw new KilnError('EOF', `${length} bytes from ${offset} asked for, there are ${size}`, offset)
        }
        if (length > 2 ** 24) throw new Error(`a read of ${length} bytes`)
        reads.count++
        reads.bytes += length
        reads.longest = Math.max(reads.longest, length)
        const result = new Uint8Array(length)
        for (const [start, bytes] of parts) {
          const from = Math.max(start, offset)
          const to = Math.min(start + bytes.length, offset + length)
          if (from < to) result.set(bytes.subarray(from - start, to - start), from - offset)
        }
        return result
      })
    },
  }
}
