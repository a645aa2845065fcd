import { isKilnError, type KilnErrorCode } from 'kiln-format'

/** What a test compares of an error. */
export interface Fault {
  readonly code: KilnErrorCode
  readonly detail: string
  readonly offset: number | undefined
}

/** The KilnError that a promise, or a call, ends with; anything else fails the test. */
export async function faultOf(run: Promise<unknown> | (() => unknown)): Promise<Fault> {
  let value: unknown
  try {
    value = await (typeof run === 'function' ? run() : run)
  } catch (error) {
    if (!isKilnError(error)) throw error
    const { code, detail, offset } = error
    return { code, detail, offset }
  }
  throw new Error(`no error was thrown, this came: ${String(value)}`)
}

export async function codeOf(run: Promise<unknown> | (() => unknown)): Promise<KilnErrorCode> {
  return (await faultOf(run)).code
}
