import { describe } from '../bytes/input.js'
import { KilnError, within } from '../errors/kiln-error.js'
import { directoryItems, placesOf } from '../tensors/encode-directory.js'
import { writeTable, type WrittenTable } from '../tensors/write.js'
import { plannedTensor, type PlannedTensor } from './writable-tensor.js'

/** A payload and where it goes. */
export interface PlannedPayload {
  /** For messages: the tensor's name, or its place. */
  readonly name: string | number
  readonly tensor: PlannedTensor
  /** From the start of the block. */
  readonly offset: number
  readonly length: number
  readonly checksum: boolean
}

/** All that is known of a directory before the first payload comes. */
export interface DirectoryPlan {
  /** Bytes from 0 to `payload_base`; its checksums are filled in later. */
  readonly table: WrittenTable
  readonly payloads: readonly PlannedPayload[]
}

/** Lays out a directory. Whatever is wrong with descriptions is found here, before anything is written. */
export function planDirectory(given: unknown, alignment: number | undefined, checksums: boolean): DirectoryPlan {
  const items = directoryItems(given)
  const places = placesOf(items)
  const tensors = items.map((item, i) => {
    try {
      return plannedTensor(item, places)
    } catch (error) {
      throw within(error, (item as { name?: string }).name || i)
    }
  })
  const table = writeTable(
    tensors.map(({ description }) => description),
    alignment,
  )
  const payloads = tensors.map((tensor, i): PlannedPayload => {
    const { offset, length } = table.payloads[i]!
    const { name, checksum } = tensor.description
    const called = name === undefined || name === '' ? i : name
    if (tensor.byteLength !== undefined && tensor.byteLength !== length) {
      throw new KilnError('TYPE', `dtype and shape need ${length} bytes, byteLength says ${describe(tensor.byteLength)}`).within(
        called,
      )
    }
    return { name: called, tensor, offset, length, checksum: checksum ?? checksums }
  })
  return { table, payloads }
}
