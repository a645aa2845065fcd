const WORD = 2 ** 32

/**
 * A u64 as a number. Over 2^53 − 1 the answer is rounded, but never down to a safe integer: so
 * `Number.isSafeInteger` of it tells, and it compares as the large number that it is.
 */
export function readU64(view: DataView, offset: number): number {
  const high = view.getUint32(offset + 4, true)
  const low = view.getUint32(offset, true)
  // Most words are small: an integer then stays one, without a multiplication of doubles.
  return high === 0 ? low : high * WORD + low
}

/** Writes a safe integer that is not negative as a u64. */
export function writeU64(view: DataView, offset: number, value: number): void {
  if (value < WORD) {
    view.setUint32(offset, value, true)
    view.setUint32(offset + 4, 0, true)
    return
  }
  const high = Math.floor(value / WORD)
  view.setUint32(offset, value - high * WORD, true)
  view.setUint32(offset + 4, high, true)
}
