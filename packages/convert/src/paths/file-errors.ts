import { isKilnError, KilnError } from 'kiln-format'
import { quoted } from '../text/quoted.js'

/** An error of one file of a set, saying which file; anything that is no Kiln error as it is. */
export function inFile(error: unknown, name: string): unknown {
  if (!isKilnError(error)) return error
  return new KilnError(error.code, `in ${quoted(name)}: ${error.detail}`, error.offset, { cause: error })
}
