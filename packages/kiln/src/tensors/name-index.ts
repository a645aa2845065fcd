import { allocateDescriptors } from '../bytes/allocate.js'
import { decodeUtf8, firstMalformed, writeUtf8 } from '../bytes/utf8.js'
import { viewOf } from '../bytes/view-of.js'
import { isKilnError } from '../errors/kiln-error.js'

/** Where the bytes of each name lie: what an index needs to know of its directory. `view` lies over `bytes`. */
export interface NamePlaces {
  readonly bytes: Uint8Array
  readonly view: DataView
  nameStart(index: number): number
  nameLength(index: number): number
}

/** Up to here names are compared one by one: no hash, no storage. */
const FEW = 16
/** A name that meets more others than this in the table sends all names into a Map, which can't be flooded. */
const MAX_PROBES = 32

// Differs from run to run, so that nobody can tell beforehand which names collide.
const seed = Math.floor(Math.random() * 2 ** 31)

const NONE = new Int32Array(0)

// The bytes of one name that is asked for, while it is looked up.
const asked = new Uint8Array(512)
const askedView = /* @__PURE__ */ viewOf(asked)

/**
 * Finds tensors by name, comparing names by their bytes, without making strings of them: an open hash
 * table over the bytes. Names made to collide anyway end in a Map of strings, so the time stays linear whatever the
 * input.
 *
 * Storage is kept from one directory to the next (DirectoryReader), and grows only.
 */
export class NameIndex {
  private slots = NONE
  private hashes = NONE
  private mask = 0
  /** The high bits of the bytes of the name that was hashed last: 0 if it is ASCII. */
  private high = 0
  private hashed = false
  private strings: Map<string, number> | undefined = undefined

  /** Empties the index for a directory of `count` tensors. */
  reset(count: number): void {
    this.strings = undefined
    this.hashed = count > FEW
    if (!this.hashed) return
    let capacity = 32
    while (capacity < count * 2) capacity *= 2
    if (this.slots.length < capacity) this.slots = allocateDescriptors(Int32Array, capacity, count)
    else this.slots.fill(0, 0, capacity)
    if (this.hashes.length < count) this.hashes = allocateDescriptors(Int32Array, count, 0)
    this.mask = capacity - 1
  }

  /**
   * Adds the name of tensor `index`, which is not empty; all before it with a name have been added. Says so if it stood
   * before, or is not UTF-8: whoever goes through its bytes for the hash sees that on the way.
   */
  add(places: NamePlaces, index: number, start: number, length: number): 'added' | 'twice' | 'malformed' {
    const { bytes, view } = places
    const hash = this.hashOf(view, start, length)
    if (this.high !== 0 && firstMalformed(bytes, start, start + length) !== start + length) return 'malformed'
    if (!this.hashed) return scan(places, index, bytes, start, length) === -1 ? 'added' : 'twice'
    if (this.strings !== undefined) return addString(places, this.strings, index)
    const slot = this.slotOf(places, bytes, start, length, hash)
    if (slot === -1) {
      this.strings = new Map()
      for (let i = 0; i < index; i++) if (places.nameLength(i) > 0) addString(places, this.strings, i)
      return addString(places, this.strings, index)
    }
    if (this.slots[slot] !== 0) return 'twice'
    this.slots[slot] = index + 1
    this.hashes[index] = hash
    return 'added'
  }

  /** The index of the tensor of this name among the first `count`, or −1. */
  find(places: NamePlaces, count: number, name: string): number {
    if (name === '' || typeof name !== 'string') return -1
    if (this.strings !== undefined) return this.strings.get(name) ?? -1
    // Three bytes a unit are always enough.
    const fits = name.length * 3 <= asked.length
    const bytes = fits ? asked : new Uint8Array(name.length * 3)
    const length = nameBytes(name, bytes)
    if (length === undefined) return -1
    if (!this.hashed) return scan(places, count, bytes, 0, length)
    const view = fits ? askedView : viewOf(bytes)
    const slot = this.slotOf(places, bytes, 0, length, this.hashOf(view, 0, length))
    return slot === -1 ? -1 : this.slots[slot]! - 1
  }

  /** Four bytes a step: names are some 30 bytes long, and the last step may take some bytes a second time. */
  private hashOf(view: DataView, start: number, length: number): number {
    let hash = seed ^ length
    let high = 0
    const end = start + length
    if (length < 4) {
      for (let i = start; i < end; i++) {
        const byte = view.getUint8(i)
        high |= byte
        hash = mixed(hash, byte)
      }
    } else {
      for (let i = start; i < end - 4; i += 4) {
        const word = view.getInt32(i, true)
        high |= word
        hash = mixed(hash, word)
      }
      const word = view.getInt32(end - 4, true)
      high |= word
      hash = mixed(hash, word)
    }
    this.high = high & 0x80808080
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
    return hash ^ (hash >>> 13)
  }

  /** The slot of an equal name, or the empty one where it belongs, or −1 after too many probes. */
  private slotOf(places: NamePlaces, bytes: Uint8Array, start: number, length: number, hash: number): number {
    const { slots, hashes, mask } = this
    let slot = hash & mask
    for (let probe = 0; probe < MAX_PROBES; probe++) {
      const entry = slots[slot]!
      if (entry === 0) return slot
      if (
        hashes[entry - 1] === hash &&
        places.nameLength(entry - 1) === length &&
        sameBytes(places.bytes, places.nameStart(entry - 1), bytes, start, length)
      ) {
        return slot
      }
      slot = (slot + 1) & mask
    }
    return -1
  }
}

function addString(places: NamePlaces, strings: Map<string, number>, index: number): 'added' | 'twice' {
  const start = places.nameStart(index)
  const name = decodeUtf8(places.bytes, start, start + places.nameLength(index), true)
  if (strings.has(name)) return 'twice'
  strings.set(name, index)
  return 'added'
}

function mixed(hash: number, word: number): number {
  const next = Math.imul(hash ^ word, 0x9e3779b1)
  return next ^ (next >>> 16)
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

/** Writes a name's UTF-8 and returns its length, or undefined for one with a lone surrogate, which no tensor has. */
function nameBytes(name: string, target: Uint8Array): number | undefined {
  try {
    return writeUtf8(name, target, 0)
  } catch (error) {
    if (isKilnError(error)) return undefined
    throw error
  }
}
