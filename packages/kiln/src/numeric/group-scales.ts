import { littleEndian } from '../bytes/host.js'
import { integerRange } from './code-values.js'
import { floatFormatOf } from './float-formats.js'
import type { QuantizationFormat } from './quantization-format.js'

/** The largest finite f32. */
export const MAX_F32: number = (2 - 2 ** -23) * 2 ** 127
const MIN_F32 = 2 ** -149

/** From the greatest magnitude of a group to its scale, as the scale's dtype holds it. */
export type ChooseScale = (greatest: number) => number

/** The greatest magnitude of a format's elements, before any scale: 6 of e2m1, 127 of int8. */
export function elementLimit({ dtype }: QuantizationFormat): number {
  const format = floatFormatOf(dtype)
  return format === undefined ? integerRange(dtype)![1] : format.max
}

/**
 * How a format's scales are chosen; `outer` is that of the whole tensor, and 1 where the format has none.
 *
 * - `power` (OCP MX): 2 to the power of floor(log2(greatest)) less that of the largest element, from 2^−127 to
 *   2^127. A group of zeros has 2^−127.
 * - `twoLevels`: greatest / 6 / outer, rounded to the nearest f8e4m3, but at least 2^−9 unless all is zero.
 * - `absmax`: greatest / 127 (or 7), rounded to the nearest f32, 0 if all is zero.
 */
export function scaleChooser(format: QuantizationFormat, outer: number): ChooseScale {
  const limit = elementLimit(format)
  switch (format.rule) {
    case 'power': {
      const log2 = exponentReader()
      const most = log2(limit)
      return (greatest) => 2 ** Math.min(Math.max(log2(greatest) - most, -127), 127)
    }
    case 'twoLevels': {
      const log2 = exponentReader()
      const { bias, mantissaBits, max } = floatFormatOf(format.scaleDtype)!
      const least = 2 ** (1 - bias - mantissaBits)
      return (greatest) => {
        if (greatest === 0) return 0
        const share = greatest / (limit * outer)
        // The step between neighbours of the scale's dtype there; adding 2^52 of it rounds to whole ones.
        const step = 2 ** (Math.max(log2(share), 1 - bias) - mantissaBits)
        return Math.min(Math.max(share + 2 ** 52 * step - 2 ** 52 * step, least), max)
      }
    }
    case 'absmax':
      return (greatest) => (greatest === 0 ? 0 : f32Share(greatest, limit))
  }
}

/**
 * The outer scale of a tensor by its greatest magnitude: such that the group that has it gets the largest scale.
 * 1 for a tensor of zeros.
 */
export function outerScale(format: QuantizationFormat, greatest: number): number {
  return greatest === 0 ? 1 : f32Share(greatest, elementLimit(format) * floatFormatOf(format.scaleDtype)!.max)
}

/** `greatest / parts` as f32, never 0, and never so large that `parts` times it is infinite. */
function f32Share(greatest: number, parts: number): number {
  const share = Math.max(Math.fround(greatest / parts), MIN_F32)
  // At the very end of f32's range one rounding up can be one too many; the next f32 below isn't.
  return Math.fround(share * parts) === Infinity ? Math.fround(share * (1 - 2 ** -24)) : share
}

/** A function for floor(log2(x)), exact for normal numbers; -1023 for zero and for what is under 2^-1022. */
function exponentReader(): (value: number) => number {
  const number = new Float64Array(1)
  const words = new Uint32Array(number.buffer)
  const high = littleEndian ? 1 : 0
  return (value) => {
    number[0] = value
    return ((words[high]! >>> 20) & 0x7ff) - 1023
  }
}
