import { isKilnError } from 'kiln-format'
import type { Span } from 'kiln-format/walk'
import type { Fault } from './opened-file.js'

/** A caught value in words. */
export function faultOf(error: unknown): Fault {
  if (isKilnError(error)) {
    const { code, detail, path, offset } = error
    return { code, detail, path, byte: offset, rule: undefined }
  }
  const detail = error instanceof Error ? error.message : String(error)
  return { code: undefined, detail, path: '', byte: undefined, rule: undefined }
}

/** The fault of a walk's `error` span. */
export function faultOfSpan(span: Span): Fault | undefined {
  if (span.fault === undefined) return undefined
  const { code, byte, detail } = span.fault
  return { code, detail, path: span.path, byte, rule: span.rule }
}

/** A code's meaning, for people who don't know the codes. */
export const CODE_WORDS: Readonly<Record<string, string>> = {
  EOF: 'The file ends too early',
  TRAILING: 'There are bytes after the value',
  FRAME: 'This is not what the format asks for',
  TYPE: 'A value is not allowed here',
  LIMIT: 'Something is over a limit',
  UTF8: 'Text is not UTF-8',
  CHECKSUM: 'The checksum does not match',
  SCHEMA: 'The schema is not valid, or missing',
  ALIGN: 'The bytes are not aligned',
}
