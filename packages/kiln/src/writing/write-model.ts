import { combineCrc32 } from '../bytes/crc32-combine.js'
import { crc32 } from '../bytes/crc32.js'
import { describe } from '../bytes/input.js'
import { KilnError, within } from '../errors/kiln-error.js'
import { encode } from '../frozen/encode.js'
import type { LazyDirectory } from '../lazy/directory.js'
import { modelSchema } from '../lazy/model.js'
import { isOn } from '../limits/options.js'
import { signalOf } from '../sources/abort.js'
import type { ByteSink } from '../sources/sink.js'
import type { Directory } from '../tensors/directory.js'
import { modelHead } from './model-head.js'
import { intoSink, Output, type WriteOptions } from './output.js'
import { planDirectory } from './plan.js'
import type { WritableTensor } from './writable-tensor.js'
import { writeBlock, type Surroundings } from './write-block.js'

/** What a model file holds. */
export interface WritableModel {
  readonly tensors: Directory | LazyDirectory | readonly WritableTensor[]
  /** Texts by name, in this order. */
  readonly metadata?: ReadonlyMap<string, string> | { readonly [name: string]: string } | undefined
}

/** Options of {@link writeModel}: those of every writer to a sink, and which checksums are stored. */
export interface WriteModelOptions extends WriteOptions {
  /** Whether every payload's CRC-32 is stored; a tensor's own `checksum` goes before. Default false. */
  readonly checksums?: boolean | undefined
  /** Whether the frame has a CRC-32 of all that it holds. Default false. */
  readonly checksum?: boolean | undefined
}

/**
 * Writes a model file (FORMAT §7) to a sink, closes it, and gives the bytes written: the same bytes as `encodeFrame`
 * with `modelSchema`, with one piece of a payload in memory at a time. Tensors and errors are as for `writeDirectory`;
 * metadata that isn't text is `TYPE`. On any error the sink is aborted.
 */
export async function writeModel(
  sink: ByteSink,
  model: WritableModel,
  options: WriteModelOptions = {},
): Promise<number> {
  let size = 0
  await intoSink(sink, async () => {
    signalOf(options)
    if (typeof model !== 'object' || model === null) {
      throw new KilnError('TYPE', `a model has tensors and perhaps metadata, got ${describe(model)}`)
    }
    const tail = encodeMetadata(model.metadata)
    const plan = planDirectory(model.tensors, undefined, isOn(options.checksums, 'checksums'))
    const bodyLength = plan.table.totalSize + tail.length
    const checksum = isOn(options.checksum, 'checksum')
    const around: Surroundings = {
      head: (block) => modelHead(bodyLength, checksum ? combineCrc32(block, crc32(tail), tail.length) : undefined),
      tail,
      checksum,
    }
    size = around.head(0).length + bodyLength
    await writeBlock(new Output(sink, size, options), plan, around, options)
  })
  return size
}

function encodeMetadata(metadata: WritableModel['metadata']): Uint8Array {
  try {
    return encode(modelSchema.fields.metadata, metadata ?? {})
  } catch (error) {
    throw within(error, 'metadata')
  }
}
