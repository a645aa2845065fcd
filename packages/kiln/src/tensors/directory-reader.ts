import { isUnstable, toBytes } from '../bytes/input.js'
import { moved } from '../errors/kiln-error.js'
import { resolveSettings, type DecodeOptions, type Settings } from '../limits/limits.js'
import { BlockDirectory, checkTrailing, type Directory } from './directory.js'

// Objects made once: a warm loop allocates nothing.
const COPY_NOTHING = { ownTable: false, unstable: false } as const
const COPY_FIRST = { ownTable: false, unstable: true } as const

/**
 * Reads one directory after the other and keeps its storage from call to call, so that a loop over messages
 * allocates nothing a message once it is warm, as long as they come in the same buffer (a receive buffer).
 *
 * The directory that `read` gives, and its tensors, hold until the next call; then they show the next
 * message. Don't keep them.
 */
export class DirectoryReader {
  readonly #directory = new BlockDirectory()
  readonly #settings: Settings
  #whole: Uint8Array = new Uint8Array(0)
  #view: DataView = new DataView(this.#whole.buffer, this.#whole.byteOffset, this.#whole.byteLength)

  constructor(options?: DecodeOptions) {
    this.#settings = resolveSettings(options)
  }

  /** As `readDirectory`, into this reader's storage. */
  read(bytes: ArrayBufferView | ArrayBufferLike): Directory {
    const input = toBytes(bytes)
    const { buffer, byteOffset, length } = input
    if (this.#whole.buffer !== buffer || this.#whole.length !== buffer.byteLength) {
      this.#whole = new Uint8Array(buffer)
      this.#view = new DataView(buffer)
    }
    let size: number
    try {
      const copying = isUnstable(input) ? COPY_FIRST : COPY_NOTHING
      size = this.#directory.load(this.#whole, this.#view, byteOffset, length, this.#settings, copying)
    } catch (error) {
      // Offsets are counted from the message, not from its buffer.
      throw moved(error, -byteOffset)
    }
    checkTrailing(size, length)
    return this.#directory
  }
}
