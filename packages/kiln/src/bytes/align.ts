/** Every payload begins at a multiple of this, from the start of its block (FORMAT §4). */
export const PAYLOAD_ALIGNMENT = 64

/**
 * The least multiple of `unit` that is not less than `n`. Exact up to 2^53 − unit: division, not bit
 * operators, which would wrap at 2^31.
 */
export function alignUp(n: number, unit: number): number {
  const over = n % unit
  return over === 0 ? n : n + (unit - over)
}

/** `align64` of the format. */
export function align64(n: number): number {
  return alignUp(n, PAYLOAD_ALIGNMENT)
}
