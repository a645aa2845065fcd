import { KilnError, type KilnErrorCode } from 'kiln-format'
import type { StatisticsSummary } from 'kiln-format/numeric'
import workerUrl from './statistics.ts?worker&url'
import type { FromWorker, StatisticsRun, ToWorker } from './protocol.js'

interface TrustedScriptUrl {
  toString(): string
}

interface PolicyFactory {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): TrustedScriptUrl }
}

/** The page's policy lets no text become code but through here, and here only the address of the worker. */
function workerAddress(): string | URL {
  const url = new URL(workerUrl, location.href)
  const factory = (globalThis as { trustedTypes?: PolicyFactory }).trustedTypes
  if (factory === undefined) return url
  policy ??= factory.createPolicy('kiln-worker', {
    createScriptURL: (given) => {
      if (new URL(given).origin === location.origin) return given
      throw new TypeError("a worker comes from the page's own origin")
    },
  })
  return policy.createScriptURL(url.href) as string
}

// A policy can be made once only.
let policy: ReturnType<PolicyFactory['createPolicy']> | undefined

/** Statistics of a payload in a worker of their own; aborting ends the worker at once. */
export async function runStatistics(run: StatisticsRun): Promise<StatisticsSummary> {
  const worker = new Worker(workerAddress(), { type: 'module' })
  try {
    return await converse(worker, run)
  } finally {
    worker.terminate()
  }
}

async function converse(worker: Worker, run: StatisticsRun): Promise<StatisticsSummary> {
  const { job, byteLength, chunks, signal } = run
  const pieces = chunks[Symbol.asyncIterator]()
  let sent = 0
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    const post = (message: ToWorker, transfer: Transferable[] = []): void => worker.postMessage(message, transfer)
    async function next(): Promise<void> {
      const { done, value } = await pieces.next()
      if (signal.aborted) return
      run.progress(byteLength === 0 ? 1 : sent / byteLength)
      if (done === true) {
        post({ type: 'end' })
        return
      }
      sent += value.length
      // A copy, since a piece may be memory of the source's.
      const bytes = value.slice()
      post({ type: 'piece', bytes }, [bytes.buffer])
    }
    worker.onmessage = (event: MessageEvent<FromWorker>) => {
      const message = event.data
      if (message.type === 'more') next().catch(reject)
      else if (message.type === 'done') resolve(message.summary)
      else
        reject(
          message.code === undefined
            ? new Error(message.detail)
            : new KilnError(message.code as KilnErrorCode, message.detail),
        )
    }
    worker.onerror = (event) =>
      reject(new Error(event.message === '' ? 'the worker could not be started' : event.message))
    post({ type: 'job', job })
  })
}
