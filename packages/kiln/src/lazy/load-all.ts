import { KilnError } from '../errors/kiln-error.js'
import { wholeNumber } from '../limits/options.js'
import { linkedAbort, signalOf } from '../sources/abort.js'
import { readRange } from '../sources/range.js'
import type { AbortSignalLike } from '../sources/source.js'
import type { Tensor } from '../tensors/tensor.js'
import { mergeRanges, type MergedRange } from './merge.js'
import type { LoadOptions } from './payloads.js'
import { loadedTensor, type LazyTensor, type TensorHome } from './tensor.js'

/** How `loadAll` reads: what it merges, how much at a time, how far ahead. */
export interface LoadAllOptions extends LoadOptions {
  /** Payloads with at most this many bytes between them are read at once. Default 64 KiB. */
  readonly gap?: number | undefined
  /** A read of several payloads has at most this many bytes. Default 8 MiB. */
  readonly mergeLimit?: number | undefined
  /** Reads at a time. Default 4. */
  readonly concurrency?: number | undefined
  /** Bytes that are read ahead of the tensor that the loop is at; twice that may lie in memory. Default 32 MiB. */
  readonly ahead?: number | undefined
}

/** Tensors that are read together, in the order in which they were asked for. */
interface Batch {
  readonly payloads: ReadonlyMap<LazyTensor, Promise<Uint8Array>>
  /** When all of them have come, or one has failed. */
  readonly settled: Promise<unknown>
}

/**
 * Loads tensors one after the other, in the order given. Batches of bounded size are read ahead: within one, payloads
 * that lie close are read at once; the next starts when the one before has come. Leaving the loop ends what is under
 * way.
 */
export async function* loadAll(
  home: TensorHome,
  tensors: readonly LazyTensor[],
  options: LoadAllOptions,
): AsyncGenerator<Tensor, void, undefined> {
  const signal = signalOf(options)
  const limits = {
    gap: wholeNumber(options.gap, 'gap', 64 * 1024, 0, true),
    most: wholeNumber(options.mergeLimit, 'mergeLimit', 8 * 2 ** 20, 0, true),
    concurrency: wholeNumber(options.concurrency, 'concurrency', 4, 1, true),
    ahead: wholeNumber(options.ahead, 'ahead', 32 * 2 ** 20, 0, true),
  }
  const abort = linkedAbort(signal)
  const start = (batch: readonly LazyTensor[]): Batch => {
    const ranges = mergeRanges(batch, limits.gap, limits.most)
    return readRanges(home, ranges, limits.concurrency, { ...options, signal: abort.signal })
  }
  try {
    const batches = batchesOf(tensors, limits.ahead)
    let current: Batch | undefined
    for (const [i, batch] of batches.entries()) {
      const reading = current ?? start(batch)
      const next = batches[i + 1]
      const ahead = next === undefined ? undefined : reading.settled.then(() => start(next))
      // Its failure is met when its turn comes.
      ahead?.catch(() => undefined)
      for (const tensor of batch) {
        const bytes = await reading.payloads.get(tensor)!
        signal?.throwIfAborted()
        yield loadedTensor(home.table, tensor.index, bytes, new Map())
      }
      current = await ahead
    }
  } finally {
    abort.abort(new KilnError('TYPE', 'the loop over the tensors was left'))
    abort.unlink()
  }
}

/** Cuts the list into batches of at most `most` bytes; a larger tensor is one for itself. */
function batchesOf(tensors: readonly LazyTensor[], most: number): LazyTensor[][] {
  const batches: LazyTensor[][] = []
  let size = 0
  for (const tensor of tensors) {
    if (batches.length === 0 || size + tensor.byteLength > most) {
      batches.push([])
      size = 0
    }
    batches[batches.length - 1]!.push(tensor)
    size += tensor.byteLength
  }
  return batches
}

/** Starts reading ranges, some at a time, and gives each tensor's payload as a promise. */
function readRanges(
  home: TensorHome,
  ranges: readonly MergedRange[],
  concurrency: number,
  options: LoadOptions & { readonly signal: AbortSignalLike },
): Batch {
  const payloads = new Map<LazyTensor, Promise<Uint8Array>>()
  const waiting: (() => Promise<void>)[] = []
  for (const range of ranges) {
    const { promise, resolve, reject } = deferred<Uint8Array>()
    // A tensor that the loop never comes to must not make the process complain.
    promise.catch(() => undefined)
    waiting.push(() => readOne(home, range, options).then(resolve, reject))
    for (const tensor of range.tensors as readonly LazyTensor[]) {
      const payload = promise.then((bytes) => payloadIn(home, range, tensor, bytes, options))
      payload.catch(() => undefined)
      payloads.set(tensor, payload)
    }
  }
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await next()
  }
  const settled = Promise.all(Array.from({ length: Math.min(concurrency, ranges.length) }, worker))
  return { payloads, settled }
}

async function readOne(home: TensorHome, range: MergedRange, options: LoadOptions): Promise<Uint8Array> {
  const { reader } = home
  const [only] = range.tensors
  if (range.tensors.length === 1 && only !== undefined) return reader.load(only, options)
  return readRange(reader.source, reader.start + range.offset, range.length, options)
}

/** A payload of a range, in memory of its own, so that a small tensor doesn't keep all its neighbours. */
async function payloadIn(
  home: TensorHome,
  range: MergedRange,
  tensor: LazyTensor,
  bytes: Uint8Array,
  options: LoadOptions,
): Promise<Uint8Array> {
  if (range.tensors.length === 1) return bytes
  const from = tensor.byteOffset - range.offset
  return home.reader.take(tensor, Uint8Array.prototype.slice.call(bytes, from, from + tensor.byteLength), options)
}

interface Deferred<T> {
  readonly promise: Promise<T>
  readonly resolve: (value: T) => void
  readonly reject: (reason: unknown) => void
}

function deferred<T>(): Deferred<T> {
  let resolve!: (value: T) => void
  let reject!: (reason: unknown) => void
  const promise = new Promise<T>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}
