import type { Histogram } from 'kiln-format/numeric'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { roundText } from '../ui/format.js'

const HEIGHT = 190

/** Draws the bars; what comes back takes them away again. */
export function plotHistogram(
  target: HTMLElement,
  { from, binWidth, counts }: Histogram,
  width: number,
  log: boolean,
): () => void {
  const style = getComputedStyle(target)
  const ink = style.color
  const line = style.getPropertyValue('--line-colour').trim() || ink
  const bar = style.getPropertyValue('--bar-colour').trim() || ink
  const font = '12px system-ui, sans-serif'
  const starts = counts.map((_, i) => from + i * binWidth)
  // A bin of none has no height on a logarithmic scale either.
  const heights = log ? counts.map((count) => (count === 0 ? null : count)) : [...counts]
  const bars = uPlot.paths.bars
  const axis = { stroke: ink, font, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } }
  const end = from + counts.length * binWidth
  const plot = new uPlot(
    {
      width,
      height: HEIGHT,
      legend: { show: false },
      cursor: { show: false },
      scales: {
        x: { time: false, range: [from, end] },
        y: log
          ? { distr: 3, range: (_, __, high) => [0.5, Math.max(high, 1) * 1.5] }
          : { range: (_, __, high) => [0, Math.max(high, 1) * 1.05] },
      },
      axes: [
        { ...axis, grid: { show: false }, values: (_, splits) => splits.map(roundText) },
        { ...axis, size: 62, values: (_, splits) => splits.map((n) => (n === null || n < 1 ? '' : shortCount(n))) },
      ],
      series: [
        {},
        {
          fill: bar,
          width: 0,
          points: { show: false },
          ...(bars === undefined ? {} : { paths: bars({ align: 1, size: [1, Infinity], gap: 1 }) }),
        },
      ],
    },
    [starts, heights],
    target,
  )
  return () => plot.destroy()
}

function shortCount(count: number): string {
  if (count >= 1e9) return `${Number((count / 1e9).toPrecision(3))} G`
  if (count >= 1e6) return `${Number((count / 1e6).toPrecision(3))} M`
  return count >= 1e4 ? `${Number((count / 1e3).toPrecision(3))} k` : String(Number(count.toPrecision(3)))
}
