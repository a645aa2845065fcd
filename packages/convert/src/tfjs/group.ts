import { dtypeOf, KilnError, type ByteSource, type ReadOptions } from 'kiln-format'
import type { ForeignTensor, Omission } from '../model.js'
import { rangeChunks } from '../payload/range-chunks.js'
import { quoted } from '../text/quoted.js'
import { kilnDtype } from './dtypes.js'
import type { WeightEntry, WeightGroup } from './manifest.js'
import type { TfjsOptions } from './options.js'

const MOST_RANK = 8

/**
 * The weights of a group, which follow on each other in its files read as one. Weights past their end
 * are `EOF`, bytes after the last `TRAILING`. Strings have no length but their own, so they are passed
 * over one by one; an unknown dtype is `TYPE`, since where the next weight begins is unknown too.
 */
export async function weightsOf(
  group: WeightGroup,
  source: ByteSource,
  mostStrings: number,
  options?: TfjsOptions,
): Promise<(ForeignTensor | Omission)[]> {
  const weights: (ForeignTensor | Omission)[] = []
  let at = 0
  for (const entry of group.weights) {
    const what = `weight ${quoted(entry.name)}`
    if (entry.dtype === 'string' && entry.quantization === undefined) {
      at = await passStrings(entry, source, at, mostStrings, options)
      weights.push({ name: entry.name, reason: "a weight of strings, and Kiln's tensors are of numbers" })
      continue
    }
    const stored = entry.quantization?.dtype ?? entry.dtype
    const dtype = kilnDtype(stored)
    if (dtype === undefined)
      throw new KilnError('TYPE', `${what}: dtype ${quoted(stored)} is not known, nor where the next weight begins`)
    const width = dtypeOf(dtype).blockBits / 8
    const elements = elementsUpTo(entry.shape, Math.floor((source.size - at) / width))
    if (elements === undefined) {
      throw pastEnd(`${what}: ${stored}`, entry, at, source)
    }
    const offset = at
    const byteLength = elements * width
    at += byteLength
    if (entry.shape.length > MOST_RANK) {
      weights.push({
        name: entry.name,
        reason: `rank ${entry.shape.length}; a Kiln tensor has at most ${MOST_RANK} dimensions`,
      })
      continue
    }
    const shape = shapeOf(entry, what)
    const chunks = (read?: ReadOptions): AsyncIterable<Uint8Array> => rangeChunks(source, offset, byteLength, read)
    weights.push({ name: entry.name, dtype, shape, byteLength, chunks })
  }
  if (at < source.size) {
    throw new KilnError(
      'TRAILING',
      `${source.size - at} bytes follow the last weight in ${source.label}; manifest and files don't belong together`,
    )
  }
  return weights
}

/**
 * The product of a shape, or undefined if it is over `most`. It goes no further than that, because the
 * product of the many dimensions of a hostile manifest would take for ever.
 */
function elementsUpTo(shape: readonly (number | bigint)[], most: number): number | undefined {
  if (shape.includes(0)) return 0
  let product = 1
  for (const dimension of shape) {
    product *= Number(dimension)
    if (product > most) return undefined
  }
  return product <= most ? product : undefined
}

function pastEnd(what: string, entry: WeightEntry, at: number, source: ByteSource): KilnError {
  const where = `from byte ${at} of ${source.label}, which has ${source.size} bytes`
  return new KilnError('EOF', `${what} of shape [${shapeText(entry)}] ${where}`)
}

function shapeText({ shape }: WeightEntry): string {
  const shown = shape.slice(0, 16).join(', ')
  return shape.length > 16 ? `${shown}, ...` : shown
}

function shapeOf(entry: WeightEntry, what: string): number[] {
  const shape: number[] = []
  for (const dimension of entry.shape) {
    if (typeof dimension === 'bigint')
      throw new KilnError('TYPE', `${what}: a dimension of ${dimension}; they go up to 2^53 - 1`)
    shape.push(dimension)
  }
  return shape
}

/** Each string is its length, 32 bits, and its bytes. Returns where the last ends. */
async function passStrings(
  entry: WeightEntry,
  source: ByteSource,
  from: number,
  most: number,
  options?: TfjsOptions,
): Promise<number> {
  const what = `weight ${quoted(entry.name)}`
  const count = elementsUpTo(entry.shape, Math.floor((source.size - from) / 4))
  if (count === undefined) {
    throw pastEnd(`${what}: strings`, entry, from, source)
  }
  if (count > most)
    throw new KilnError('LIMIT', `${what}: ${count} strings are over the cap of ${most}; raise limits.strings`)
  let window = new Uint8Array(0) as Uint8Array
  let start = from
  let at = from
  for (let i = 0; i < count; i++) {
    if (at + 4 > source.size) throw new KilnError('EOF', `${what}: string ${i} is past the end of ${source.label}`)
    if (at + 4 > start + window.length) {
      window = await source.read(at, Math.min(2 ** 16, source.size - at), options)
      start = at
    }
    const view = new DataView(window.buffer, window.byteOffset, window.byteLength)
    const length = view.getUint32(at - start, true)
    if (length > source.size - at - 4) {
      throw new KilnError('EOF', `${what}: string ${i} of ${length} bytes is past the end of ${source.label}`)
    }
    at += 4 + length
  }
  return at
}
