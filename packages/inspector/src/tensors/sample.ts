import { dtypeOf, type DtypeName } from 'kiln-format'
import { numbersOf } from 'kiln-format/numeric'
import type { PayloadReader } from './payload-reader.js'
import { placeOf, type Slice } from './slice.js'

/** Bytes that one picture may take. */
const MOST_BYTES = 48 * 2 ** 20
/** Reads that one picture may take: each is a request, if the file is remote. */
const MOST_READS = 256

/** Which cells of a slice are drawn: every `rowStep`th row and `columnStep`th column of a part. */
export interface Picture {
  readonly row: number
  readonly column: number
  readonly rows: number
  readonly columns: number
  readonly rowStep: number
  readonly columnStep: number
  /** The cells' numbers, row by row; NaN where there is no cell. */
  readonly values: Float64Array
  /** Whether a cell has a number at all. */
  readonly present: Uint8Array
}

export interface Window {
  /** The first row and column that are to be seen. */
  readonly row: number
  readonly column: number
  readonly rows: number
  readonly columns: number
  /** The most cells that can be told apart. */
  readonly most: { readonly rows: number; readonly columns: number }
}

/**
 * Reads the numbers of a part of a slice. Where it has more cells than can be told apart, or than may be read at
 * once, every so many rows and columns stand for all.
 */
export async function sample(
  reader: PayloadReader,
  slice: Slice,
  window: Window,
  signal: AbortSignal,
): Promise<Picture> {
  const row = Math.max(Math.floor(window.row), 0)
  const column = Math.max(Math.floor(window.column), 0)
  const height = Math.max(Math.min(Math.ceil(window.row + window.rows), slice.rows) - row, 0)
  const width = Math.max(Math.min(Math.ceil(window.column + window.columns), slice.columns) - column, 0)
  const columnStep = Math.max(Math.ceil(width / window.most.columns), 1)
  const columns = Math.ceil(width / columnStep)
  let rowStep = Math.max(Math.ceil(height / window.most.rows), 1)
  const perRow = lineBytes(reader, slice, columns, columnStep)
  const cheap = reader.tensor.byteLength <= MOST_BYTES / 3
  if (!cheap) {
    const affordable = Math.max(
      Math.min(Math.floor(MOST_BYTES / perRow), reader.tensor.read === undefined ? 16 : MOST_READS),
      1,
    )
    rowStep = Math.max(rowStep, Math.ceil(height / affordable))
  }
  const rows = Math.ceil(height / rowStep)
  const values = new Float64Array(rows * columns).fill(NaN)
  const present = new Uint8Array(rows * columns)
  const lines = Array.from({ length: rows }, (_, i) => i)
  // Some lines at a time: a remote file answers them side by side.
  const readLine = async (i: number): Promise<void> => {
    await fillLine(
      reader,
      slice,
      { row: row + i * rowStep, column, columns, columnStep },
      values,
      present,
      i * columns,
      signal,
    )
  }
  for (let i = 0; i < lines.length; i += 6) await Promise.all(lines.slice(i, i + 6).map(readLine))
  return { row, column, rows, columns, rowStep, columnStep, values, present }
}

/** Bytes from the first to the last cell of a row that is sampled. */
function lineBytes({ tensor }: PayloadReader, slice: Slice, columns: number, columnStep: number): number {
  const { blockElements, blockBits } = dtypeOf(tensor.dtype)
  const elements = (columns - 1) * columnStep * slice.columnStride + 1
  return Math.ceil(((elements / blockElements) * blockBits) / 8) + blockBits / 8
}

interface Line {
  readonly row: number
  readonly column: number
  readonly columns: number
  readonly columnStep: number
}

async function fillLine(
  reader: PayloadReader,
  slice: Slice,
  line: Line,
  values: Float64Array,
  present: Uint8Array,
  into: number,
  signal: AbortSignal,
): Promise<void> {
  const { dtype } = reader.tensor
  const { row, column, columnStep } = line
  const beyond = Math.max(row * slice.columns + column - slice.elements + 1, 0)
  const columns =
    beyond > 0
      ? 0
      : Math.min(line.columns, Math.floor((slice.elements - 1 - row * slice.columns - column) / columnStep) + 1)
  if (columns <= 0) return
  const first = slice.first + row * slice.rowStride + column * slice.columnStride
  const step = columnStep * slice.columnStride
  if (lineBytes(reader, slice, columns, columnStep) > MOST_BYTES)
    throw new RangeError('a row of this slice is spread over too many bytes')
  const from = wholeUnits(dtype, first)
  const last = placeOf(dtype, first + (columns - 1) * step)
  const bytes = await reader.read(from.byteOffset, last.byteOffset + last.byteLength - from.byteOffset, signal)
  const numbers = numbersIn(dtype, bytes)
  const skipped = first - from.element
  for (let i = 0; i < columns; i++) {
    values[into + i] = numbers(skipped + i * step)
    present[into + i] = 1
  }
}

/** Where to begin reading for an element: at a byte or block where an element begins, and which that is. */
export function wholeUnits(
  name: DtypeName,
  element: number,
): { readonly byteOffset: number; readonly element: number } {
  const { blockElements, blockBits } = dtypeOf(name)
  // Four elements of 6 bits fill three bytes; of 4, 2 and 1 bits some fill one.
  const unit = blockElements > 1 ? blockElements : blockBits === 6 ? 4 : Math.max(8 / blockBits, 1)
  const first = element - (element % unit)
  return { byteOffset: (first / blockElements) * (blockBits / 8), element: first }
}

/** Whole bytes or blocks as numbers. Of complex numbers it is the magnitude that a colour can show. */
export function numbersIn(name: DtypeName, bytes: Uint8Array): (index: number) => number {
  if (name === 'c64' || name === 'c128') {
    const part = name === 'c64' ? 'f32' : 'f64'
    const parts = numbersOf({ dtype: part, shape: [bytes.length / (name === 'c64' ? 4 : 8)], bytes })
    return (index) => Math.hypot(parts.at(index * 2), parts.at(index * 2 + 1))
  }
  const { blockElements, blockBits } = dtypeOf(name)
  const elements = Math.floor((bytes.length * 8) / blockBits) * blockElements
  const needed = Math.ceil(((elements / blockElements) * blockBits) / 8)
  const numbers = numbersOf(
    { dtype: name, shape: [elements], bytes: bytes.subarray(0, needed) },
    { inexact: 'nearest' },
  )
  if (name !== 'bool') return (index) => numbers.at(index)
  // A byte over 1 is no bool, but the format lets it stand in a payload.
  return (index) => (bytes[index]! > 1 ? NaN : bytes[index]!)
}
