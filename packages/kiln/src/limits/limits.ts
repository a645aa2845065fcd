import { KilnError } from '../errors/kiln-error.js'
import { checkOptions, isChosen, isOn } from './options.js'

/** The caps of a reader (FORMAT §2, Caps). What is over one of them is `LIMIT`, before anything is allocated. */
export interface Limits {
  /** Entries of a dict, and of a list whose elements are stored one by one. Default 2^24. */
  readonly count: number
  /** Elements of a list of fixed-width numbers. Default 2^28. */
  readonly numbers: number
  /** Bytes of a string. Default 2^28. */
  readonly string: number
  /** Tensors of a directory. Default 2^20. */
  readonly tensors: number
  /** Bytes of a frame's body. Default: none in memory, 2^30 from a stream. */
  readonly body: number
}

/** The caps that hold where the caller names none. */
export const defaultLimits: Limits = Object.freeze({
  count: 2 ** 24,
  numbers: 2 ** 28,
  string: 2 ** 28,
  tensors: 2 ** 20,
  body: Infinity,
})

/** The cap on a frame's body that holds for a stream, where the sender decides how much is buffered: 2^30 bytes. */
export const streamBodyLimit = 1_073_741_824

/** Whether 64-bit integers come as bigint, exactly, or as numbers with `TYPE` outside ±(2^53 − 1). */
export type Int64 = 'bigint' | 'number'

/** Options of every reader. */
export interface DecodeOptions<I extends Int64 = Int64> {
  /** Caps; each that is left out has its default. */
  readonly limits?: Partial<Limits> | undefined
  /** How scalars and dict keys of `i64` and `u64` come. Lists stay typed arrays. Default `bigint`. */
  readonly int64?: I | undefined
  /** Refuse directories that are valid but not canonical (FORMAT §4 step 7). Default false. */
  readonly strict?: boolean | undefined
  /** With `borrow`, an owned read leaves `bytes` values as views of the input. Default `copy`. */
  readonly bytes?: 'copy' | 'borrow' | undefined
}

/**
 * Options as a reader holds them: nothing left out, nothing to check.
 * @internal
 */
export interface Settings {
  readonly limits: Limits
  readonly int64AsNumber: boolean
  readonly strict: boolean
  readonly borrowBytes: boolean
}

const defaults: Settings = Object.freeze({
  limits: defaultLimits,
  int64AsNumber: false,
  strict: false,
  borrowBytes: false,
})

function resolveLimits(given: Partial<Limits> | undefined): Limits {
  if (given === undefined) return defaultLimits
  checkOptions(given, 'limits')
  const limits: Record<keyof Limits, number> = { ...defaultLimits }
  for (const name of Object.keys(given) as (keyof Limits)[]) {
    const cap = given[name]
    if (cap === undefined) continue
    if (!Object.hasOwn(defaultLimits, name)) {
      throw new KilnError('TYPE', `limits has no cap named ${JSON.stringify(name)}; there are ${Object.keys(defaultLimits).join(', ')}`)
    }
    if (typeof cap !== 'number' || !(cap >= 0)) {
      throw new KilnError('TYPE', `limits.${name} must be a number that is not negative`)
    }
    limits[name] = cap
  }
  return limits
}

/**
 * Checks a reader's options and fills in what was left out.
 * @internal
 */
export function resolveSettings(options: DecodeOptions | undefined): Settings {
  if (options === undefined) return defaults
  checkOptions(options)
  return {
    limits: resolveLimits(options.limits),
    int64AsNumber: isChosen(options.int64, 'int64', 'bigint', 'number'),
    strict: isOn(options.strict, 'strict'),
    borrowBytes: isChosen(options.bytes, 'bytes', 'copy', 'borrow'),
  }
}
