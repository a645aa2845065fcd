import type { ByteSink, ReadOptions } from 'kiln-format'
import type { WritableModel } from '../model.js'
import { payloadOf } from '../writing/copy-payload.js'
import { intoSink } from '../writing/into-sink.js'
import { checkTensors, planFile, type FilePlan } from './plan-file.js'
import { resolveLimits, type SafetensorsOptions } from './read-file.js'
import { checkModel, checkOptions, checkSink } from '../reading/arguments.js'

/**
 * Writes a model as one safetensors file, in exactly the form of the reference implementation's
 * writer, and closes the sink; returns the bytes written. Payloads pass through piece by piece. On any
 * error the sink is aborted.
 *
 * What the format can't hold is refused by name before anything is written (`TYPE`): dtypes that it
 * doesn't have, narrow ones that don't fill their last byte, the name `__metadata__`.
 */
export async function writeSafetensors(
  model: WritableModel,
  sink: ByteSink,
  options?: SafetensorsOptions,
): Promise<number> {
  let size = 0
  checkSink(sink)
  await intoSink(sink, async () => {
    checkOptions(options)
    checkModel(model)
    const limits = resolveLimits(options)
    checkTensors(model.tensors)
    const plan = planFile(model, limits.header)
    await writePlanned(plan, sink, options)
    size = plan.size
  })
  return size
}

/** Writes head and payloads; opens and closes nothing. */
export async function writePlanned(plan: FilePlan, sink: ByteSink, options: ReadOptions = {}): Promise<void> {
  await sink.write(plan.head, options)
  for (const tensor of plan.tensors) {
    for await (const piece of payloadOf(tensor, options)) await sink.write(piece, options)
  }
}
