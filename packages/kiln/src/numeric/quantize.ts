import { allocate } from '../bytes/allocate.js'
import { KilnError } from '../errors/kiln-error.js'
import type { DtypeName } from '../tensors/dtypes.js'
import { neededLength, type TensorInput } from '../tensors/tensor-input.js'
import { BLOCK } from './decode.js'
import {
  checkQuantizeOptions, greatestOf, groupingOf, GroupQuantizer, type QuantizeOptions,
} from './group-quantizer.js'
import { outerScale } from './group-scales.js'
import { narrow } from './narrow.js'
import { plainNumbers, copyNumbers, type Numbers } from './number-input.js'
import { quantizationFormat, type QuantizationFormat, type QuantizationName } from './quantization-format.js'

/** The names of a quantized tensor and of those it is linked to. */
export interface QuantizedNames {
  readonly data: string
  readonly scale: string
  readonly outer: string
}

/** `NAME`, `NAME.scale` and `NAME.outer`; `TYPE` for an empty name, by which nothing can be linked. */
export function quantizedNames(name: string): QuantizedNames {
  if (typeof name !== 'string' || name === '') {
    throw new KilnError('TYPE', 'a quantized tensor needs a name for its links')
  }
  return { data: name, scale: `${name}.scale`, outer: `${name}.outer` }
}

/**
 * Numbers as a set of linked tensors for `encodeDirectory`: the elements (with `name`), their scales
 * (`NAME.scale`) and for `nvfp4` the outer scale (`NAME.outer`).
 *
 * | format | elements | scales | share a scale | outer |
 * | --- | --- | --- | --- | --- |
 * | `mxfp4` | `e2m1` | `e8m0` | 32 | |
 * | `mxfp6e3m2`, `mxfp6e2m3` | `e3m2`, `e2m3` | `e8m0` | 32 | |
 * | `mxfp8e4m3`, `mxfp8e5m2` | `f8e4m3`, `f8e5m2` | `e8m0` | 32 | |
 * | `nvfp4` | `e2m1` | `f8e4m3` | 16 | `f32` |
 * | `int8:N`, `int4:N` | `i8` from −127 to 127, `i4` from −7 to 7 | `f32` | N | |
 *
 * Each element is divided by its scale (with an outer one, by their product) in f64, and rounded once to the
 * element's dtype: to the nearest, ties to even, past the largest number to that one. How scales are
 * chosen: OCP MX: a power of 2, by the exponent of the group's greatest magnitude; `nvfp4`: the outer scale by the
 * tensor's greatest magnitude, a group's by its own; `int8` and `int4`: the group's greatest by 127 or 7.
 *
 * `values` are as many as the shape has, in row-major order. `TYPE` for other numbers than that, for rank 0, and
 * for NaN and infinities unless `options` says what they become.
 */
export function quantize(
  name: string,
  shape: readonly number[],
  given: Numbers,
  format: QuantizationName,
  options: QuantizeOptions = {},
): TensorInput[] {
  const names = quantizedNames(name)
  const row = quantizationFormat(format)
  checkQuantizeOptions(options)
  const values = plainNumbers(given)
  const grouping = groupingOf(shape, row, options)
  const { scaleShape } = grouping
  const elements = shape.reduce((product, length) => product * length, 1)
  if (values.length !== elements) {
    throw new KilnError('TYPE', `shape [${shape.join(', ')}] needs ${elements} numbers, there are ${values.length}`)
  }
  const data = payload(row.dtype, shape)
  const scales = payload(row.scaleDtype, scaleShape)
  const outer = row.rule === 'twoLevels' ? outerScale(row, greatestOfAll(values, options)) : undefined
  const quantizer = new GroupQuantizer(row, grouping, outer ?? 1, options, { codes: data.put, scales: scales.put })
  eachBlock(values, (block) => quantizer.push(block))
  quantizer.end()
  const links = linksOf(names, row, grouping.axis)
  const set: TensorInput[] = [
    { name: names.data, dtype: row.dtype, shape: [...shape], data: data.bytes, ...links },
    { name: names.scale, dtype: row.scaleDtype, shape: scaleShape, data: scales.bytes },
  ]
  if (outer !== undefined) set.push({ name: names.outer, dtype: 'f32', shape: [1], data: outerBytes(outer) })
  return set
}

/** The links of the elements' tensor. */
export function linksOf(names: QuantizedNames, format: QuantizationFormat, axis: number): QuantizedLinks {
  const links = { scale: names.scale, axis, groupSize: format.groupSize }
  return format.rule === 'twoLevels' ? { ...links, outer: names.outer } : links
}

/** Links by name, as `encodeDirectory` takes them (FORMAT §5). */
export interface QuantizedLinks {
  readonly scale: string
  readonly outer?: string
  readonly axis: number
  readonly groupSize: number
}

/** The payload of an outer scale. */
export function outerBytes(outer: number): Uint8Array {
  return narrow([outer], 'f32', { mode: 'saturate' })
}

function payload(dtype: DtypeName, shape: readonly number[]): { bytes: Uint8Array; put: (part: Uint8Array) => void } {
  const bytes = allocate(Uint8Array, neededLength(dtype, shape))
  let at = 0
  return {
    bytes,
    put: (part) => {
      bytes.set(part, at)
      at += part.length
    },
  }
}

function greatestOfAll(values: Numbers, options: QuantizeOptions): number {
  let greatest = 0
  eachBlock(values, (block, first) => {
    greatest = Math.max(greatest, greatestOf(block, 0, block.length, options.infinity ?? 'refuse', first))
  })
  return greatest
}

function eachBlock(values: Numbers, visit: (block: Float64Array, first: number) => void): void {
  const block = new Float64Array(Math.min(BLOCK, values.length))
  for (let first = 0; first < values.length; first += BLOCK) {
    const length = Math.min(BLOCK, values.length - first)
    copyNumbers(values, first, length, block)
    visit(block.subarray(0, length), first)
  }
}
