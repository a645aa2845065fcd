/**
 * The least multiple of `unit` that is not less than `n`. Division, not bit operators, which would
 * wrap at 2^31; exact up to 2^53 − unit.
 */
export function alignUp(n: number, unit: number): number {
  const over = n % unit
  return over === 0 ? n : n + (unit - over)
}
