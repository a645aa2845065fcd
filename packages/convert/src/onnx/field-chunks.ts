import { KilnError, type ByteSource, type DtypeName, type ReadOptions } from 'kiln-format'
import { int32Entries, type ValueField } from './data-types.js'
import { readVarints, WireMessage, type WireRange } from './wire-message.js'
import { WireWindow, type WireReader } from './wire-window.js'

/** Bytes that are put together before they are given out. */
const PIECE = 2 ** 18

/** Elements that lie in a field of a TensorProto, counted and in range. */
export interface FieldPayload {
  /** The TensorProto in the source. */
  readonly range: WireRange
  readonly field: ValueField
  readonly dtype: DtypeName
  readonly byteLength: number
}

/** Takes one varint and writes what its dtype keeps of it. */
interface EntryWriter {
  readonly width: number
  write(reader: WireReader, view: DataView, at: number): void
}

/**
 * A payload out of the entries of a field, each narrowed to its dtype's own width. The message is
 * walked through again, so nothing but one piece is held. Fixed-width entries keep their bits, NaNs
 * too.
 */
export async function* fieldChunks(
  source: ByteSource,
  payload: FieldPayload,
  options?: ReadOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const message = new WireMessage(new WireWindow(source, options), payload.range)
  const entry = entryWriter(payload)
  const piece = new Uint8Array(Math.min(PIECE, payload.byteLength))
  const view = new DataView(piece.buffer)
  let filled = 0
  let left = payload.byteLength
  for (let field = await message.next(); field !== undefined; field = await message.next()) {
    if (field.number !== payload.field) continue
    for (let at = field.start; at < field.end;) {
      const room = Math.min(piece.length - filled, left - filled)
      // The entries were counted when the file was opened.
      if (room === 0) throw changed(payload)
      if (entry === undefined) {
        const take = Math.min(room, field.end - at)
        piece.set(await message.window.read(at, at + take), filled)
        at += take
        filled += take
      } else {
        at = await readVarints(message, at, field, room / entry.width, (reader) => {
          entry.write(reader, view, filled)
          filled += entry.width
        })
      }
      if (filled < piece.length) continue
      left -= filled
      filled = 0
      yield piece
    }
  }
  if (filled !== left) throw changed(payload)
  if (filled > 0) yield piece.subarray(0, filled)
}

function changed(payload: FieldPayload): KilnError {
  return new KilnError(
    'TYPE',
    `${payload.range.what}: the file has changed since it was opened; open it again`,
    payload.range.start,
  )
}

/** How to write a varint of the field; undefined for fields of fixed width, whose bytes are copied. */
function entryWriter({ field, dtype }: FieldPayload): EntryWriter | undefined {
  if (field === 4 || field === 10) return undefined
  if (field === 7) return { width: 8, write: (reader, view, at) => view.setBigInt64(at, BigInt(reader.int64()), true) }
  if (field === 11) {
    return dtype === 'u32'
      ? { width: 4, write: (reader, view, at) => view.setUint32(at, Number(reader.uint64()), true) }
      : { width: 8, write: (reader, view, at) => view.setBigUint64(at, BigInt(reader.uint64()), true) }
  }
  switch (int32Entries[dtype]?.bytes) {
    case 4:
      return { width: 4, write: (reader, view, at) => view.setInt32(at, reader.int32(), true) }
    case 2:
      return { width: 2, write: (reader, view, at) => view.setInt16(at, reader.int32(), true) }
    default:
      return { width: 1, write: (reader, view, at) => view.setInt8(at, reader.int32()) }
  }
}
