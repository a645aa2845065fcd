import { describe } from '../bytes/input.js'
import { KilnError } from '../errors/kiln-error.js'
import type { ByteSource } from './source.js'

/** Throws `TYPE` for what is no ByteSource. */
export function checkSource(input: unknown): asserts input is ByteSource {
  if (isByteSource(input)) return
  const hint = typeof input === 'string' ? '; openFile of kiln-format/node opens a path, urlSource a URL' : ''
  throw new KilnError('TYPE', `a source expected (a ByteSource with size, label and read, a Blob or bytes), got ${describe(input)}${hint}`)
}

function isByteSource(value: unknown): value is ByteSource {
  if (typeof value !== 'object' || value === null) return false
  const source = value as Partial<ByteSource>
  return Number.isSafeInteger(source.size) && source.size! >= 0 && typeof source.label === 'string' && typeof source.read === 'function'
}
