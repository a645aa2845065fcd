import { isKilnError, type KilnErrorCode } from 'kiln-format'

/** What a test compares of an error. */
export interface Fault {
  readonly code: KilnErrorCode
  readonly path: string
  readonly offset: number | undefined
  readonly detail: string
  readonly message: string
}

/** The KilnError that `run` throws; anything else fails the test. */
export function fault(run: () => unknown): Fault {
  let value: unknown
  try {
    value = run()
  } catch (error) {
    return asFault(error)
  }
  throw new Error(`no error was thrown, this came: ${String(value)}`)
}

/** The KilnError that a promise rejects with. */
export async function faultOf(promise: Promise<unknown>): Promise<Fault> {
  let value: unknown
  try {
    value = await promise
  } catch (error) {
    return asFault(error)
  }
  throw new Error(`no error was thrown, this came: ${String(value)}`)
}

function asFault(error: unknown): Fault {
  if (!isKilnError(error)) throw error
  const { code, path, offset, detail, message } = error
  return { code, path, offset, detail, message }
}
