import { KilnError } from '../errors/kiln-error.js'
import { eachWords, type WordArrayType } from './words.js'

/**
 * What becomes of a number that the wider array can't hold exactly: an integer of more than 24 bits (f32) or
 * 53 bits (f64), or an f64 in an f32. `refuse` is `TYPE` with the element's index; `nearest` is one rounding
 * to the nearest, ties to even, and infinity past the largest finite number.
 */
export type Inexact = 'refuse' | 'nearest'

/**
 * The error for a number that can't be held exactly.
 * @internal
 */
export function inexactAt(index: number, value: string, dtype: string, wide: 'f32' | 'f64'): KilnError {
  return new KilnError('TYPE', `${value} (${dtype}) is no ${wide}; pass inexact: 'nearest' to round it`).within(index)
}

/** Widens i32, u32 and f64 to f32, checking each number. */
export function widenChecked<A extends Int32Array | Uint32Array | Float64Array>(
  type: WordArrayType<A>,
  dtype: string,
  bytes: Uint8Array,
  count: number,
  target: Float32Array,
  inexact: Inexact,
  firstIndex: number,
): void {
  eachWords(type, bytes, count, (values, first, length) => {
    for (let i = 0; i < length; i++) {
      const value = values[i]!
      const rounded = Math.fround(value)
      if (inexact === 'refuse' && rounded !== value && !Number.isNaN(value)) {
        throw inexactAt(firstIndex + first + i, String(value), dtype, 'f32')
      }
      target[first + i] = rounded
    }
  })
}

/**
 * Widens i64 and u64. An integer is high * 2^32 + low; both are exact as f64, so their sum is rounded once,
 * and taking `high` off again gives back `low` where it was not rounded at all.
 */
export function widenInt64(
  signed: boolean,
  bytes: Uint8Array,
  count: number,
  target: Float32Array | Float64Array,
  inexact: Inexact,
  firstIndex: number,
): void {
  const single = target instanceof Float32Array
  eachWords(Uint32Array, bytes, count * 2, (words, firstWord, length) => {
    const first = firstWord / 2
    for (let i = 0; i < length / 2; i++) {
      const low = words[2 * i]!
      const high = (signed ? words[2 * i + 1]! | 0 : words[2 * i + 1]!) * 2 ** 32
      const sum = high + low
      const exact = sum - high === low
      if (exact && (!single || Math.fround(sum) === sum)) {
        target[first + i] = sum
      } else if (inexact === 'refuse') {
        const value = String(BigInt(high) + BigInt(low))
        throw inexactAt(firstIndex + first + i, value, signed ? 'i64' : 'u64', single ? 'f32' : 'f64')
      } else {
        target[first + i] = single && !exact ? withSticky(high, low) : sum
      }
    }
  })
}

// An f64 that was rounded already can't be rounded to f32: it may have been moved onto a tie. With its last
// bit set instead wherever something was lost, the f32 comes out right: 53 bits are more than 24 + 2.
function withSticky(high: number, low: number): number {
  const exact = BigInt(high) + BigInt(low)
  const kept = exact >> 11n // less than 2^53
  const lost = exact - (kept << 11n) !== 0n
  return Number(kept | (lost ? 1n : 0n)) * 2 ** 11
}
