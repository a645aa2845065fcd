import { checkFunction } from '../limits/options.js'
import type { ReadOptions } from '../sources/source.js'
import type { DtypeName } from '../tensors/dtypes.js'
import { neededLength } from '../tensors/tensor-input.js'
import { BytePieces } from './byte-pieces.js'
import {
  checkQuantizeOptions, greatestOf, groupingOf, GroupQuantizer, type QuantizedBytes, type QuantizeOptions,
} from './group-quantizer.js'
import { outerScale } from './group-scales.js'
import { quantizationFormat, type QuantizationName } from './quantization-format.js'
import { linksOf, outerBytes, quantizedNames, type QuantizedLinks } from './quantize.js'
import { extentOf, type LinkedShape } from './tensor.js'
import { checkHasValues, streamValues, type Chunks } from './value-blocks.js'
import { inexactOf, type WidenOptions } from './widen.js'

/** A payload that can be read again and again, from its start each time. */
export type RereadableChunks = (options?: ReadOptions) => Chunks

/** A tensor that is quantized as it is read: what `encodeDirectory` needs to know, and its payload in pieces. */
export interface QuantizedTensor extends Partial<QuantizedLinks> {
  readonly name: string
  readonly dtype: DtypeName
  readonly shape: readonly number[]
  /** Bytes of the payload: exactly what dtype and shape need. */
  readonly byteLength: number
  /** Reads the source from its start and gives the payload in pieces of 256 KiB or less. */
  chunks(options?: ReadOptions): AsyncGenerator<Uint8Array, void, undefined>
}

/**
 * `quantize` in bounded memory: the same set of linked tensors, bit for bit, each of which makes its payload from the
 * source when it is asked for. `tensor` describes the source, with its links; its values are those of `dequantize`.
 *
 * The source is read once for the elements and once for the scales, and for `nvfp4` once more before them, for
 * the outer scale; that is kept. Memory: 256 KiB and a block, along another axis than the last also `groupSize`
 * steps along it. Errors are those of `quantize`; those of the source's numbers come while a payload is read.
 */
export function streamQuantized(
  name: string,
  tensor: LinkedShape,
  chunks: RereadableChunks,
  format: QuantizationName,
  options: QuantizeOptions & WidenOptions = {},
): QuantizedTensor[] {
  const names = quantizedNames(name)
  const row = quantizationFormat(format)
  checkQuantizeOptions(options)
  inexactOf(options)
  checkFunction(chunks ?? null, 'chunks')
  checkHasValues(extentOf(tensor).dtype)
  const grouping = groupingOf(tensor.shape, row, options)
  const values = (read: ReadOptions | undefined) => streamValues(tensor, chunks(read), { inexact: options.inexact })

  let outer: number | undefined = row.rule === 'twoLevels' ? undefined : 1
  const outerOnce = async (read: ReadOptions | undefined): Promise<number> => {
    if (outer !== undefined) return outer
    let greatest = 0
    let first = 0
    for await (const block of values(read)) {
      greatest = Math.max(greatest, greatestOf(block, 0, block.length, options.infinity ?? 'refuse', first))
      first += block.length
    }
    outer = outerScale(row, greatest)
    return outer
  }

  async function* pass(part: keyof QuantizedBytes, read: ReadOptions | undefined): AsyncGenerator<Uint8Array, void> {
    const pieces = new BytePieces()
    const put = (bytes: Uint8Array): void => pieces.add(bytes)
    const quantizer = new GroupQuantizer(row, grouping, await outerOnce(read), options, { [part]: put })
    for await (const block of values(read)) {
      quantizer.push(block)
      yield* pieces.take()
    }
    quantizer.end()
    yield* pieces.end()
  }

  const described = (tensorName: string, dtype: DtypeName, shape: readonly number[]) =>
    ({ name: tensorName, dtype, shape, byteLength: neededLength(dtype, shape) })
  const set: QuantizedTensor[] = [
    {
      ...described(names.data, row.dtype, tensor.shape),
      ...linksOf(names, row, grouping.axis),
      chunks: (read) => pass('codes', read),
    },
    { ...described(names.scale, row.scaleDtype, grouping.scaleShape), chunks: (read) => pass('scales', read) },
  ]
  if (row.rule === 'twoLevels') {
    set.push({
      ...described(names.outer, 'f32', [1]),
      async *chunks(read) {
        yield outerBytes(await outerOnce(read))
      },
    })
  }
  return set
}
