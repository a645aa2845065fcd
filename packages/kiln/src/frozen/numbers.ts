import { allocateElements } from '../bytes/allocate.js'
import {
  bytesOfArray, copyElements, elementType, toLittleEndian, type ElementType, type NumberName,
} from '../bytes/elements.js'
import { describe, isUnstable, memoryOf, typedArrayName } from '../bytes/input.js'
import { takeCount } from '../bytes/reader.js'
import type { ByteWriter } from '../bytes/writer.js'
import { KilnError, within } from '../errors/kiln-error.js'
import type { Readers, Write } from './codec.js'
import { checkLength } from './list.js'
import { BorrowedNumbers, bytesOfList } from './number-list.js'
import { scalarWrites } from './scalar-write.js'
import { writeCount } from './text.js'

type AnyArray = { readonly length: number; readonly [index: number]: unknown }

/**
 * Reads lists of fixed-width numbers (FORMAT §2). Nothing is allocated element by element: a borrowed read is a pointer
 * and a byte length, an owned read one bulk copy into a typed array.
 */
export function numbersReaders(name: NumberName): Readers {
  const type: ElementType = elementType(name)
  const { width } = type
  return {
    read(r) {
      const count = takeCount(r, width, 'numbers')
      const start = r.pos
      r.pos = start + count * width
      return copyElements(type, r.bytes, start, count * width, allocateElements)
    },
    view(r) {
      const count = takeCount(r, width, 'numbers')
      const start = r.pos
      r.pos = start + count * width
      return new BorrowedNumbers(type, r.bytes, r.view, start, count)
    },
  }
}

/** Writes lists of fixed-width numbers (FORMAT §2): a typed array is one copy of its bytes, any other array is checked number by number. */
export function numbersWriter(name: NumberName): Write {
  const type: ElementType = elementType(name)
  const { width } = type
  const writeElement = scalarWrites[name]

  function writeEach(w: ByteWriter, values: AnyArray): void {
    const count = values.length
    writeCount(w, count, 'numbers')
    let i = 0
    try {
      for (; i < count; i++) writeElement(w, values[i])
      checkLength(values, count)
    } catch (error) {
      throw within(error, i)
    }
  }

  return (w, value) => {
    const array = bytesOfArray(type, value)
    const bytes = array === undefined ? bytesOfList(type, value) : toLittleEndian(array, width)
    if (bytes !== undefined) {
      writeCount(w, bytes.length / width, 'numbers')
      // Another thread may change shared memory before the message is put together.
      w.slice(isUnstable(bytes) ? Uint8Array.prototype.slice.call(bytes) : bytes)
    } else if (typedArrayName(value) !== undefined) {
      // One whose memory is gone would be a list of nothing.
      memoryOf(value as ArrayBufferView)
      writeEach(w, value as AnyArray)
    } else if (Array.isArray(value)) writeEach(w, value as AnyArray)
    else throw new KilnError('TYPE', `list<${name}> takes an array, a ${type.arrayNames[0]} or a borrowed list, got ${describe(value)}`)
  }
}
