/** The error codes of FORMAT §1 that a reader or a writer of bytes can give (`ALIGN` belongs to typed views alone). */
export type Code = 'EOF' | 'TRAILING' | 'FRAME' | 'TYPE' | 'LIMIT' | 'UTF8' | 'CHECKSUM' | 'SCHEMA'

/** What the reference throws. The code is the whole of its contract; the message is for people. */
export class SpecError extends Error {
  readonly code: Code

  constructor(code: Code, message: string) {
    super(`${code}: ${message}`)
    this.code = code
  }
}

/** Throws `code` unless `holds`. Every rule of the format is one call of this. */
export function must(holds: boolean, code: Code, message: string): asserts holds {
  if (!holds) throw new SpecError(code, message)
}
