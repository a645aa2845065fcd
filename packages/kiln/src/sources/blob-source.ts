import { KilnError } from '../errors/kiln-error.js'
import { signalOf, unlessAborted } from './abort.js'
import { checkRange } from './range.js'
import type { ByteSource } from './source.js'

/** The part of the platform's Blob that is used. Any Blob or File fits. */
export interface BlobLike {
  readonly size: number
  /** From byte `start` up to byte `end`, which is not part of it. */
  slice(start?: number, end?: number): BlobLike
  arrayBuffer(): Promise<ArrayBufferLike>
}

export function isBlobLike(value: unknown): value is BlobLike {
  if (typeof value !== 'object' || value === null) return false
  const blob = value as Partial<BlobLike>
  return typeof blob.size === 'number' && typeof blob.slice === 'function' && typeof blob.arrayBuffer === 'function'
}

/**
 * A source over a Blob or File, of which only what is asked for is read. A File that was changed or removed since it
 * was picked is `EOF`. The label is the File's name, or `blob`.
 */
export function blobSource(blob: BlobLike, label?: string): ByteSource {
  if (!isBlobLike(blob)) throw new KilnError('TYPE', 'blobSource takes a Blob or a File')
  const { size } = blob
  const called = label ?? (blob as { name?: unknown }).name
  const name = typeof called === 'string' && called !== '' ? called : 'blob'
  return {
    size,
    label: name,
    async read(offset, length, options) {
      const signal = signalOf(options)
      checkRange({ size, label: name }, offset, length)
      if (length === 0) return new Uint8Array(0)
      const bytes = new Uint8Array(await unlessAborted(contents(blob, offset, length, name), signal))
      if (bytes.length === length) return bytes
      throw new KilnError(
        'EOF',
        `${name}: ${length} bytes from byte ${offset} on asked for, the Blob gave ${bytes.length}; it was cut since`,
        offset,
      )
    },
  }
}

async function contents(blob: BlobLike, offset: number, length: number, label: string): Promise<ArrayBufferLike> {
  try {
    return await blob.slice(offset, offset + length).arrayBuffer()
  } catch (cause) {
    throw new KilnError(
      'EOF',
      `${label}: its bytes can't be read; the file was changed or removed since it was picked. Pick it again`,
      offset,
      { cause },
    )
  }
}
