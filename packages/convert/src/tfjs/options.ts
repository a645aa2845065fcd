import type { ReadOptions } from 'kiln-format'
import { resolveCaps } from '../reading/caps.js'

/** Caps of the TensorFlow.js reader; what is over one is `LIMIT`, and the message names it. */
export interface TfjsLimits {
  /** Bytes of the JSON. Default 2^28. */
  readonly json: number
  /** Files with weights. Default 100,000. */
  readonly files: number
  /** Strings of one weight of strings, which have to be passed over one by one. Default 2^24. */
  readonly strings: number
}

/** Options of the TensorFlow.js reader. */
export interface TfjsOptions extends ReadOptions {
  /** Caps; each that is left out has its default. */
  readonly limits?: Partial<TfjsLimits> | undefined
}

export function resolveLimits(options: TfjsOptions | undefined): TfjsLimits {
  return resolveCaps({ json: 2 ** 28, files: 100_000, strings: 2 ** 24 }, options?.limits)
}
