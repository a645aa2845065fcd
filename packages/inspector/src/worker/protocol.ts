import type { DtypeName } from 'kiln-format'
import type { StatisticsSummary } from 'kiln-format/numeric'

/** A tensor whose statistics are wanted, as it is posted; scales come with their payload. */
export interface StatisticsJob {
  readonly dtype: DtypeName
  readonly shape: readonly number[]
  readonly scheme: 0 | 1 | 2
  readonly axis?: number | undefined
  readonly groupSize?: number | undefined
  readonly scale?: PostedTensor | undefined
  readonly outer?: PostedTensor | undefined
}

export interface PostedTensor {
  readonly dtype: DtypeName
  readonly shape: readonly number[]
  readonly bytes: Uint8Array
}

/** What the page wants to have done. */
export interface StatisticsRun {
  readonly job: StatisticsJob
  readonly byteLength: number
  readonly chunks: AsyncIterable<Uint8Array>
  readonly signal: AbortSignal
  /** How much of the payload has been gone through, 0 to 1. */
  progress(share: number): void
}

/** To the worker: the job, then the payload piece by piece, each after the worker has asked for it. */
export type ToWorker =
  | { readonly type: 'job'; readonly job: StatisticsJob }
  | { readonly type: 'piece'; readonly bytes: Uint8Array }
  | { readonly type: 'end' }

/** From the worker. */
export type FromWorker =
  | { readonly type: 'more' }
  | { readonly type: 'done'; readonly summary: StatisticsSummary }
  | { readonly type: 'failed'; readonly code: string | undefined; readonly detail: string }
