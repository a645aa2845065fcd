import { streamStatistics, type StatisticsSummary } from 'kiln-format/numeric'
import type { StatisticsRun } from './protocol.js'

/** Milliseconds of work between two breaths, in which the page draws and listens. */
const TURN = 12

/** Takes the place of run-statistics.ts in a page opened from disk, where browsers start no workers. */
export async function runStatistics(run: StatisticsRun): Promise<StatisticsSummary> {
  async function* breathing(): AsyncGenerator<Uint8Array, void, undefined> {
    let sent = 0
    let since = performance.now()
    for await (const chunk of run.chunks) {
      for (let at = 0; at < chunk.length; at += 65_536) {
        yield chunk.subarray(at, at + 65_536)
        if (performance.now() - since < TURN) continue
        run.progress(run.byteLength === 0 ? 1 : (sent + at) / run.byteLength)
        await new Promise((resolve) => setTimeout(resolve))
        run.signal.throwIfAborted()
        since = performance.now()
      }
      sent += chunk.length
    }
  }
  return streamStatistics(run.job, breathing())
}
