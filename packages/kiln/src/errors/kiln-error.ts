/**
 * Why a value was refused (FORMAT §1). The first failing check decides, so every implementation
 * gives the same code for the same bytes.
 *
 * - `EOF`: the input ends before the value does.
 * - `TRAILING`: a value that stands alone ends before the input does.
 * - `FRAME`: a header, padding or gap is not what it must be, or a schema is not the caller's.
 * - `TYPE`: a value, or a relation between values, that the type does not allow.
 * - `LIMIT`: a count or a size over a cap, or an allocation that the host refuses.
 * - `UTF8`: bytes that are not UTF-8; writing, a string with a lone surrogate.
 * - `CHECKSUM`: a CRC-32 that does not match.
 * - `SCHEMA`: a schema that is not valid, not supported, or missing.
 * - `ALIGN`: a typed array over borrowed bytes was asked for where alignment or byte order forbids it.
 */
export type KilnErrorCode =
  | 'EOF'
  | 'TRAILING'
  | 'FRAME'
  | 'TYPE'
  | 'LIMIT'
  | 'UTF8'
  | 'CHECKSUM'
  | 'SCHEMA'
  | 'ALIGN'

/** A step of a path: a field or tensor name, an element's index, or a dict's key. */
export type PathStep = string | number | { readonly key: string }

// Registered, so that two copies of the library in one process recognise each other's errors.
const BRAND = Symbol.for('kiln-format.KilnError')

const IDENTIFIER = /^[\p{L}\p{N}_$-]+$/u

/** Control characters (C0, C1, bidi and line separators) as escapes, so that a message is one line. */
export function printable(text: string): string {
  return text.replace(
    // eslint-disable-next-line no-control-regex -- control characters are what is looked for
    /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function shortened(text: string): string {
  return text.length > 80 ? `${text.slice(0, 77)}...` : text
}

function stepText(step: PathStep, first: boolean): string {
  if (typeof step === 'number') return `[${step}]`
  if (typeof step === 'object') return `[${shortened(JSON.stringify(step.key))}]`
  if (!IDENTIFIER.test(step)) return `[${shortened(JSON.stringify(step))}]`
  return first ? step : `.${step}`
}

/**
 * A path as it is shown, such as `batch[2].vector`; empty at the root.
 * @internal
 */
export function pathText(steps: readonly PathStep[]): string {
  return printable(steps.map((s, i) => stepText(s, i === 0)).join(''))
}

/**
 * The only error that Kiln throws for bytes, values, schemas and files that it can't take.
 *
 * Test for it with {@link isKilnError}, which also knows errors of another copy of the library.
 */
export class KilnError extends Error {
  override readonly name: string = 'KilnError'
  /** Why: see {@link KilnErrorCode}. */
  readonly code: KilnErrorCode
  /** Byte offset in the input; undefined when writing, and where there is no input. */
  readonly offset: number | undefined
  /** What was wrong and what to do, without place and code. */
  readonly detail: string
  /** Where in the value, such as `batch[2].vector`; empty at its root. */
  path = ''
  /** @internal */
  steps: PathStep[] = []

  constructor(code: KilnErrorCode, detail: string, offset?: number, options?: { cause?: unknown }) {
    const shown = printable(String(detail))
    super(`${code}${offset === undefined ? '' : ` (byte ${offset})`}: ${shown}`, options)
    this.code = code
    this.detail = shown
    this.offset = offset
    Object.defineProperty(this, BRAND, { value: true })
    Object.defineProperty(this, 'steps', { enumerable: false })
  }

  /**
   * Puts a step in front of the path, on the error's way out of a nested value.
   * @internal
   */
  within(step: PathStep): this {
    this.steps.unshift(step)
    this.path = pathText(this.steps)
    const before = this.message
    const where = this.path + (this.offset === undefined ? '' : ` (byte ${this.offset})`)
    this.message = `${this.code} at ${where}: ${this.detail}`
    // V8 put the message into the stack when the error was made.
    if (typeof this.stack === 'string') this.stack = this.stack.replace(before, () => this.message)
    return this
  }
}

/** Whether a caught value is a {@link KilnError}, of this copy of the library or of another. */
export function isKilnError(value: unknown): value is KilnError {
  return typeof value === 'object' && value !== null && (value as { [BRAND]?: unknown })[BRAND] === true
}

/**
 * Adds a step to a Kiln error that passes by, and hands it on; anything else is handed on as it is.
 * @internal
 */
export function within(error: unknown, step: PathStep): unknown {
  return isKilnError(error) ? error.within(step) : error
}

/**
 * The error with its offset counted from further out: where the part that was read begins at `by` in what the
 * caller gave. Anything but a Kiln error with an offset is handed on as it is.
 * @internal
 */
export function moved(error: unknown, by: number): unknown {
  if (!isKilnError(error) || error.offset === undefined || by === 0) return error
  const copy = new KilnError(error.code, error.detail, error.offset + by, { cause: error.cause })
  for (const step of error.steps.slice().reverse()) copy.within(step)
  return copy
}
