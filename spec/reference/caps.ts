/** The caps of FORMAT §2 that a caller can set. `body` is undefined where a frame's body has no cap. */
export interface Caps {
  readonly count: bigint
  readonly numbers: bigint
  readonly string: bigint
  readonly tensors: bigint
  readonly body: bigint | undefined
}

/** The defaults for bytes in memory. */
export const DEFAULT_CAPS: Caps = {
  count: 2n ** 24n,
  numbers: 2n ** 28n,
  string: 2n ** 28n,
  tensors: 2n ** 20n,
  body: undefined,
}

/** Bytes of schema text; nobody can raise it. */
export const TEXT_CAP = 65_536
/** Levels of a schema; nobody can raise it. */
export const DEPTH_CAP = 64

/** What every reader here takes. */
export interface ReadRules {
  readonly caps: Caps
  /** Whether a directory has to be canonical in its offsets and sizes (FORMAT §4 step 7). */
  readonly strict: boolean
}
