import { isKilnError, KilnError, type ByteSource, type ReadOptions } from 'kiln-format'
import { quoted } from '../text/quoted.js'
import { latin1 } from './latin1.js'
import type { FileKind, FileKindName } from './kinds.js'
import { sniff, SNIFFED } from './sniff.js'

/** What a reader expects: its kinds, and words for it (`a safetensors file`). */
export interface Expected {
  readonly kinds: readonly FileKindName[]
  readonly what: string
}

/**
 * A better error for a file that could not be read, where it is plainly of another kind: it says what
 * the file is and what to do. Else the error as it is. The code stays `EOF` for a file with nothing in
 * it and is `FRAME` for one of another kind.
 */
export async function explain(
  error: unknown,
  source: ByteSource,
  expected: Expected,
  options?: ReadOptions,
): Promise<unknown> {
  if (!isKilnError(error)) return error
  const head = await source.read(0, Math.min(source.size, SNIFFED), options)
  const kind = sniff(head, source.label)
  if (kind.name === 'unknown' || expected.kinds.includes(kind.name)) return error
  return wrongFile(kind, head, expected, error)
}

function wrongFile(kind: FileKind, head: Uint8Array, expected: Expected, cause: KilnError): KilnError {
  const start = kind.name === 'text' ? ` that begins ${quoted(latin1(head).slice(0, 60))}` : ''
  const detail = `not ${expected.what}: this is ${kind.what}${start}; ${kind.advice}`
  return new KilnError(kind.name === 'empty' ? 'EOF' : 'FRAME', detail, 0, { cause })
}
