import type { ByteSource, ReadOptions } from 'kiln-format'
import { PIECE } from '../payload/range-chunks.js'
import type { NpyArray } from './header.js'
import { fortranToC } from './transpose.js'

/**
 * A band of the array is held twice, as it came and in C order: so 32 MiB bound the memory to 64 MiB.
 * An array that fits is read once, front to back. A larger one is read band by band, each band from
 * all over the file: about once over the whole file for each 32 MiB of it, where single rows
 * of the band are too short to be read by themselves.
 */
const BAND = 2 ** 25
/** Bytes of one read, and the gap over which one read is taken rather than two. */
const WINDOW = 2 ** 22
const GAP = 2 ** 16
const SHORT_RUN = 64

/** The payload in C order, byte order as stored, in pieces of its own. */
export async function* fortranChunks(
  source: ByteSource,
  array: NpyArray,
  options?: ReadOptions,
  band = BAND,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { shape, byteLength, payloadStart, form } = array
  const width = form.dtype.blockBits / 8
  if (byteLength === 0) return
  for (const part of bandsOf(shape, Math.max(1, Math.floor(band / width)))) {
    options?.signal?.throwIfAborted()
    const bytes = part.elements * width
    const stored = new Uint8Array(bytes)
    await gather(source, payloadStart, width, part, stored, options)
    const turned = new Uint8Array(bytes)
    fortranToC(stored, turned, part.shape, width)
    for (let at = 0; at < bytes; at += PIECE) yield turned.subarray(at, Math.min(at + PIECE, bytes))
  }
}

/**
 * A part of the array that is contiguous in C order: `rows` indexes of one dimension, all of the later
 * ones, and one index of each earlier. In the file it is `groups` groups of `rows` numbers.
 */
interface Band {
  readonly shape: readonly number[]
  readonly elements: number
  /** In numbers: the first one's place, from one of a group to the next, and from a group to the next. */
  readonly first: number
  readonly rows: number
  readonly rowStep: number
  readonly groups: number
  readonly groupStep: number
}

/** The bands of an array in C order, of at most `most` numbers each. */
function* bandsOf(shape: readonly number[], most: number): Generator<Band, void, undefined> {
  // The outermost dimension whose single rows fit.
  let axis = 0
  let groups = product(shape.slice(1))
  while (groups > most) groups /= shape[++axis]!
  const later = shape.slice(axis + 1)
  const rowStep = product(shape.slice(0, axis))
  const length = shape[axis]!
  const rowsAtOnce = Math.max(1, Math.floor(most / groups))
  const index = shape.slice(0, axis).map(() => 0)
  for (let outer = 0; outer < rowStep; outer++) {
    let base = 0
    for (let d = axis - 1; d >= 0; d--) base = base * shape[d]! + index[d]!
    for (let row = 0; row < length; row += rowsAtOnce) {
      const rows = Math.min(rowsAtOnce, length - row)
      yield {
        shape: [rows, ...later],
        elements: rows * groups,
        first: base + row * rowStep,
        rows,
        rowStep,
        groups,
        groupStep: rowStep * length,
      }
    }
    for (let d = axis - 1; d >= 0; d--) {
      if (++index[d]! < shape[d]!) break
      index[d] = 0
    }
  }
}

function product(dimensions: readonly number[]): number {
  let result = 1
  for (const dimension of dimensions) result *= dimension
  return result
}

/** Reads a band's numbers into `target`, group after group, by windows that go forward through the file. */
async function gather(
  source: ByteSource,
  payloadStart: number,
  width: number,
  { first, rows, rowStep, groups, groupStep }: Band,
  target: Uint8Array,
  options: ReadOptions | undefined,
): Promise<void> {
  // Runs of numbers that lie together: whole groups where a step is one number, else single numbers.
  const run = (rowStep === 1 ? rows : 1) * width
  let window: Uint8Array = new Uint8Array(0)
  let windowStart = 0
  const last = payloadStart + (first + (groups - 1) * groupStep + (rows - 1) * rowStep) * width + width
  const near = (groupStep - rows * rowStep) * width <= GAP && rowStep * width <= GAP
  let at = 0
  for (let group = 0; group < groups; group++) {
    for (let row = 0; row < rows; row += run / width) {
      const place = payloadStart + (first + group * groupStep + row * rowStep) * width
      for (let done = 0; done < run;) {
        const inWindow = place + done - windowStart
        if (inWindow >= window.length) {
          options?.signal?.throwIfAborted()
          // Alone where the next run is far, else with what follows.
          const want = near ? last - (place + done) : run - done
          window = await source.read(place + done, Math.min(WINDOW, want), options)
          windowStart = place + done
          continue
        }
        const take = Math.min(run - done, window.length - inWindow)
        // Single numbers byte by byte: a view of each would cost ten times the copy.
        if (take <= SHORT_RUN) for (let i = 0; i < take; i++) target[at + i] = window[inWindow + i]!
        else target.set(window.subarray(inWindow, inWindow + take), at)
        at += take
        done += take
      }
    }
  }
}
