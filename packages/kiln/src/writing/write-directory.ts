import type { LazyDirectory } from '../lazy/directory.js'
import { isOn } from '../limits/options.js'
import { signalOf } from '../sources/abort.js'
import type { ByteSink } from '../sources/sink.js'
import type { Directory } from '../tensors/directory.js'
import { checkAlignment, type EncodeDirectoryOptions } from '../tensors/encode-directory.js'
import { intoSink, Output, type WriteOptions } from './output.js'
import { planDirectory } from './plan.js'
import type { WritableTensor } from './writable-tensor.js'
import { writeBlock } from './write-block.js'

/** Options of {@link writeDirectory}: those of every writer to a sink, and how the directory is laid out. */
export interface WriteDirectoryOptions extends EncodeDirectoryOptions, WriteOptions {}

const NOTHING = new Uint8Array(0)

/**
 * Writes a bare directory to a sink, closes it, and gives the bytes written: the same bytes as `encodeDirectory`, with
 * one piece of a payload in memory at a time. Takes tensors with `chunks` or with `data`, tensors that were read or
 * opened, or a whole directory of these.
 *
 * Everything about descriptions is checked before anything is written: errors are those of `encodeDirectory`. A payload
 * that comes out longer or shorter is `TYPE`. On any error the sink is aborted.
 */
export async function writeDirectory(
  sink: ByteSink,
  tensors: Directory | LazyDirectory | readonly WritableTensor[],
  options: WriteDirectoryOptions = {},
): Promise<number> {
  let size = 0
  await intoSink(sink, async () => {
    signalOf(options)
    const plan = planDirectory(tensors, checkAlignment(options.alignment), isOn(options.checksums, 'checksums'))
    size = plan.table.totalSize
    const around = { head: () => NOTHING, tail: NOTHING, checksum: false }
    await writeBlock(new Output(sink, size, options), plan, around, options)
  })
  return size
}
