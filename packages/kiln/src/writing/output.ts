import { describe } from '../bytes/input.js'
import { KilnError } from '../errors/kiln-error.js'
import { checkFunction } from '../limits/options.js'
import type { ByteSink } from '../sources/sink.js'
import type { ReadOptions } from '../sources/source.js'

/** Options of every writer to a sink: a signal, and who is told how far it is. */
export interface WriteOptions extends ReadOptions {
  /** Told now and then how many bytes have been written, of how many in all. */
  readonly onProgress?: ((written: number, total: number) => void) | undefined
}

/** Runs a writer on a sink, then makes what it wrote final; if it fails, drops that and passes the error on. */
export async function intoSink(sink: ByteSink, write: () => Promise<void>): Promise<void> {
  checkSink(sink)
  try {
    await write()
    await sink.close()
  } catch (error) {
    try {
      await sink.abort(error)
    } catch {
      // What the sink says to being dropped matters less than why.
    }
    throw error
  }
}

/** Throws `TYPE` for what is no sink, such as a stream of the platform's: nothing could be dropped there. */
function checkSink(sink: ByteSink): void {
  const { write, close, abort } = (sink ?? {}) as Partial<ByteSink>
  if (typeof write === 'function' && typeof close === 'function' && typeof abort === 'function') return
  throw new KilnError('TYPE', `a sink has write, close and abort, such as bytesSink() or fileSink(path); got ${describe(sink)}`)
}

/** A sink that counts. */
export class Output {
  readonly #sink: ByteSink
  readonly #options: WriteOptions
  readonly #total: number
  #written = 0

  constructor(sink: ByteSink, total: number, options: WriteOptions) {
    this.#sink = sink
    this.#total = total
    this.#options = options
    checkFunction(options.onProgress, 'onProgress')
  }

  async write(bytes: Uint8Array): Promise<void> {
    const { signal, onProgress } = this.#options
    signal?.throwIfAborted()
    await this.#sink.write(bytes, { signal })
    this.#written += bytes.length
    onProgress?.(this.#written, this.#total)
  }

  /** Whether bytes that were written can be written over. */
  get canPatch(): boolean {
    return typeof this.#sink.patch === 'function'
  }

  async patch(offset: number, bytes: Uint8Array): Promise<void> {
    await this.#sink.patch?.(offset, bytes, { signal: this.#options.signal })
  }
}
