import { constants } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { allocate } from '../bytes/allocate.js'
import { describe } from '../bytes/input.js'
import { KilnError } from '../errors/kiln-error.js'
import { unlessAborted } from '../sources/abort.js'
import { asyncDispose, type Closable } from '../sources/dispose.js'
import { checkRange } from '../sources/range.js'
import type { ByteSource, ReadOptions } from '../sources/source.js'
import { systemError } from './system-error.js'

// One call of the system reads at most this. The system's own cap is just under 2 GiB; smaller, so that an abort
// is noticed in the middle of a large read.
const MAX_READ = 64 * 2 ** 20

/** Options of {@link openFile}. */
export interface OpenFileOptions extends ReadOptions {
  /**
   * Whether each read first looks at the file's size and time of change, and is `FRAME` if they are not what they
   * were when it was opened. Default false: a file that is replaced by another under its name stays as it was for who
   * has it open; only one that is written to in place changes.
   */
  readonly checkChanges?: boolean | undefined
}

/** An open file. */
export interface FileSource extends ByteSource, Closable {
  readonly path: string
  /** Device and inode: what tells whether two paths are one file. */
  readonly dev: bigint
  readonly ino: bigint
  close(): Promise<void>
}

/** A path as given, or that of a `file:` URL, which may have a U+0000 too (as `%00`). */
export function pathOf(path: string | URL): string {
  const text = path instanceof URL ? pathOfUrl(path) : path
  if (typeof text === 'string' && text !== '' && !text.includes('\0')) return text
  throw new KilnError('TYPE', `a path or a file: URL expected, got ${describe(path instanceof URL ? path.href : path)}`)
}

function pathOfUrl(url: URL): string | undefined {
  try {
    return fileURLToPath(url)
  } catch {
    // Not of this machine, or of another scheme.
    return undefined
  }
}

/**
 * Opens a file for reading by position; nothing is read yet. Close it, or declare it with `await using`.
 *
 * Throws `EOF` for a file that isn't there or can't be read, `TYPE` for a folder, a pipe or a device, `LIMIT` when
 * too many files are open. A read beyond the size at opening is `EOF`; so is one of a file that has become shorter.
 */
export async function openFile(path: string | URL, options: OpenFileOptions = {}): Promise<FileSource> {
  const { signal, checkChanges = false } = options
  const label = pathOf(path)
  signal?.throwIfAborted()
  let handle: FileHandle
  try {
    // Without O_NONBLOCK opening a pipe waits for somebody to write to it. Windows has no such flag.
    handle = await open(label, constants.O_RDONLY + (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    throw systemError(error, 'read', label)
  }
  try {
    signal?.throwIfAborted()
    return await fileSource(handle, label, checkChanges)
  } catch (error) {
    await handle.close()
    throw systemError(error, 'read', label)
  }
}

async function fileSource(handle: FileHandle, label: string, checkChanges: boolean): Promise<FileSource> {
  const stat = await handle.stat({ bigint: true })
  if (!stat.isFile()) {
    const what = stat.isDirectory()
      ? 'a folder; give a file in it'
      : 'a pipe, a socket or a device; copy it into a file first'
    throw new KilnError('TYPE', `${label} is ${what}`)
  }
  const size = Number(stat.size)
  let closing: Promise<void> | undefined

  async function checkUnchanged(): Promise<void> {
    const now = await handle.stat({ bigint: true })
    if (now.size !== stat.size || now.mtimeNs !== stat.mtimeNs) {
      throw new KilnError('FRAME', `${label} was changed since it was opened; open it again`)
    }
  }

  async function read(offset: number, length: number, options: ReadOptions = {}): Promise<Uint8Array> {
    const { signal } = options
    signal?.throwIfAborted()
    if (closing !== undefined) throw new KilnError('TYPE', `${label} has been closed`)
    checkRange({ size, label }, offset, length)
    try {
      if (checkChanges) await checkUnchanged()
      const bytes = allocate(Uint8Array, length)
      for (let done = 0; done < length;) {
        const step = handle.read(bytes, done, Math.min(length - done, MAX_READ), offset + done)
        const { bytesRead } = await unlessAborted(step, signal)
        if (bytesRead === 0) {
          throw new KilnError(
            'EOF',
            `${label} ends at byte ${offset + done}; it had ${size} bytes when it was opened`,
            offset + done,
          )
        }
        done += bytesRead
      }
      return bytes
    } catch (error) {
      throw systemError(error, 'read', label)
    }
  }

  function close(): Promise<void> {
    closing ??= handle.close()
    return closing
  }
  return { size, label, path: label, dev: stat.dev, ino: stat.ino, read, close, [asyncDispose]: close }
}
