const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/**
 * A codebook from its gaps (see grid-gaps.ts), made when it is first asked for: point after point, each
 * element the value that `values` has for its digit. `elements` is how many a point has.
 */
export function lazyGrid(gaps: string, elements: 4 | 8, values: readonly number[]): () => Int8Array {
  let grid: Int8Array | undefined
  return () => (grid ??= unpackGrid(gaps, elements, values))
}

function unpackGrid(gaps: string, elements: number, values: readonly number[]): Int8Array {
  const grid: number[] = []
  let point = -1
  for (const character of gaps) {
    const gap = DIGITS.indexOf(character)
    point += gap
    if (gap === 63) continue
    point += 1
    let rest = point
    for (let i = 0; i < elements; i++) {
      grid.push(values[rest % values.length]!)
      rest = Math.floor(rest / values.length)
    }
  }
  return Int8Array.from(grid)
}
