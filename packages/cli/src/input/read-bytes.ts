import { KilnError, type ByteSource } from 'kiln-format'
import { inFile } from '../terminal/failure.js'
import type { Terminal } from '../terminal/terminal.js'
import { labelOf } from './label.js'
import { openSource } from './open-source.js'

/** Runs a step with an open source, and closes it however the step ends. */
export async function withSource<T>(source: ByteSource, step: (source: ByteSource) => Promise<T>): Promise<T> {
  try {
    return await step(source)
  } finally {
    await source.close?.()
  }
}

/** Up to `length` bytes from the front of an input; all of it if no length is given. */
export async function readBytes(input: string, terminal: Terminal, length = Infinity): Promise<Uint8Array> {
  const source = await openSource(input, terminal)
  return inFile(labelOf(input), () => withSource(source, () => source.read(0, Math.min(length, source.size))))
}

/** The text of an input. Bytes that are not UTF-8 are `UTF8`. */
export async function readText(input: string, terminal: Terminal): Promise<string> {
  const bytes = await readBytes(input, terminal)
  return inFile(labelOf(input), () => textOf(bytes))
}

export function textOf(bytes: Uint8Array): string {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    const tooLong = error instanceof Error && 'code' in error && error.code === 'ERR_STRING_TOO_LONG'
    throw tooLong ? new KilnError('LIMIT', 'the text is longer than a string can be') : new KilnError('UTF8', 'the file is not UTF-8 text')
  }
  return text
}
