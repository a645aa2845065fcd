import { useEffect, useRef, useState } from 'preact/hooks'
import type { ByteSink, DtypeName } from 'kiln-format'
import { tensorTitle } from './naming.js'
import { faultOf } from '../model/fault.js'
import type { ViewTensor } from '../model/opened-file.js'
import { Notice, Progress } from '../ui/parts.js'

/** Pieces are handed to the browser in blobs of this size, which it may keep on disk. */
const BLOB = 8 * 2 ** 20
/** What one download may take: browsers refuse larger ones in their own ways. */
const MOST = 4 * 2 ** 30

const NUMPY: ReadonlySet<DtypeName> = new Set([
  'bool',
  'u8',
  'i8',
  'u16',
  'i16',
  'u32',
  'i32',
  'u64',
  'i64',
  'f16',
  'f32',
  'f64',
  'c64',
  'c128',
])

type Form = 'npy' | 'raw'

/** Saves a tensor as NPY or as its bytes. */
export function DownloadButtons({ tensor }: { readonly tensor: ViewTensor }) {
  const [share, setShare] = useState<number | undefined>(undefined)
  const [error, setError] = useState<unknown>(undefined)
  const abort = useRef<AbortController | undefined>(undefined)
  useEffect(() => () => abort.current?.abort(), [tensor.index])
  const bits = !NUMPY.has(tensor.dtype)

  async function save(form: Form): Promise<void> {
    const controller = new AbortController()
    abort.current = controller
    setError(undefined)
    setShare(0)
    try {
      const blob = await payloadBlob(tensor, form, bits, controller.signal, setShare)
      offer(blob, `${fileName(tensor)}.${form === 'npy' ? 'npy' : 'bin'}`)
    } catch (failure) {
      if (!controller.signal.aborted) setError(failure)
    } finally {
      setShare(undefined)
    }
  }

  if (share !== undefined) {
    return (
      <div class="buttons">
        <Progress share={share} label="Download" />
        <button type="button" onClick={() => abort.current?.abort()}>
          Cancel
        </button>
      </div>
    )
  }
  return (
    <>
      <div class="buttons">
        <button
          type="button"
          onClick={() => void save('npy')}
          title={bits ? `numpy has no ${tensor.dtype}: its bits are written as unsigned integers` : undefined}
        >
          {bits ? 'Download NPY of bits' : 'Download NPY'}
        </button>
        <button type="button" onClick={() => void save('raw')}>
          Download raw
        </button>
      </div>
      {error === undefined ? null : (
        <Notice kind="fault" title="Not saved">
          {faultOf(error).detail}
        </Notice>
      )}
    </>
  )
}

async function payloadBlob(
  tensor: ViewTensor,
  form: Form,
  bits: boolean,
  signal: AbortSignal,
  progress: (share: number) => void,
): Promise<Blob> {
  const { name, dtype, shape, byteLength } = tensor
  if (byteLength > MOST) throw new RangeError('over 4 GiB; `kiln convert` writes tensors of any size')
  const sink = new BlobSink()
  async function* chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    let done = 0
    for await (const piece of tensor.chunks({ signal })) {
      signal.throwIfAborted()
      yield piece
      done += piece.length
      progress(byteLength === 0 ? 1 : done / byteLength)
    }
  }
  if (form === 'npy')
    await (
      await import('kiln-convert')
    ).writeNpy({ name, dtype, shape, byteLength, chunks }, sink, { raw: bits, signal })
  else {
    for await (const piece of chunks()) await sink.write(piece)
    await sink.close()
  }
  return sink.blob()
}

class BlobSink implements ByteSink {
  readonly #blobs: Blob[] = []
  #pieces: Uint8Array<ArrayBuffer>[] = []
  #size = 0

  async write(bytes: Uint8Array): Promise<void> {
    this.#pieces.push(bytes.slice())
    this.#size += bytes.length
    if (this.#size >= BLOB) this.#flush()
  }

  #flush(): void {
    this.#blobs.push(new Blob(this.#pieces))
    this.#pieces = []
    this.#size = 0
  }

  async close(): Promise<void> {
    this.#flush()
  }

  async abort(): Promise<void> {
    this.#pieces = []
    this.#blobs.length = 0
  }

  blob(): Blob {
    return new Blob(this.#blobs, { type: 'application/octet-stream' })
  }
}

function offer(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has taken hold of the blob by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** A name that every system takes. */
function fileName({ name, index }: ViewTensor): string {
  return (
    tensorTitle(name, index)
      .replace(/[^\w.-]+/g, '_')
      .replace(/^\.+/, '_')
      .slice(0, 120) || 'tensor'
  )
}
