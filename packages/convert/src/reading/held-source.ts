import { readRange, sourceOf, type ByteSource, type ReadOptions, type SourceInput } from 'kiln-format'

/**
 * Anybody's source, held to its promise by `readRange`: a read gives exactly the bytes that were asked for, or fails
 * (`EOF` for another count, such as of a file that became shorter; `TYPE` for what is no bytes; the signal's reason).
 */
class HeldSource implements ByteSource {
  readonly size: number
  readonly label: string
  readonly readSize: number | undefined
  readonly #source: ByteSource

  constructor(source: ByteSource) {
    this.size = source.size
    this.label = source.label
    this.readSize = source.readSize
    this.#source = source
  }

  read(offset: number, length: number, options?: ReadOptions): Promise<Uint8Array> {
    return readRange(this.#source, offset, length, options)
  }

  async close(): Promise<void> {
    await this.#source.close?.()
  }
}

/** What was given, as a source that keeps its promise; a Blob or bytes are taken as one, anything else is `TYPE`. */
export function heldSource(given: SourceInput): ByteSource {
  return given instanceof HeldSource ? given : new HeldSource(sourceOf(given))
}
