import { PAYLOAD_ALIGNMENT } from '../bytes/align.js'
import { checkMemory } from '../bytes/input.js'
import { readU64 } from '../bytes/u64.js'
import { decodeUtf8 } from '../bytes/utf8.js'
import { KilnError } from '../errors/kiln-error.js'
import { checkDescriptors } from './check-descriptors.js'
import { DESCRIPTOR_SIZE } from './descriptor.js'
import * as field from './descriptor-fields.js'
import { canonicalBase, HEADER_SIZE, heapStart, readHeader, type DirectoryHeader } from './header.js'
import * as headerFields from './header-fields.js'
import { NameIndex, type NamePlaces } from './name-index.js'
import { checkLinks } from './quantization.js'

// Shared by all: an empty array is nothing that a table could spoil, and making one takes 50 ns.
const NO_BYTES = new Uint8Array(0)
const NO_VIEW = new DataView(new ArrayBuffer(0))

/**
 * The table of a directory (its bytes from 0 to `payload_base`), checked by FORMAT §4, steps 5 to 7,
 * and read where it lies: a tensor's facts are taken from its descriptor when somebody asks.
 *
 * One object can be used for many directories in turn; what it keeps for itself is the index of names.
 */
export class TensorTable implements NamePlaces, DirectoryHeader {
  bytes: Uint8Array = NO_BYTES
  view: DataView = NO_VIEW
  /** Where the block begins in `bytes`. */
  start = 0
  tensorCount = 0
  heapSize = 0
  payloadBase = 0
  totalSize = 0
  /** Grows with each directory, so that what was remembered of an earlier one is known to be stale. */
  generation = 0
  readonly #names = new NameIndex()

  /** Reads a directory's header at `start` (FORMAT §4, steps 1 to 4); `available` as for `readHeader`. */
  loadHeader(bytes: Uint8Array, view: DataView, start: number, available: number, cap: number): void {
    this.generation++
    this.tensorCount = 0
    this.bytes = bytes
    this.view = view
    this.start = start
    readHeader(view, start, available, cap, this)
  }

  /** Checks the table behind a header that has been read (steps 5 to 7); `bytes` holds it whole, payloads need not be there. */
  check(strict: boolean): void {
    this.#names.reset(this.tensorCount)
    const linked = checkDescriptors(this, this.#names)
    this.#checkHeapAndGap()
    if (linked) checkLinks(this)
    if (strict) this.#checkCanonical()
  }

  /** Reads on from a copy of the checked table, which begins at `start` in `bytes`. */
  moveTo(bytes: Uint8Array, view: DataView, start: number): void {
    this.bytes = bytes
    this.view = view
    this.start = start
  }

  descriptorAt(index: number): number {
    return this.start + HEADER_SIZE + DESCRIPTOR_SIZE * index
  }

  nameStart(index: number): number {
    return this.start + heapStart(this.tensorCount) + this.view.getUint32(this.descriptorAt(index) + field.nameOffset, true)
  }

  nameLength(index: number): number {
    return this.view.getUint32(this.descriptorAt(index) + field.nameLength, true)
  }

  name(index: number): string {
    this.#checkMemory()
    const start = this.nameStart(index)
    return decodeUtf8(this.bytes, start, start + this.nameLength(index), false)
  }

  /** The index of the tensor of this name, or −1. */
  indexOf(name: string): number {
    this.#checkMemory()
    return this.#names.find(this, this.tensorCount, name)
  }

  #checkMemory(): void {
    checkMemory(this.bytes, this.start + this.payloadBase)
  }

  /** A tensor's payload, from the start of the block. */
  payloadStart(index: number): number {
    return this.payloadBase + readU64(this.view, this.descriptorAt(index) + field.byteOffset)
  }

  payloadLength(index: number): number {
    return readU64(this.view, this.descriptorAt(index) + field.byteLength)
  }

  /** Step 6, second half: zeros from the heap to the payloads. */
  #checkHeapAndGap(): void {
    const end = this.start + this.payloadBase
    for (let i = this.start + heapStart(this.tensorCount) + this.heapSize; i < end; i++) {
      if (this.bytes[i] !== 0) throw new KilnError('FRAME', 'the bytes between names and payloads must be 0', i)
    }
  }

  /** Step 7, for a strict reader. */
  #checkCanonical(): void {
    const canonical = (what: string, is: number, want: number, at: number): KilnError =>
      new KilnError('TYPE', `${what} is ${is}, in the canonical block it is ${want}; read it without strict, or write it again`, at)
    const base = canonicalBase(this.tensorCount, this.heapSize)
    if (this.payloadBase !== base) throw canonical('payload_base', this.payloadBase, base, this.start + headerFields.payloadBase)
    let cursor = 0
    for (let i = 0; i < this.tensorCount; i++) {
      cursor = Math.ceil(cursor / PAYLOAD_ALIGNMENT) * PAYLOAD_ALIGNMENT
      const offset = this.payloadStart(i) - base
      if (offset !== cursor) throw canonical('byte_offset', offset, cursor, this.descriptorAt(i) + field.byteOffset).within('byte_offset').within(i)
      cursor += this.payloadLength(i)
    }
    if (this.totalSize !== base + cursor) throw canonical('total_size', this.totalSize, base + cursor, this.start + headerFields.totalSize)
  }
}
