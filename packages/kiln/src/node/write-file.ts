import { isBuffer, toBytes } from '../bytes/input.js'
import type { ByteInput } from '../frozen/decode.js'
import { checkIterable } from '../limits/options.js'
import { signalOf } from '../sources/abort.js'
import type { ReadOptions } from '../sources/source.js'
import { fileSink, type FileSink, type FileSinkOptions } from './file-sink.js'

/** What a file can be made of: bytes, pieces of it in order, or what a function writes. */
export type FileContents = ByteInput | Iterable<ByteInput> | AsyncIterable<ByteInput> | ((sink: FileSink) => unknown)

/**
 * Writes a file that appears whole or not at all (as by {@link fileSink}). A function is given the sink; the file is
 * complete when what it returns has resolved, and if it throws there is no file.
 */
export async function writeFile(
  path: string | URL,
  contents: FileContents,
  options?: FileSinkOptions & ReadOptions,
): Promise<void> {
  const signal = signalOf(options)
  const sink = await fileSink(path, options)
  try {
    if (typeof contents === 'function') await contents(sink)
    else if (ArrayBuffer.isView(contents) || isBuffer(contents)) await sink.write(toBytes(contents), { signal })
    else {
      checkIterable(contents, 'contents')
      for await (const part of contents) await sink.write(toBytes(part), { signal })
    }
    await sink.close()
  } catch (error) {
    await sink.abort()
    throw error
  }
}
