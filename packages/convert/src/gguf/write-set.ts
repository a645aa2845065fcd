import { KilnError } from 'kiln-format'
import type { ByteSink, ReadOptions } from 'kiln-format'
import type { ForeignTensor, WritableModel } from '../model.js'
import { plainName } from '../paths/plain-name.js'
import { alignUp } from '../reading/align.js'
import { utf8Bytes } from '../reading/text.js'
import { keyValuesOf } from './metadata.js'
import { checkTensors, planFile, writePlanned } from './plan-file.js'
import type { GgufPlan } from './plan-file.js'
import { MOST_FILES, MOST_TENSORS, namesOf, SPLIT_KEYS, splitKeys } from './split.js'
import { ALIGNMENT_KEY } from './value-types.js'
import type { GgufKeyValue } from './value-types.js'

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
  const set = plainName(options.name ?? 'model', 'the name')
  checkTensors(model.tensors)
  const plans = planSet(model, options.shardSize)
  const files = plans.length === 1 ? [`${set}.gguf`] : namesOf(set, plans.length)
  const sinks: ByteSink[] = []
  try {
    for (const [i, plan] of plans.entries()) {
      const sink = await open(files[i]!)
      sinks.push(sink)
      await writePlanned(plan, sink, options)
    }
    for (const sink of sinks) await sink.close()
  } catch (error) {
    await Promise.allSettled(sinks.map((sink) => sink.abort(error)))
    throw error
  }
  return { files, bytes: plans.reduce((sum, { size }) => sum + size, 0) }
}

function planSet({ tensors, metadata }: WritableModel, shardSize: number): GgufPlan[] {
  if (!(shardSize >= 1)) throw new KilnError('TYPE', `a shard size of ${shardSize} bytes is not possible; give 1 or more`)
  const keyValues = [...keyValuesOf(metadata ?? new Map())].filter(({ key }) => !SPLIT_KEYS.has(key))
  const whole = planFile(keyValues, tensors)
  if (whole.size <= shardSize) return [whole]
  const alignment = keyValues.filter(({ key }) => key === ALIGNMENT_KEY)
  const first = sizeOfHead([...keyValues, ...splitKeys({ no: 0, count: 2, tensors: 0 })], whole.alignment)
  const later = sizeOfHead([...alignment, ...splitKeys({ no: 0, count: 2, tensors: 0 })], whole.alignment)
  const groups = dealOut(tensors, shardSize, whole.alignment, first, later)
  if (groups.length === 1) return [whole]
  if (groups.length > MOST_FILES || tensors.length > MOST_TENSORS) {
    throw new KilnError('LIMIT', `a set of ${groups.length} files with ${tensors.length} tensors; a set has at most ${MOST_FILES} and ${MOST_TENSORS}: raise shardSize`)
  }
  return groups.map((group, no) => {
    const split = splitKeys({ no, count: groups.length, tensors: tensors.length })
    return planFile([...(no === 0 ? keyValues : alignment), ...split], group)
  })
}

/** Bytes of a file without tensors, and the most that its padding may grow by with some. */
function sizeOfHead(keyValues: readonly GgufKeyValue[], alignment: number): number {
  return planFile(keyValues, []).size + alignment
}

function dealOut(
  tensors: readonly ForeignTensor[],
  shardSize: number,
  alignment: number,
  first: number,
  later: number,
): ForeignTensor[][] {
  const groups: ForeignTensor[][] = []
  let group: ForeignTensor[] = []
  let size = first
  for (const tensor of tensors) {
    const { name, shape, byteLength } = tensor
    // An info is the name and its length, the rank, the dimensions, type and offset.
    const info = utf8Bytes(name, 'a name').length + 8 + 4 + 8 * shape.length + 4 + 8
    const bytes = info + alignUp(byteLength, alignment)
    if (group.length > 0 && size + bytes > shardSize) {
      groups.push(group)
      group = []
      size = later
    }
    group.push(tensor)
    size += bytes
  }
  groups.push(group)
  return groups
}
