import type { Output } from './output.js'
import { sizeText } from './units.js'

/** Says how far a long step has come. */
export interface Progress {
  /** Counts bytes that have been dealt with. */
  add(bytes: number): void
  /** Takes the line away. */
  done(): void
}

// What takes less than this shows nothing: a line that flashes up tells nobody anything.
const DELAY_MS = 1000
const INTERVAL_MS = 200

/** The progress line: `convert  1.2 GiB of 2.0 GiB  60%  310 MiB/s`. */
export function progressText(label: string, bytes: number, total: number | undefined, seconds: number): string {
  const rate = `${sizeText(Math.round(bytes / Math.max(seconds, 0.001)))}/s`
  if (total === undefined || total === 0) return `${label}  ${sizeText(bytes)}  ${rate}`
  return `${label}  ${sizeText(bytes)} of ${sizeText(total)}  ${Math.floor((Math.min(bytes, total) / total) * 100)}%  ${rate}`
}

const silent: Progress = { add: () => undefined, done: () => undefined }

/** A line on a terminal's standard error for a step that takes over a second; nothing at all elsewhere. */
export function startProgress(err: Output, label: string, total: number | undefined, now: () => number = Date.now): Progress {
  if (!err.isTTY) return silent
  const start = now()
  let last = start
  let bytes = 0
  let shown = false
  return {
    add(count) {
      bytes += count
      const at = now()
      if (at - start < DELAY_MS || at - last < INTERVAL_MS) return
      last = at
      shown = true
      void err.write(`\r\u001b[2K${progressText(label, bytes, total, (at - start) / 1000)}`).catch(() => undefined)
    },
    done() {
      if (shown) void err.write('\r\u001b[2K').catch(() => undefined)
      shown = false
    },
  }
}
