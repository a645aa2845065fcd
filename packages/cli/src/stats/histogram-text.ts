import { numberText } from '../diff/words.js'
import { countText } from '../terminal/units.js'
import type { StatsRow } from './tensor-stats.js'

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']
const WIDTH = 40
const ROWS = 16

/** A histogram as bars, one a line: neighbouring bins together until there are at most 16. */
export function histogramLines({ histogram }: StatsRow): string[] {
  const group = Math.max(1, Math.ceil(histogram.counts.length / ROWS))
  const bars: { from: number; count: number }[] = []
  for (let i = 0; i < histogram.counts.length; i += group) {
    const count = histogram.counts.slice(i, i + group).reduce((sum, n) => sum + n, 0)
    bars.push({ from: histogram.from + i * histogram.bin_width, count })
  }
  const most = Math.max(1, ...bars.map(({ count }) => count))
  const labels = bars.map(({ from }) => numberText(from))
  const width = Math.max(...labels.map(({ length }) => length), 0)
  return bars.map(({ count }, i) => `${labels[i]!.padStart(width)}  ${bar(count / most)} ${countText(count)}`)
}

function bar(share: number): string {
  const eighths = Math.round(share * WIDTH * 8)
  return '█'.repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8]!
}
