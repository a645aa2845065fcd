/** Red, green and blue from 0 to 255. */
export type Colour = readonly [number, number, number]

/** How numbers become colours: from `low` to `high`, which `diverging` maps have as far from zero on both sides. */
export interface ColourScale {
  readonly low: number
  readonly high: number
  readonly diverging: boolean
}

// Stops in sRGB, chosen so that lightness alone tells the order, and both ends differ for every colour vision.
const DIVERGING: readonly Colour[] = [[33, 60, 140], [96, 140, 205], [238, 236, 232], [226, 140, 84], [140, 44, 14]]
const SEQUENTIAL: readonly Colour[] = [[247, 242, 234], [244, 196, 140], [226, 128, 66], [166, 62, 20], [74, 18, 8]]

/** Colours that no finite number has. */
export const NAN_COLOUR: Colour = [214, 0, 214]
export const INFINITE_COLOUR: Colour = [0, 150, 80]

function between(stops: readonly Colour[], at: number): Colour {
  const place = Math.min(Math.max(at, 0), 1) * (stops.length - 1)
  const i = Math.min(Math.floor(place), stops.length - 2)
  const t = place - i
  const [a, b] = [stops[i]!, stops[i + 1]!]
  return [0, 1, 2].map((c) => Math.round(a[c]! + (b[c]! - a[c]!) * t)) as unknown as Colour
}

/** The colour of a number on a scale. */
export function colourOf(value: number, { low, high, diverging }: ColourScale): Colour {
  if (Number.isNaN(value)) return NAN_COLOUR
  if (!Number.isFinite(value)) return INFINITE_COLOUR
  const share = high > low ? (value - low) / (high - low) : diverging ? 0.5 : 0
  return between(diverging ? DIVERGING : SEQUENTIAL, share)
}

/** A scale for numbers: as far from zero on both sides if some are negative, else from the least to the greatest. */
export function scaleFor(values: Float64Array): ColourScale {
  let low = Infinity
  let high = -Infinity
  for (const value of values) {
    if (!Number.isFinite(value)) continue
    if (value < low) low = value
    if (value > high) high = value
  }
  if (low > high) return { low: 0, high: 1, diverging: false }
  if (low >= 0) return { low, high, diverging: false }
  const most = Math.max(-low, high)
  return { low: -most, high: most, diverging: true }
}
