import { KilnError } from '../errors/kiln-error.js'
import { allocate } from './allocate.js'
import type { OwnBytes } from './host.js'

// Slices from here on are not copied into the scratch but kept by reference until the message is put
// together: a second copy of 1 KiB costs about as much (50 ns) as remembering the slice.
const BY_REFERENCE = 1024

// A scratch that grew beyond this is not kept for the next message.
const KEEP = 4 * 2 ** 20

interface Part {
  /** Where in the scratch the slice belongs. */
  readonly at: number
  readonly bytes: Uint8Array
  readonly length: number
}

/**
 * Where a value is written: small things into `bytes` at `pos`, large slices by reference. A writer
 * over a target of fixed size copies everything at once, and is `LIMIT` when it is full.
 */
export class ByteWriter {
  bytes: Uint8Array
  view: DataView
  pos = 0
  private parts: Part[] = []
  private inParts = 0
  private readonly fixed: boolean

  constructor(target?: Uint8Array) {
    this.fixed = target !== undefined
    this.bytes = target ?? new Uint8Array(1024)
    this.view = new DataView(this.bytes.buffer, this.bytes.byteOffset, this.bytes.byteLength)
  }

  /** Bytes written so far. */
  get length(): number {
    return this.pos + this.inParts
  }

  /** Makes room for `size` bytes at `pos`. */
  reserve(size: number): void {
    if (this.pos + size > this.bytes.length) this.grow(size)
  }

  /** Makes room for `size` bytes if the writer can grow; false if a fixed target is too small. */
  hasRoom(size: number): boolean {
    if (this.pos + size <= this.bytes.length) return true
    if (this.fixed) return false
    this.grow(size)
    return true
  }

  private grow(size: number): void {
    const needed = this.pos + size
    if (this.fixed) {
      throw new KilnError('LIMIT', `the target holds ${this.bytes.length} bytes, and the value needs more; encodedSize tells how many`)
    }
    const bytes = allocate(Uint8Array, Math.max(needed, this.bytes.length * 2))
    bytes.set(this.bytes.subarray(0, this.pos))
    this.bytes = bytes
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  /** Writes a slice as it is. The caller doesn't change it until the message is finished. */
  slice(bytes: Uint8Array): void {
    const length = bytes.length
    if (length >= BY_REFERENCE && !this.fixed) {
      this.parts.push({ at: this.pos, bytes, length })
      this.inParts += length
      return
    }
    this.reserve(length)
    this.bytes.set(bytes, this.pos)
    this.pos += length
  }

  /** Writes zeros. */
  zeros(size: number): void {
    this.reserve(size)
    this.bytes.fill(0, this.pos, this.pos + size)
    this.pos += size
  }

  /** The message, in bytes of its own. */
  finish(): OwnBytes {
    if (this.parts.length === 0) return Uint8Array.prototype.slice.call(this.bytes, 0, this.pos) as OwnBytes
    const out = allocate(Uint8Array, this.length)
    let from = 0
    let to = 0
    for (const part of this.parts) {
      checkUnchanged(part)
      out.set(this.bytes.subarray(from, part.at), to)
      to += part.at - from
      from = part.at
      out.set(part.bytes, to)
      to += part.length
    }
    out.set(this.bytes.subarray(from, this.pos), to)
    return out
  }

  /** The message as slices in order: those kept by reference as they are, the rest in bytes of its own. */
  slices(): Uint8Array[] {
    const own = Uint8Array.prototype.slice.call(this.bytes, 0, this.pos)
    const slices: Uint8Array[] = []
    let from = 0
    for (const part of this.parts) {
      checkUnchanged(part)
      if (part.at > from) slices.push(own.subarray(from, part.at))
      from = part.at
      slices.push(part.bytes)
    }
    if (this.pos > from || slices.length === 0) slices.push(own.subarray(from, this.pos))
    return slices
  }

  /** Empties the writer for the next message. */
  reset(): void {
    this.pos = 0
    if (this.parts.length > 0) this.parts = []
    this.inParts = 0
  }
}

// A getter of the caller's value may run while the value is written; if it resized or detached an
// array that was written before, the message would come out short.
function checkUnchanged(part: Part): void {
  if (part.bytes.length !== part.length) {
    throw new KilnError('TYPE', `an array of ${part.length} bytes was resized or detached while it was being encoded`)
  }
}

let spare: ByteWriter | undefined

/**
 * Runs `write` with an empty writer whose scratch is kept for the next call. While it runs nobody else
 * has that writer, so a value whose getters encode something themselves gets a writer of its own.
 */
export function withWriter<R>(write: (w: ByteWriter) => R): R {
  const w = spare ?? new ByteWriter()
  spare = undefined
  try {
    return write(w)
  } finally {
    w.reset()
    if (w.bytes.length <= KEEP) spare = w
  }
}
