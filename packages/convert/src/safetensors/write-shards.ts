import { KilnError, type ByteSink } from 'kiln-format'
import type { WritableModel } from '../model.js'
import { plainName } from '../paths/plain-name.js'
import { utf8Bytes } from '../reading/text.js'
import { checkTensors, type FilePlan } from './plan-file.js'
import { indexText, splitMetadata } from './index-metadata.js'
import { planShards } from './plan-shards.js'
import { resolveLimits, type SafetensorsOptions } from './read-file.js'
import { INDEX_SUFFIX, shardName } from './shard-names.js'
import { writePlanned } from './write.js'
import { checkModel, checkSetOptions, checkSink } from '../reading/arguments.js'

/** Options of {@link writeSafetensorsShards}. */
export interface ShardOptions extends SafetensorsOptions {
  /** The most bytes of one file. */
  readonly shardSize: number
  /** What the files are called before their number. Default `model`. */
  readonly name?: string | undefined
}

/** The files that were written, by name. */
export interface WrittenSet {
  /** The shards in order, or the only file. */
  readonly files: readonly string[]
  /** The index; undefined where one file was enough. */
  readonly index: string | undefined
  /** Bytes of all files. */
  readonly bytes: number
}

/**
 * Writes a model as a sharded safetensors set with its index, `model-00001-of-00006.safetensors` and
 * `model.safetensors.index.json`; where one file is enough, as `model.safetensors` without an index.
 * No file is larger than `shardSize` bytes unless it holds one tensor that is.
 *
 * `open` gives the sink for each name. Sinks are closed when all are written, the index last, so that
 * an error leaves no part of a set: it aborts them all. Values under `safetensors.index.` go into the
 * index's metadata, all other strings into every shard. `TYPE` for a size that is none and for tensors and names that the
 * format can't take, `LIMIT` for a header or a number of shards over its cap.
 */
export async function writeSafetensorsShards(
  model: WritableModel,
  open: (name: string) => Promise<ByteSink>,
  options: ShardOptions,
): Promise<WrittenSet> {
  checkSetOptions(open, options)
  checkModel(model)
  const limits = resolveLimits(options)
  const set = plainName(options.name ?? 'model', 'the name')
  checkTensors(model.tensors)
  const { file, index } = splitMetadata(model.metadata ?? new Map())
  let plans = planShards({ tensors: model.tensors, metadata: file }, options.shardSize, limits.header)
  const whole = plans.length === 1 ? planShards(model, options.shardSize, limits.header) : []
  const alone = whole.length === 1
  if (alone) plans = whole
  if (plans.length > limits.shards) {
    throw new KilnError(
      'LIMIT',
      `${plans.length} shards are over the cap of ${limits.shards}; raise shardSize or limits.shards`,
    )
  }
  const files = plans.map((_, i) =>
    alone
      ? `${set}.safetensors`
      : shardName({ set, number: i + 1, of: plans.length, width: Math.max(5, String(plans.length).length) }),
  )
  const indexName = alone ? undefined : set + INDEX_SUFFIX
  const text = alone
    ? undefined
    : utf8Bytes(indexText(index, payloadBytes(model), weightMap(model, plans, files)), 'the index')
  const sinks: ByteSink[] = []
  try {
    for (const [i, plan] of plans.entries()) {
      const sink = await open(files[i]!)
      checkSink(sink)
      sinks.push(sink)
      await writePlanned(plan, sink, options)
    }
    if (indexName !== undefined && text !== undefined) {
      const sink = await open(indexName)
      checkSink(sink)
      sinks.push(sink)
      await sink.write(text, options)
    }
    for (const sink of sinks) await sink.close()
  } catch (error) {
    await Promise.allSettled(sinks.map(async (sink) => sink.abort(error)))
    throw error
  }
  const bytes = plans.reduce((sum, plan) => sum + plan.size, text?.length ?? 0)
  return { files, index: indexName, bytes }
}

function payloadBytes(model: WritableModel): number {
  return model.tensors.reduce((sum, tensor) => sum + tensor.byteLength, 0)
}

/** Which tensor is in which file, in the model's order. */
function weightMap(model: WritableModel, plans: readonly FilePlan[], files: readonly string[]): Map<string, string> {
  const byName = new Map<string, string>()
  plans.forEach((plan, i) => plan.tensors.forEach((tensor) => byName.set(tensor.name, files[i]!)))
  return new Map(model.tensors.map(({ name }) => [name, byName.get(name)!]))
}
