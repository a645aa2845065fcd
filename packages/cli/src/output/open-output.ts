import type { ByteSink } from 'kiln-format'
import { fileSink, type FileSink, type SourceFile } from 'kiln-format/node'
import { inFile } from '../terminal/failure.js'
import type { Terminal } from '../terminal/terminal.js'
import { UsageError } from '../terminal/usage-error.js'

/** Where a command writes bytes. */
export interface Output {
  readonly sink: ByteSink
  /** The file, or undefined for standard output. */
  readonly path: string | undefined
}

/**
 * A file that appears whole or not at all, or standard output for `-` and for no path. Files in `sources` are never
 * written over. Bytes are not put on a terminal, where they would be commands to it.
 */
export async function openOutput(path: string | undefined, terminal: Terminal, sources: readonly SourceFile[]): Promise<Output> {
  if (path !== undefined && path !== '-') return { sink: await openFileSink(path, sources), path }
  if (terminal.out.isTTY) throw new UsageError('bytes are not written to a terminal; name a file with -o, or pipe them on')
  const sink: ByteSink = {
    write: (chunk) => terminal.out.write(chunk),
    close: () => Promise.resolve(),
    abort: () => Promise.resolve(),
  }
  return { sink, path: undefined }
}

/** As `fileSink`, with errors that tell which file could not be written. */
export async function openFileSink(path: string, sources: readonly SourceFile[]): Promise<FileSink> {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(path)) throw new UsageError(`${path} is a URL; output goes to a file`)
  const sink = await inFile(path, () => fileSink(path, { sources }))
  return {
    path,
    get size() {
      return sink.size
    },
    write: (chunk, options) => inFile(path, () => sink.write(chunk, options)),
    patch: (offset, bytes, options) => inFile(path, () => sink.patch(offset, bytes, options)),
    close: () => inFile(path, () => sink.close()),
    abort: () => sink.abort(),
  }
}

/** Runs a step that writes to an output, and makes what was written final; if the step throws, nothing is left. */
export async function writingTo<T>(output: Output, step: (sink: ByteSink) => Promise<T>): Promise<T> {
  try {
    const result = await step(output.sink)
    await output.sink.close()
    return result
  } catch (error) {
    try {
      await output.sink.abort(error)
    } catch {
      // What the sink says to being dropped matters less than why.
    }
    throw error
  }
}
