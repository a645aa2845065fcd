import { dtypeOf, type DtypeName } from 'kiln-format'

/** A 2-D slice of a tensor: which axes lie along rows and columns, and where on the others. */
export interface Slice {
  readonly rows: number
  readonly columns: number
  /** Elements from one row to the next, and from one column to the next. */
  readonly rowStride: number
  readonly columnStride: number
  /** The element at row 0, column 0. */
  readonly first: number
  /** Elements in all, for a vector that is wrapped into rows: the last row may be shorter. */
  readonly elements: number
  readonly rowAxis: number | undefined
  readonly columnAxis: number | undefined
}

/** Elements from one index to the next along each axis, row-major. */
export function stridesOf(shape: readonly number[]): number[] {
  const strides = new Array<number>(shape.length)
  let stride = 1
  for (let i = shape.length - 1; i >= 0; i--) {
    strides[i] = stride
    stride *= shape[i]!
  }
  return strides
}

/** The slice along two axes, with the other axes at their place in `at`. */
export function sliceAlong(
  shape: readonly number[],
  rowAxis: number,
  columnAxis: number,
  at: readonly number[],
): Slice {
  const strides = stridesOf(shape)
  let first = 0
  shape.forEach((dimension, axis) => {
    if (axis === rowAxis || axis === columnAxis) return
    first += Math.min(Math.max(at[axis] ?? 0, 0), Math.max(dimension - 1, 0)) * strides[axis]!
  })
  const rows = shape[rowAxis]!
  const columns = shape[columnAxis]!
  return {
    rows,
    columns,
    first,
    rowAxis,
    columnAxis,
    rowStride: strides[rowAxis]!,
    columnStride: strides[columnAxis]!,
    elements: rows * columns,
  }
}

/** A vector in rows of a length that makes it about as high as wide; a scalar is a single cell. */
export function wrappedSlice(elements: number): Slice {
  const columns = elements <= 64 ? Math.max(elements, 1) : 2 ** Math.ceil(Math.log2(Math.sqrt(elements)))
  return {
    rows: Math.ceil(elements / columns),
    columns,
    rowStride: columns,
    columnStride: 1,
    first: 0,
    elements,
    rowAxis: undefined,
    columnAxis: undefined,
  }
}

/** Which element lies at a row and column; undefined where there is none. */
export function elementAt(slice: Slice, row: number, column: number): number | undefined {
  if (row < 0 || column < 0 || row >= slice.rows || column >= slice.columns) return undefined
  if (row * slice.columns + column >= slice.elements) return undefined
  return slice.first + row * slice.rowStride + column * slice.columnStride
}

/** The coordinates of an element in a shape. */
export function coordinatesOf(shape: readonly number[], element: number): number[] {
  return stridesOf(shape).map((stride, axis) => Math.floor(element / stride) % shape[axis]!)
}

/** The bytes of a payload that hold an element, and for a narrow dtype its place within them. */
export interface ElementPlace {
  readonly byteOffset: number
  readonly byteLength: number
  /** Bits before the element in these bytes, from the low end; 0 for whole bytes. */
  readonly bitOffset: number
  /** Bits of the element; undefined in ggml's blocks, whose elements have no bits of their own. */
  readonly bits: number | undefined
}

export function placeOf(dtypeName: DtypeName, element: number): ElementPlace {
  const { blockElements, blockBits } = dtypeOf(dtypeName)
  if (blockElements > 1) {
    const byteLength = blockBits / 8
    return { byteOffset: Math.floor(element / blockElements) * byteLength, byteLength, bitOffset: 0, bits: undefined }
  }
  const firstBit = element * blockBits
  const byteOffset = Math.floor(firstBit / 8)
  const byteLength = Math.floor((firstBit + blockBits - 1) / 8) - byteOffset + 1
  return { byteOffset, byteLength, bitOffset: firstBit - byteOffset * 8, bits: blockBits }
}
