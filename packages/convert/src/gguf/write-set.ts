import { KilnError } from 'kiln-format'
import type { ByteSink, ReadOptions } from 'kiln-format'
import type { ForeignTensor, WritableModel } from '../model.js'
import { plainName } from '../paths/plain-name.js'
import { alignUp } from '../reading/align.js'
import { keyValuesOf } from './metadata.js'
import { checkTensors, infoBytes, planFile, writePlanned } from './plan-file.js'
import type { GgufPlan } from './plan-file.js'
import { MOST_FILES, MOST_TENSORS, namesOf, SPLIT_KEYS, splitKeys } from './split.js'
import { ALIGNMENT_KEY } from './value-types.js'
import { checkModel, checkSetOptions, checkSink } from '../reading/arguments.js'

/** Options of {@link writeGgufSet}. */
export interface WriteGgufSetOptions extends ReadOptions {
  /** The most bytes of one file. */
  readonly shardSize: number
  /** What the files are called before their number. Default `model`. */
  readonly name?: string | undefined
}

/** The files that were written, in order. */
export interface WrittenGgufSet {
  readonly files: readonly string[]
  /** Bytes of all files. */
  readonly bytes: number
}

/**
 * Writes a model as a split set, `model-00001-of-00003.gguf` and so on, as llama.cpp's own tool does:
 * tensors in their order, all key-values in the first file, and in each the keys that say how the set
 * is split; the alignment, where one is given, in each too. Where one file is enough, that is
 * `model.gguf` without those keys. No file is larger than `shardSize` bytes unless it holds one
 * tensor that is, or is the first and its key-values are.
 *
 * `open` gives the sink for each name. Sinks are closed when all are written, so that an error leaves no
 * part of a set: it aborts them all. Errors are those of `writeGguf`, and `LIMIT` for over 65,535 files.
 */
export async function writeGgufSet(
  model: WritableModel,
  open: (name: string) => Promise<ByteSink>,
  options: WriteGgufSetOptions,
): Promise<WrittenGgufSet> {
  checkSetOptions(open, options)
  checkModel(model)
  const set = plainName(options.name ?? 'model', 'the name')
  checkTensors(model.tensors)
  const plans = planSet(model, options.shardSize)
  const files = plans.length === 1 ? [`${set}.gguf`] : namesOf(set, plans.length)
  const sinks: ByteSink[] = []
  try {
    for (const [i, plan] of plans.entries()) {
      const sink = await open(files[i]!)
      checkSink(sink)
      sinks.push(sink)
      await writePlanned(plan, sink, options)
    }
    for (const sink of sinks) await sink.close()
  } catch (error) {
    await Promise.allSettled(sinks.map(async (sink) => sink.abort(error)))
    throw error
  }
  return { files, bytes: plans.reduce((sum, { size }) => sum + size, 0) }
}

function planSet({ tensors, metadata }: WritableModel, shardSize: number): GgufPlan[] {
  if (!(shardSize >= 1))
    throw new KilnError('TYPE', `a shard size of ${shardSize} bytes is not possible; give 1 or more`)
  const keyValues = [...keyValuesOf(metadata ?? new Map())].filter(({ key }) => !SPLIT_KEYS.has(key))
  const whole = planFile(keyValues, tensors)
  if (whole.size <= shardSize) return [whole]
  const alignment = keyValues.filter(({ key }) => key === ALIGNMENT_KEY)
  // The numbers in these keys are of one width whatever they are.
  const keys = splitKeys({ no: 0, count: 2, tensors: 0 })
  const first = planFile([...keyValues, ...keys], []).headEnd
  const later = planFile([...alignment, ...keys], []).headEnd
  const groups = dealOut(tensors, shardSize, whole.alignment, first, later)
  if (groups.length === 1) return [whole]
  if (groups.length > MOST_FILES || tensors.length > MOST_TENSORS) {
    throw new KilnError(
      'LIMIT',
      `a set of ${groups.length} files with ${tensors.length} tensors; ` +
        `a set has at most ${MOST_FILES} and ${MOST_TENSORS}: raise shardSize`,
    )
  }
  return groups.map((group, no) => {
    const split = splitKeys({ no, count: groups.length, tensors: tensors.length })
    return planFile([...(no === 0 ? keyValues : alignment), ...split], group)
  })
}

/** The tensors of each file, whose head has `first` bytes without them, or `later` in files after the first. */
function dealOut(
  tensors: readonly ForeignTensor[],
  shardSize: number,
  alignment: number,
  first: number,
  later: number,
): ForeignTensor[][] {
  const groups: ForeignTensor[][] = []
  let group: ForeignTensor[] = []
  let head = first
  let payloads = 0
  for (const tensor of tensors) {
    const info = infoBytes(tensor)
    const bytes = alignUp(tensor.byteLength, alignment)
    if (group.length > 0 && alignUp(head + info, alignment) + payloads + bytes > shardSize) {
      groups.push(group)
      group = []
      head = later
      payloads = 0
    }
    group.push(tensor)
    head += info
    payloads += bytes
  }
  groups.push(group)
  return groups
}
