import { allocateElements } from '../bytes/allocate.js'
import { describe } from '../bytes/input.js'
import { takeCount } from '../bytes/reader.js'
import { KilnError, within } from '../errors/kiln-error.js'
import type { Read, TypeCodec } from './codec.js'
import { writeCount } from './text.js'

function listReader(readElement: Read, minSize: number): Read {
  return (r) => {
    const count = takeCount(r, minSize, 'count')
    const list = allocateElements<unknown[]>(Array, count)
    let i = 0
    try {
      for (; i < count; i++) list[i] = readElement(r)
    } catch (error) {
      throw within(error, i)
    }
    return list
  }
}

/** `list<element>` whose elements are stored one by one: all but the fixed-width numbers (`bool` too). */
export function listCodec(element: TypeCodec): TypeCodec {
  const read = listReader(element.read, element.minSize)
  return {
    minSize: 4,
    read,
    view: element.view === element.read ? read : listReader(element.view, element.minSize),
    write(w, value) {
      if (!Array.isArray(value)) throw new KilnError('TYPE', `list takes an array, got ${describe(value)}`)
      const count = value.length
      writeCount(w, count, 'elements')
      let i = 0
      try {
        for (; i < count; i++) element.write(w, value[i])
        if (value.length !== count) throw new KilnError('TYPE', 'the array changed its length while it was encoded')
      } catch (error) {
        throw within(error, i)
      }
    },
  }
}
