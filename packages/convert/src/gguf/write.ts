import type { ByteSink, ReadOptions } from 'kiln-format'
import type { WritableModel } from '../model.js'
import { intoSink } from '../writing/into-sink.js'
import { keyValuesOf } from './metadata.js'
import { checkTensors, planFile, writePlanned } from './plan-file.js'
import { checkModel, checkOptions, checkSink } from '../reading/arguments.js'

/** Options of {@link writeGguf}. */
export type WriteGgufOptions = ReadOptions

/**
 * Writes a model as one little-endian GGUF file of version 3, tensors in their order, each at a
 * multiple of `general.alignment` (32 if the metadata has none) and followed by zeros up to the next;
 * the head is padded too where no tensor follows. Metadata that `openGguf` gave gets its types and
 * bits back; what has no type under `gguf:types` is written as a string. Returns the bytes written.
 *
 * Closes the sink; on an error aborts it and passes the error on. `TYPE`, before anything is written,
 * for a dtype that GGUF has no type for, more than 4 dimensions, a name over 63 bytes or given twice,
 * and for text that is not of its type.
 */
export async function writeGguf(model: WritableModel, sink: ByteSink, options: WriteGgufOptions = {}): Promise<number> {
  let size = 0
  checkSink(sink)
  await intoSink(sink, async () => {
    checkOptions(options)
    checkModel(model)
    checkTensors(model.tensors)
    const plan = planFile(keyValuesOf(model.metadata ?? new Map()), model.tensors)
    await writePlanned(plan, sink, options)
    size = plan.size
  })
  return size
}
