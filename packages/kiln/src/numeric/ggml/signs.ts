/** Eight signs of which seven are stored: the eighth makes the number of minus signs even. */
export const EVEN_SIGNS: Uint8Array = Uint8Array.from({ length: 128 }, (_, seven) => {
  let parity = 0
  for (let bits = seven; bits > 0; bits >>= 1) parity ^= bits & 1
  return seven | (parity << 7)
})

/** Elements of one point of a codebook, times a scale; where a bit of `signs` is set, minus. */
export function putSigned(
  grid: Int8Array,
  from: number,
  elements: number,
  signs: number,
  scale: number,
  target: Float32Array,
  to: number,
): void {
  for (let i = 0; i < elements; i++) {
    const value = scale * grid[from + i]!
    target[to + i] = (signs >> i) & 1 ? -value : value
  }
}
