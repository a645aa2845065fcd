import { allocateDescriptors } from '../bytes/allocate.js'
import { decodeUtf8, encodeUtf8 } from '../bytes/utf8.js'

/** Where the bytes of each name lie: what an index needs to know of its directory. */
export interface NamePlaces {
  readonly bytes: Uint8Array
  nameStart(index: number): number
  nameLength(index: number): number
}

/** Up to here names are compared one by one: no hash, no storage. */
const FEW = 16
/** A name that meets more others than this in the table sends all names into a Map, which can't be flooded. */
const MAX_PROBES = 32

/**
 * Finds tensors by name, comparing names by their bytes, without making strings of them: an open hash
 * table over the bytes. The seed differs from run to run, and names made to collide anyway end in a Map of
 * strings, so the time stays linear whatever the input.
 *
 * Storage is kept from one directory to the next (DirectoryReader), and grows only.
 */
export class NameIndex {
  #slots = new Int32Array(0)
  #hashes = new Int32Array(0)
  #mask = 0
  #hashed = false
  #strings: Map<string, number> | undefined
  readonly #seed = Math.floor(Math.random() * 2 ** 31)

  /** Empties the index for a directory of `count` tensors. */
  reset(count: number): void {
    this.#strings = undefined
    this.#hashed = count > FEW
    if (!this.#hashed) return
    let capacity = 32
    while (capacity < count * 2) capacity *= 2
    if (this.#slots.length < capacity) this.#slots = allocateDescriptors(Int32Array, capacity, count)
    else this.#slots.fill(0, 0, capacity)
    if (this.#hashes.length < count) this.#hashes = allocateDescriptors(Int32Array, count, 0)
    this.#mask = capacity - 1
  }

  /** Adds the name of tensor `index`; all before it with a name have been added. False if it stood before. */
  add(places: NamePlaces, index: number): boolean {
    const start = places.nameStart(index)
    const length = places.nameLength(index)
    if (!this.#hashed) return scan(places, index, places.bytes, start, length) === -1
    if (this.#strings !== undefined) return this.#addString(places, this.#strings, index)
    const hash = this.#hash(places.bytes, start, length)
    const slot = this.#find(places, places.bytes, start, length, hash)
    if (slot === -1) {
      this.#strings = new Map()
      for (let i = 0; i < index; i++) if (places.nameLength(i) > 0) this.#addString(places, this.#strings, i)
      return this.#addString(places, this.#strings, index)
    }
    if (this.#slots[slot] !== 0) return false
    this.#slots[slot] = index + 1
    this.#hashes[index] = hash
    return true
  }

  /** The index of the tensor of this name among the first `count`, or −1. */
  find(places: NamePlaces, count: number, name: string): number {
    if (name === '') return -1
    if (this.#strings !== undefined) return this.#strings.get(name) ?? -1
    const bytes = nameBytes(name)
    if (bytes === undefined) return -1
    if (!this.#hashed) return scan(places, count, bytes, 0, bytes.length)
    const slot = this.#find(places, bytes, 0, bytes.length, this.#hash(bytes, 0, bytes.length))
    return slot === -1 ? -1 : this.#slots[slot]! - 1
  }

  #addString(places: NamePlaces, strings: Map<string, number>, index: number): boolean {
    const start = places.nameStart(index)
    const name = decodeUtf8(places.bytes, start, start + places.nameLength(index), true)
    if (strings.has(name)) return false
    strings.set(name, index)
    return true
  }

  #hash(bytes: Uint8Array, start: number, length: number): number {
    let hash = this.#seed
    const end = start + length
    let i = start
    // Four bytes a multiplication; names are some 30 bytes long.
    for (; i + 4 <= end; i += 4) {
      const word = bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24)
      hash = Math.imul(hash ^ word, 0x9e3779b1)
      hash ^= hash >>> 16
    }
    for (; i < end; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193)
    hash ^= hash >>> 15
    hash = Math.imul(hash, 0x2c1b3c6d)
    return hash ^ (hash >>> 13)
  }

  /** The slot of an equal name, or the empty one where it belongs, or −1 after too many probes. */
  #find(places: NamePlaces, bytes: Uint8Array, start: number, length: number, hash: number): number {
    let slot = hash & this.#mask
    for (let probe = 0; probe < MAX_PROBES; probe++) {
      const entry = this.#slots[slot]!
      if (entry === 0) return slot
      if (
        this.#hashes[entry - 1] === hash &&
        places.nameLength(entry - 1) === length &&
        sameBytes(places.bytes, places.nameStart(entry - 1), bytes, start, length)
      ) {
        return slot
      }
      slot = (slot + 1) & this.#mask
    }
    return -1
  }
}

function scan(places: NamePlaces, count: number, bytes: Uint8Array, start: number, length: number): number {
  for (let i = 0; i < count; i++) {
    if (places.nameLength(i) === length && sameBytes(places.bytes, places.nameStart(i), bytes, start, length)) return i
  }
  return -1
}

function sameBytes(a: Uint8Array, aStart: number, b: Uint8Array, bStart: number, length: number): boolean {
  for (let i = 0; i < length; i++) if (a[aStart + i] !== b[bStart + i]) return false
  return true
}

/** A name's UTF-8, or undefined for one with a lone surrogate, which no tensor has. */
function nameBytes(name: string): Uint8Array | undefined {
  try {
    return encodeUtf8(name)
  } catch {
    return undefined
  }
}
