import { useEffect, useState } from 'preact/hooks'
import { tensorTitle } from './naming.js'
import type { StatisticsSummary } from 'kiln-format/numeric'
import { faultOf } from '../model/fault.js'
import type { OpenedFile, ViewTensor } from '../model/opened-file.js'
import { countText, roundText, numberText } from '../ui/format.js'
import { Facts, Notice, Progress, Section } from '../ui/parts.js'
import { useWork } from '../ui/use-work.js'
import type { PostedTensor, StatisticsJob } from '../worker/protocol.js'
import { HistogramPlot } from './histogram.js'

/** Payloads up to here are gone through without being asked. */
const SMALL = 4 * 2 ** 20
const MOST_SCALES = 64 * 2 ** 20

/** Minimum, maximum, mean, odd values and a histogram, worked out beside the page. */
export function StatisticsPanel({ file, tensor }: { readonly file: OpenedFile; readonly tensor: ViewTensor }) {
  const [scaled, setScaled] = useState(false)
  const { work, start, stop } = useWork((signal, progress) => run(file, tensor, scaled, signal, progress))

  useEffect(() => {
    stop()
    if (tensor.byteLength <= SMALL) start()
  }, [file, tensor.index, scaled])

  const action =
    work.state === 'busy' ? (
      <button type="button" onClick={stop}>
        Cancel
      </button>
    ) : work.state === 'done' ? null : (
      <button type="button" onClick={start}>
        Compute
      </button>
    )
  return (
    <Section title="Statistics" aside={action}>
      {tensor.scheme === 0 ? null : (
        <label class="check">
          <input type="checkbox" checked={scaled} onChange={(event) => setScaled(event.currentTarget.checked)} />
          Apply scales
        </label>
      )}
      <div aria-live="polite">
        {work.state === 'idle' ? (
          <p class="quiet-text">All of the payload is read for these. Nothing leaves your browser.</p>
        ) : null}
        {work.state === 'busy' ? (
          <Progress share={work.share} label={`Statistics of ${tensorTitle(tensor.name, tensor.index)}`} />
        ) : null}
        {work.state === 'failed' ? (
          <Notice kind="fault" title="No statistics">
            {faultOf(work.error).detail}
          </Notice>
        ) : null}
        {work.state === 'done' ? <Summary summary={work.value} single={tensor.dtype === 'f32' || scaled} /> : null}
      </div>
    </Section>
  )
}

function Summary({ summary, single }: { readonly summary: StatisticsSummary; readonly single: boolean }) {
  const { min, max, mean, std, count, finite, nans, infinities, zeros, subnormals, histogram } = summary
  const rows: (readonly [string, string])[] = []
  if (min !== undefined && max !== undefined && mean !== undefined && std !== undefined) {
    rows.push(
      ['Minimum', numberText(min, single)],
      ['Maximum', numberText(max, single)],
      ['Mean', roundText(mean)],
      ['Std. deviation', roundText(std)],
    )
  }
  rows.push(['Zeros', countText(zeros)])
  if (subnormals > 0) rows.push(['Subnormal', countText(subnormals)])
  rows.push(['NaN', countText(nans)], ['±∞', countText(infinities)])
  if (finite !== count) rows.push(['Finite', countText(finite)])
  return (
    <>
      <Facts rows={rows.map(([term, text]) => [term, <span class="mono">{text}</span>])} />
      {histogram.counts.length === 0 ? null : <HistogramPlot histogram={histogram} />}
    </>
  )
}

async function run(
  file: OpenedFile,
  tensor: ViewTensor,
  scaled: boolean,
  signal: AbortSignal,
  progress: (share: number) => void,
): Promise<StatisticsSummary> {
  const job = await jobOf(file, tensor, scaled, signal)
  const { byteLength } = tensor
  const task = { job, byteLength, chunks: tensor.chunks({ signal }), signal, progress }
  const { runStatistics } = await import('../worker/run-statistics.js')
  return runStatistics(task)
}

async function jobOf(
  { tensors }: OpenedFile,
  tensor: ViewTensor,
  scaled: boolean,
  signal: AbortSignal,
): Promise<StatisticsJob> {
  const { dtype, shape, scheme, axis, groupSize, scale, outer } = tensor
  if (!scaled || scheme === 0 || scale === undefined) return { dtype, shape, scheme: 0 }
  return {
    dtype,
    shape,
    scheme,
    axis,
    groupSize,
    scale: await posted(tensors.at(scale), signal),
    ...(outer === undefined ? {} : { outer: await posted(tensors.at(outer), signal) }),
  }
}

async function posted(tensor: ViewTensor, signal: AbortSignal): Promise<PostedTensor> {
  const { dtype, shape, byteLength } = tensor
  if (byteLength > MOST_SCALES)
    throw new RangeError(`the scales take ${byteLength} bytes, more than are held for statistics`)
  const bytes = new Uint8Array(byteLength)
  let at = 0
  for await (const piece of tensor.chunks({ signal })) {
    bytes.set(piece, at)
    at += piece.length
  }
  return { dtype, shape, bytes }
}
