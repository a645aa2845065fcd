import { FileError } from './file-error.js'

/** Thrown by a write when nobody reads any more (`kiln … | head -1`): there is nothing left to do, and no fault. */
export class OutputClosed extends Error {
  override readonly name = 'OutputClosed'
}

/** The part of a Node stream that is written to. */
export interface OutputStream {
  readonly isTTY?: boolean
  readonly columns?: number
  write(chunk: string | Uint8Array, done?: (error?: Error | null) => void): boolean
  on(event: 'error', listener: (error: Error) => void): unknown
}

function isClosed(error: Error): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED'
}

/**
 * A standard stream, written in order. A write resolves when its chunk has been taken, so the chunk's memory
 * is free again and a slow reader slows the program instead of filling its memory.
 */
export class Output {
  readonly isTTY: boolean
  readonly columns: number
  readonly #stream: OutputStream
  readonly #label: string
  #failure: Error | undefined

  constructor(stream: OutputStream, label: string) {
    this.#stream = stream
    this.#label = label
    this.isTTY = stream.isTTY === true
    this.columns = stream.columns ?? 80
    // A write's callback tells of the error too; without a listener Node would end the process.
    stream.on('error', (error) => {
      this.#failure ??= error
    })
  }

  async write(chunk: string | Uint8Array): Promise<void> {
    if (this.#failure !== undefined) throw this.#refusal(this.#failure)
    await new Promise<void>((resolve, reject) => {
      this.#stream.write(chunk, (error) => {
        if (error) reject(this.#refusal(error))
        else resolve()
      })
    })
  }

  #refusal(error: Error): Error {
    this.#failure ??= error
    return isClosed(error) ? new OutputClosed('the reader has gone') : new FileError(this.#label, error)
  }
}
