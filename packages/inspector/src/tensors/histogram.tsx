import type { Histogram } from 'kiln-format/numeric'
import { useEffect, useRef, useState } from 'preact/hooks'
import { countText, plural, roundText } from '../ui/format.js'
import { useWidth } from '../ui/use-size.js'
import { useTheme } from '../app/theme.js'

/** A histogram as bars, and as a table for those who can't see them. The plotting library comes when it is needed. */
export function HistogramPlot({ histogram }: { readonly histogram: Histogram }) {
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  const theme = useTheme()
  const [log, setLog] = useState(false)
  const { from, binWidth, counts } = histogram
  const range = `from ${roundText(from)} to ${roundText(from + counts.length * binWidth)}`
  const label = `Histogram ${range}; the highest bin has ${countText(Math.max(...counts))} values.`
  useEffect(() => {
    const target = box.current
    if (target === null || width === 0) return undefined
    let gone = false
    let destroy: (() => void) | undefined
    void import('./histogram-plot.js').then(({ plotHistogram }) => {
      if (!gone) destroy = plotHistogram(target, histogram, width, log)
    })
    return () => {
      gone = true
      destroy?.()
    }
  }, [histogram, width, log, theme])
  return (
    <div class="histogram">
      <div class="toolbar">
        <span class="quiet-text small">
          {plural(counts.length, 'bin')} of {roundText(binWidth)}
        </span>
        <button type="button" class="quiet" aria-pressed={log} onClick={() => setLog(!log)}>
          Log scale
        </button>
      </div>
      <div
        ref={box}
        class="plot"
        role="img"
        aria-label={label}
      />
      <details>
        <summary>Bins as a table</summary>
        <div class="scroll-y" tabIndex={0} role="region" aria-label="Bins">
          <table class="plain">
            <thead>
              <tr>
                <th scope="col" class="right">
                  From
                </th>
                <th scope="col" class="right">
                  Values
                </th>
              </tr>
            </thead>
            <tbody>
              {counts.map((count, i) => (
                <tr key={i}>
                  <th scope="row" class="right number">
                    {String(from + i * binWidth)}
                  </th>
                  <td class="right number">{countText(count)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </div>
  )
}
