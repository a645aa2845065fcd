import type { ByteSource } from 'kiln-format'
import { walkSource, type Span } from 'kiln-format/walk'
import { rememberingSource } from '../model/remembering-source.js'

/** Bytes that are looked at together: a thousand rows. */
export const WINDOW = 16_384
const MOST_WINDOWS = 12
/** Parts of a file that are told at first. */
const MOST_PARTS = 2000

/** Some of the file's bytes, and what they are. */
export interface ByteWindow {
  readonly offset: number
  readonly bytes: Uint8Array
  readonly spans: readonly Span[]
}

/** The byte map of a file, window by window: a walk tells what is what, this only asks it and remembers. */
export class ByteMap {
  readonly size: number
  readonly #source: ByteSource
  readonly #frames: boolean
  readonly #windows = new Map<number, Promise<ByteWindow>>()
  #parts: Promise<readonly Span[]> | undefined

  constructor(source: ByteSource, frames: boolean) {
    this.size = source.size
    this.#source = rememberingSource(source)
    this.#frames = frames
  }

  /** The window with this byte. */
  windowAt(offset: number): Promise<ByteWindow> {
    const start = offset - (offset % WINDOW)
    const known = this.#windows.get(start)
    if (known !== undefined) {
      // Put last, as the one used last.
      this.#windows.delete(start)
      this.#windows.set(start, known)
      return known
    }
    const window = this.#read(start)
    window.catch(() => this.#windows.delete(start))
    this.#windows.set(start, window)
    for (const oldest of this.#windows.keys()) {
      if (this.#windows.size <= MOST_WINDOWS) break
      this.#windows.delete(oldest)
    }
    return window
  }

  async #read(offset: number): Promise<ByteWindow> {
    const length = Math.min(WINDOW, this.size - offset)
    const bytes = await this.#source.read(offset, length)
    const spans: Span[] = []
    for await (const span of walkSource(this.#source, { from: offset, to: offset + length, schemas: 'inherit' })) spans.push(span)
    return { offset, bytes, spans }
  }

  /** What a byte is; at the end of the file, what failed there. */
  async spanAt(offset: number): Promise<Span | undefined> {
    const { spans } = await this.windowAt(Math.min(offset, Math.max(this.size - 1, 0)))
    return spanWith(spans, offset)
  }

  /** The parts of the file, a header or a field each. */
  parts(): Promise<readonly Span[]> {
    this.#parts ??= this.#readParts()
    return this.#parts
  }

  async #readParts(): Promise<readonly Span[]> {
    const parts: Span[] = []
    for await (const span of walkSource(this.#source, { depth: this.#frames ? 3 : 1, schemas: 'inherit' })) {
      const before = parts.at(-1)
      // The eight fields of a frame's header are one part.
      if (span.kind === 'frame-header' && before?.kind === 'frame-header')
        parts[parts.length - 1] = joined(before, span)
      else if (span.kind === 'frame-header') parts.push({ ...span, path: span.path.replace(/\.?magic$/, '') })
      else parts.push(span)
      if (parts.length === MOST_PARTS) break
    }
    return parts
  }
}

function joined(before: Span, span: Span): Span {
  const { offset, path, kind } = before
  return { offset, path, kind, length: before.length + span.length, rule: '§6 Frame header: 32 bytes' }
}

/** The span that has a byte; of several of no length there, the last. */
export function spanWith(spans: readonly Span[], offset: number): Span | undefined {
  let low = 0
  let high = spans.length
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (spans[middle]!.offset <= offset) low = middle + 1
    else high = middle
  }
  for (let i = low - 1; i >= 0; i--) {
    const span = spans[i]!
    if (offset < span.offset + span.length) return span
    if (span.length > 0) return undefined
    if (span.kind === 'error') return span
  }
  return undefined
}
