import { isKilnError } from 'kiln-format'

/** What a reader or writer made of its input: a value, in the notation, or the code of its error. */
export type Outcome = { readonly value: unknown } | { readonly error: string }

/** A check of a case that did not hold. */
export interface Mismatch {
  /** Which reader, writer or rule. */
  readonly check: string
  readonly expected: string
  readonly came: string
}

export async function outcomeOf(step: () => unknown): Promise<Outcome> {
  try {
    const value = step()
    return { value: value instanceof Promise ? await value : value }
  } catch (error) {
    if (isKilnError(error)) return { error: error.code }
    return { error: `${error instanceof Error ? `${error.name}: ${error.message}` : String(error)} (no KilnError)` }
  }
}

// A message of a failed case stays a line or two.
const SHOWN = 200

/** A value of the notation, or an outcome, for a message. */
export function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value) ?? 'nothing'
  return text.length > SHOWN ? `${text.slice(0, SHOWN - 3)}...` : text
}

export function shownOutcome(outcome: Outcome): string {
  return 'error' in outcome ? outcome.error : shown(outcome.value)
}
