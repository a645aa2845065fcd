import { randomBytes } from 'node:crypto'
import { open, rename, rm, type FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { toBytes } from '../bytes/input.js'
import { KilnError } from '../errors/kiln-error.js'
import { unlessAborted } from '../sources/abort.js'
import { checkRange } from '../sources/range.js'
import type { ByteSink } from '../sources/sink.js'
import type { ReadOptions } from '../sources/source.js'
import { fileTarget, type SourceFile } from './file-target.js'
import { pathOf } from './open-file.js'
import { systemError } from './system-error.js'
import { keepOnExit, removeOnExit } from './unfinished.js'

// One call of the system writes at most this (its own cap is just under 2 GiB).
const MAX_WRITE = 64 * 2 ** 20

/** Options of {@link fileSink}. */
export interface FileSinkOptions {
  /** Permissions of the file. Default: those of the file that it replaces, else what the process's umask leaves. */
  readonly mode?: number | undefined
  /** Files that are being read: writing over one of them, under whatever name, is `TYPE`. */
  readonly sources?: readonly SourceFile[] | undefined
}

/** A sink whose bytes become a file. */
export interface FileSink extends ByteSink {
  /** The path as it was given. */
  readonly path: string
  /** Bytes written so far. */
  readonly size: number
  patch(offset: number, bytes: Uint8Array, options?: ReadOptions): Promise<void>
}

/**
 * Starts a file that appears whole or not at all: what is written goes into a temporary file in the same folder, which
 * `close` puts on the disk and renames. Until then a file of that name stays as it was. `abort`, an error, and a
 * process that ends (by SIGINT or SIGTERM too) take the temporary file with them. A symbolic link stays, and the file
 * that it leads to is replaced.
 *
 * Throws `TYPE` where no file can be put (a folder, a device, one of `sources`, no permission), `LIMIT` for a full
 * disk.
 */
export async function fileSink(path: string | URL, options: FileSinkOptions = {}): Promise<FileSink> {
  const label = pathOf(path)
  try {
    const target = await fileTarget(label, options.sources ?? [])
    const mode = options.mode ?? target.mode
    const temporary = join(
      dirname(target.path),
      `.${basename(target.path).slice(0, 40)}.${randomBytes(6).toString('hex')}.tmp`,
    )
    removeOnExit(temporary)
    try {
      const handle = await open(temporary, 'wx', mode)
      return new TemporaryFile(label, handle, temporary, target.path, mode)
    } catch (error) {
      keepOnExit(temporary)
      throw error
    }
  } catch (error) {
    throw systemError(error, 'write', label)
  }
}

class TemporaryFile implements FileSink {
  readonly path: string
  readonly #handle: FileHandle
  readonly #temporary: string
  readonly #target: string
  readonly #mode: number | undefined
  #size = 0
  #state: 'open' | 'failed' | 'closed' | 'aborted' = 'open'
  #ending: Promise<void> | undefined

  constructor(path: string, handle: FileHandle, temporary: string, target: string, mode: number | undefined) {
    this.path = path
    this.#handle = handle
    this.#temporary = temporary
    this.#target = target
    this.#mode = mode
  }

  get size(): number {
    return this.#size
  }

  async write(chunk: Uint8Array, options: ReadOptions = {}): Promise<void> {
    // One that was transferred has no bytes any more, and would be missing in the file without a word.
    const bytes = toBytes(chunk)
    const at = this.#size
    this.#size += bytes.length
    await this.#put(bytes, at, options)
  }

  async patch(offset: number, given: Uint8Array, options: ReadOptions = {}): Promise<void> {
    const bytes = toBytes(given)
    checkRange({ size: this.#size, label: this.path }, offset, bytes.length)
    await this.#put(bytes, offset, options)
  }

  async #put(bytes: Uint8Array, at: number, { signal }: ReadOptions): Promise<void> {
    signal?.throwIfAborted()
    this.#checkOpen()
    try {
      for (let done = 0; done < bytes.length;) {
        const step = this.#handle.write(bytes, done, Math.min(bytes.length - done, MAX_WRITE), at + done)
        done += (await unlessAborted(step, signal)).bytesWritten
      }
    } catch (error) {
      this.#state = 'failed'
      throw systemError(error, 'write', this.path)
    }
  }

  #checkOpen(): void {
    if (this.#state === 'open') return
    const why = this.#state === 'failed' ? 'could not be written; abort it' : `is ${this.#state} already`
    throw new KilnError('TYPE', `${this.path} ${why}`)
  }

  async close(): Promise<void> {
    // A second call waits for the first.
    if (this.#state !== 'closed') this.#checkOpen()
    this.#state = 'closed'
    this.#ending ??= this.#finish()
    await this.#ending
  }

  async #finish(): Promise<void> {
    try {
      // The mode given to open is cut by the umask; a file that is replaced keeps its own exactly.
      if (this.#mode !== undefined) await this.#handle.chmod(this.#mode)
      await this.#handle.sync()
      await this.#handle.close()
      await rename(this.#temporary, this.#target)
      keepOnExit(this.#temporary)
    } catch (error) {
      this.#state = 'aborted'
      await this.#drop()
      throw systemError(error, 'write', this.path)
    }
    await syncFolder(dirname(this.#target))
  }

  abort(): Promise<void> {
    if (this.#state === 'closed') return Promise.resolve()
    this.#state = 'aborted'
    this.#ending ??= this.#drop()
    return this.#ending
  }

  async #drop(): Promise<void> {
    await this.#handle.close().catch(() => undefined)
    await rm(this.#temporary, { force: true }).catch(() => undefined)
    keepOnExit(this.#temporary)
  }
}

/** Makes a rename last through a power cut, where the system lets folders be synchronised (Windows doesn't). */
async function syncFolder(path: string): Promise<void> {
  try {
    const folder = await open(path, 'r')
    try {
      await folder.sync()
    } finally {
      await folder.close()
    }
  } catch {
    // The file is whole under its name all the same.
  }
}
