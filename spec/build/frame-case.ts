import { type Case, type CaseCaps, type CaseError, capsOf } from './case.js'
import type { Hex } from './hex.js'

interface FrameOptions {
  readonly caps?: CaseCaps
  /** False where a body that no writer chooses makes the bytes not the writer's. */
  readonly canonical?: false
}

/** A frame that reads; `schema` is the caller's, or null where none is given. */
export function framed(
  name: string,
  note: string,
  schema: string | null,
  flags: number,
  hex: Hex,
  value: NonNullable<Case['value']>,
  options: FrameOptions = {},
): Case {
  const canonical = options.canonical === false ? {} : { canonical: true }
  return { name, note, kind: 'frame', schema, hex, ...capsOf(options.caps), value, flags, ...canonical }
}

/** A frame that doesn't. */
export function frameRefused(
  name: string,
  note: string,
  schema: string | null,
  hex: Hex,
  error: CaseError,
  caps?: CaseCaps,
): Case {
  return { name, note, kind: 'frame', schema, hex, ...capsOf(caps), error }
}
