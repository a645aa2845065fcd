import { PAYLOAD_ALIGNMENT } from '../bytes/align.js'
import { readU64 } from '../bytes/u64.js'
import { decodeUtf8, firstMalformed } from '../bytes/utf8.js'
import { KilnError } from '../errors/kiln-error.js'
import { DESCRIPTOR_SIZE, descriptorElements, descriptorFields as field, FLAG_CHECKSUM, MAX_RANK } from './descriptor.js'
import { dtypeOfCode, lengthOfElements, type Dtype } from './dtypes.js'
import { canonicalBase, HEADER_SIZE, headerFields, heapStart, readHeader, type DirectoryHeader } from './header.js'
import { NameIndex, type NamePlaces } from './name-index.js'
import { checkLinks } from './quantization.js'

const EMPTY = new DataView(new ArrayBuffer(0))

/**
 * The table of a directory (its bytes from 0 to `payload_base`), checked by FORMAT §4, steps 5 to 7,
 * and read where it lies: a tensor's facts are taken from its descriptor when somebody asks.
 *
 * One object can be used for many directories in turn; what it keeps for itself is the index of names.
 */
export class TensorTable implements NamePlaces, DirectoryHeader {
  bytes: Uint8Array = new Uint8Array(0)
  view: DataView = EMPTY
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
    this.#checkDescriptors()
    this.#checkHeapAndGap()
    checkLinks(this)
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
    const start = this.nameStart(index)
    return decodeUtf8(this.bytes, start, start + this.nameLength(index), false)
  }

  /** The index of the tensor of this name, or −1. */
  indexOf(name: string): number {
    return this.#names.find(this, this.tensorCount, name)
  }

  /** A tensor's payload, from the start of the block. */
  payloadStart(index: number): number {
    return this.payloadBase + readU64(this.view, this.descriptorAt(index) + field.byteOffset)
  }

  payloadLength(index: number): number {
    return readU64(this.view, this.descriptorAt(index) + field.byteLength)
  }

  /** Step 5: each descriptor in order. */
  #checkDescriptors(): void {
    let payloadEnd = 0
    let nameEnd = 0
    for (let i = 0; i < this.tensorCount; i++) {
      const at = this.descriptorAt(i)
      const dtype = this.#checkDescription(i, at)
      payloadEnd = this.#checkPayload(i, at, dtype, payloadEnd)
      nameEnd = this.#checkName(i, at, nameEnd)
    }
    // Step 6, first half; the second follows in #checkHeapAndGap.
    if (nameEnd !== this.heapSize) {
      throw new KilnError(
        'FRAME',
        `the names take ${nameEnd} bytes of a heap of ${this.heapSize}`,
        this.start + heapStart(this.tensorCount) + nameEnd,
      )
    }
  }

  #fault(code: 'FRAME' | 'TYPE' | 'EOF' | 'UTF8', index: number, what: string, at: number, detail: string): KilnError {
    return new KilnError(code, detail, at).within(what).within(index)
  }

  #checkDescription(i: number, at: number): Dtype {
    const { view } = this
    const flags = view.getUint16(at + field.flags, true)
    if (flags > FLAG_CHECKSUM) throw this.#fault('FRAME', i, 'flags', at + field.flags, `unknown flag bits in ${flags}`)
    const reserved = at + field.reserved
    // A sum of words, none of which is negative: one branch where all is well.
    if (
      view.getUint32(reserved, true) + view.getUint32(reserved + 4, true) +
      view.getUint32(reserved + 8, true) + view.getUint32(reserved + 12, true) !== 0
    ) {
      throw this.#reservedFault(i, reserved)
    }
    if (flags === 0 && view.getUint32(at + field.checksum, true) !== 0) {
      throw this.#fault('FRAME', i, 'checksum', at + field.checksum, 'a checksum stands without its flag')
    }
    const code = view.getUint16(at + field.dtype, true)
    const dtype = dtypeOfCode(code)
    if (dtype === undefined) {
      throw this.#fault('TYPE', i, 'dtype', at + field.dtype, `no dtype has the code 0x${code.toString(16)}; a newer library may know it`)
    }
    const rank = view.getUint8(at + field.rank)
    if (rank > MAX_RANK) throw this.#fault('TYPE', i, 'rank', at + field.rank, `the rank is ${rank}, at most ${MAX_RANK} is possible`)
    for (let d = 0; d < MAX_RANK; d++) {
      const dimension = readU64(view, at + d * 8)
      if (d < rank ? dimension > Number.MAX_SAFE_INTEGER : dimension !== 0) {
        const detail = d < rank ? `${dimension} is over 2^53 - 1` : `the rank is ${rank}, so this entry must be 0`
        throw new KilnError('TYPE', detail, at + d * 8).within(d).within('shape').within(i)
      }
    }
    if (dtype.foreign) this.#checkBlocks(i, at, dtype, rank)
    return dtype
  }

  #reservedFault(i: number, reserved: number): KilnError {
    let o = reserved
    while (this.view.getUint32(o, true) === 0) o += 4
    return this.#fault('FRAME', i, 'reserved', o, 'reserved bytes must be 0')
  }

  #checkBlocks(i: number, at: number, dtype: Dtype, rank: number): void {
    const last = rank === 0 ? 1 : readU64(this.view, at + (rank - 1) * 8)
    if (last % dtype.blockElements === 0) return
    throw this.#fault('TYPE', i, 'shape', at, `the last dimension of ${dtype.name} is a multiple of ${dtype.blockElements}, not ${last}`)
  }

  #checkPayload(i: number, at: number, dtype: Dtype, before: number): number {
    const { view } = this
    const byteLength = readU64(view, at + field.byteLength)
    const needed = lengthOfElements(dtype, descriptorElements(view, at))
    // A bigint is over 2^53 - 1, where byteLength has been rounded.
    if (typeof needed === 'number' ? byteLength !== needed : view.getBigUint64(at + field.byteLength, true) !== needed) {
      throw this.#fault('TYPE', i, 'byte_length', at + field.byteLength, `dtype and shape need ${needed} bytes, not ${byteLength}`)
    }
    const byteOffset = readU64(view, at + field.byteOffset)
    // The low word alone tells of the multiple: over 2^53 the number has been rounded.
    if (view.getUint32(at + field.byteOffset, true) % PAYLOAD_ALIGNMENT !== 0 || byteOffset < before) {
      throw this.#fault(
        'TYPE', i, 'byte_offset', at + field.byteOffset,
        `${byteOffset} must be a multiple of ${PAYLOAD_ALIGNMENT} and not before ${before}, where the payload before it ends`,
      )
    }
    // Rounded sums are over 2^53 and so over any total_size, which is within the input.
    if (this.payloadBase + byteOffset + byteLength > this.totalSize) {
      throw this.#fault(
        'EOF', i, 'byte_length', at + field.byteLength,
        `the payload would end at ${this.payloadBase + byteOffset + byteLength}, the block ends at ${this.totalSize}`,
      )
    }
    return byteOffset + byteLength
  }

  #checkName(i: number, at: number, before: number): number {
    const offset = this.view.getUint32(at + field.nameOffset, true)
    if (offset !== before) {
      throw this.#fault('TYPE', i, 'name_offset', at + field.nameOffset, `${offset} must be ${before}, the sum of the name lengths before`)
    }
    const length = this.view.getUint32(at + field.nameLength, true)
    if (before + length > this.heapSize) {
      throw this.#fault('EOF', i, 'name', at + field.nameLength, `a name of ${length} bytes goes past the heap of ${this.heapSize}`)
    }
    if (length === 0) return before
    const start = this.nameStart(i)
    const malformed = firstMalformed(this.bytes, start, start + length)
    if (malformed !== start + length) throw this.#fault('UTF8', i, 'name', malformed, 'the name is not UTF-8')
    if (!this.#names.add(this, i)) {
      throw this.#fault('TYPE', i, 'name', start, `the name ${JSON.stringify(this.name(i))} stands twice; rename one of the tensors`)
    }
    return before + length
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
      if (offset !== cursor) throw canonical('byte_offset', offset, cursor, this.descriptorAt(i) + field.byteOffset).within(i)
      cursor += this.payloadLength(i)
    }
    if (this.totalSize !== base + cursor) throw canonical('total_size', this.totalSize, base + cursor, this.start + headerFields.totalSize)
  }
}
