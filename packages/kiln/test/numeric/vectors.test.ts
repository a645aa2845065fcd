import { describe, expect, test } from 'vitest'
import type { DtypeName } from 'kiln-format'
import { codeOf, dequantize, narrow, numberOf, numbersOf, valueBlocks, widen } from 'kiln-format/numeric'
import type { NumericTensor } from 'kiln-format/numeric'
import { unpackCodes } from '../../src/numeric/codes.js'
import { dtypeOf } from '../../src/tensors/dtypes.js'
import { elementsOf, isNanCode } from './slow-codes.js'
import { vectorFile } from './shared-vectors.js'
import { withFloat16Array } from './float16-stand-in.js'

/** Bits of f32s, as the vectors write them. */
function bitsOf(values: Float32Array): string[] {
  const words = new Uint32Array(values.buffer, values.byteOffset, values.length)
  return Array.from(words, (word, i) => (Number.isNaN(values[i]) ? 'nan' : word.toString(16).padStart(8, '0')))
}

function bytesOf(hex: string): Uint8Array {
  return new Uint8Array(Buffer.from(hex, 'hex'))
}

/** The numbers whose bits are given, in the array of their width. */
function numbersOfBits(width: string, bits: readonly string[]): Float32Array | Float64Array {
  if (width === 'f32') return new Float32Array(Uint32Array.from(bits, (word) => Number.parseInt(word, 16)).buffer)
  return new Float64Array(BigUint64Array.from(bits, (word) => BigInt(`0x${word}`)).buffer)
}

function vectors(name: string, lines: number, run: (line: never) => void): void {
  const file = vectorFile(name)
  if (file.missing !== undefined) {
    test.skip(`${name}: ${file.missing}`, () => {})
    return
  }
  test(`${name} has ${lines} lines`, () => {
    expect(file.lines).toHaveLength(lines)
  })
  for (const [i, line] of file.lines.entries()) {
    test(`${name} line ${i + 1}: ${String(line['dtype'])}`, () => run(line as never))
  }
}

interface WidenLine {
  readonly dtype: DtypeName
  readonly codes: number[]
  readonly f32: string[]
}

vectors('numeric-widen', 47, ({ dtype, codes, f32 }: WidenLine) => {
  const bits = dtypeOf(dtype).blockBits
  const tensor = { dtype, shape: [codes.length], bytes: elementsOf(codes, bits) }
  expect(bitsOf(widen(tensor))).toEqual(f32)
  expect(bitsOf(Float32Array.from(widen(tensor, 'f64')))).toEqual(f32)
  expect(bitsOf(Float32Array.from(codes, (code) => numberOf(dtype, code)))).toEqual(f32)
  const access = numbersOf(tensor)
  expect(bitsOf(Float32Array.from(codes, (_, i) => access.at(i)))).toEqual(f32)
})

interface NarrowLine {
  readonly dtype: DtypeName
  readonly from: string
  readonly bits: string[]
  readonly mode: 'saturate' | 'overflow'
  readonly codes: (number | 'nan')[]
}

function narrowLine({ dtype, from, bits, mode, codes }: NarrowLine): void {
  const width = dtypeOf(dtype).blockBits
  // For the dtypes without NaN no line asks what one becomes; so they have none to refuse.
  const numbers = numbersOfBits(from, bits)
  const payload = narrow(numbers, dtype, { mode })
  const got: number[] = []
  if (width === 32) got.push(...new Uint32Array(payload.buffer, payload.byteOffset, codes.length))
  else if (width === 16) got.push(...new Uint16Array(payload.buffer, payload.byteOffset, codes.length))
  else {
    const bytes = new Uint8Array(codes.length)
    unpackCodes(payload, width, codes.length, bytes)
    got.push(...bytes)
  }
  const told = (code: number): number | 'nan' => (isNanCode(dtype, code) ? 'nan' : code)
  expect(got.map(told)).toEqual(codes)
  if (width < 32) expect(Array.from(numbers, (number) => told(codeOf(dtype, number, { mode })))).toEqual(codes)
}

vectors('numeric-narrow', 97, narrowLine)
describe('with a Float16Array in the host', () => {
  vectors('numeric-narrow', 97, (line: NarrowLine) => withFloat16Array(() => narrowLine(line)))
})

interface DequantizeLine {
  readonly dtype: DtypeName
  readonly shape: number[]
  readonly data: string
  readonly axis: number
  readonly group_size: number
  readonly scale_dtype: DtypeName
  readonly scale_shape: number[]
  readonly scale_data: string
  readonly outer: string | null
  readonly f32: string[]
}

function f32Scalar(bits: string): NumericTensor {
  return { dtype: 'f32', shape: [], bytes: new Uint8Array(numbersOfBits('f32', [bits]).buffer) }
}

vectors('numeric-dequantize', 299, (line: DequantizeLine) => {
  const { outer } = line
  const tensor = {
    dtype: line.dtype,
    shape: line.shape,
    bytes: bytesOf(line.data),
    axis: line.axis,
    groupSize: line.group_size,
    scale: { dtype: line.scale_dtype, shape: line.scale_shape, bytes: bytesOf(line.scale_data) },
    outer: outer === null ? undefined : f32Scalar(outer),
  }
  expect(bitsOf(dequantize(tensor))).toEqual(line.f32)
  expect([...valueBlocks(tensor)].flatMap((block) => bitsOf(block as Float32Array))).toEqual(line.f32)
})

interface GgmlLine {
  readonly dtype: DtypeName
  readonly data: string
  readonly f32: string[]
}

vectors('numeric-ggml', 115, ({ dtype, data, f32 }: GgmlLine) => {
  const tensor = { dtype, shape: [f32.length], bytes: bytesOf(data) }
  expect(bitsOf(dequantize(tensor))).toEqual(f32)
  const access = numbersOf(tensor)
  expect(bitsOf(Float32Array.from(f32, (_, i) => access.at(i)))).toEqual(f32)
})
