import { isKilnError } from 'kiln-format'
import { streamStatistics } from 'kiln-format/numeric'
import type { FromWorker, ToWorker } from './protocol.js'

// The page posts the payload, so that the worker needs to know nothing of files, and any source will do.

function post(message: FromWorker): void {
  postMessage(message)
}

let arrived: ((message: ToWorker) => void) | undefined

addEventListener('message', (event: MessageEvent<ToWorker>) => {
  const message = event.data
  if (message.type === 'job') void run(message.job)
  else arrived?.(message)
})

async function* pieces(): AsyncGenerator<Uint8Array, void, undefined> {
  for (;;) {
    const message = await new Promise<ToWorker>((resolve) => {
      arrived = resolve
      post({ type: 'more' })
    })
    if (message.type !== 'piece') return
    yield message.bytes
  }
}

async function run(job: Extract<ToWorker, { type: 'job' }>['job']): Promise<void> {
  try {
    post({ type: 'done', summary: await streamStatistics(job, pieces()) })
  } catch (error) {
    if (isKilnError(error)) post({ type: 'failed', code: error.code, detail: error.detail })
    else post({ type: 'failed', code: undefined, detail: error instanceof Error ? error.message : String(error) })
  }
}
