import type { FileKindName } from './kinds.js'

/** The wire type of each field that opens a message: 0 a varint, 2 something with a length, 5 four bytes. */
const MODEL: Record<number, readonly number[]> = {
  1: [0],
  2: [2],
  3: [2],
  4: [2],
  5: [0],
  6: [2],
  7: [2],
  8: [2],
  14: [2],
  20: [2],
  25: [2],
  26: [2],
}
const TENSOR: Record<number, readonly number[]> = {
  1: [0, 2],
  2: [0],
  3: [2],
  4: [2, 5],
  5: [0, 2],
  6: [2],
  7: [0, 2],
  8: [2],
  9: [2],
  10: [1, 2],
  11: [0, 2],
  12: [2],
  13: [2],
  14: [0],
  16: [2],
}

/**
 * Whether the first bytes are an ONNX model or a single tensor, by what their fields are. A protobuf
 * message has no magic, so this is a guess, for messages and for files without a telling name.
 */
export function protobufKind(head: Uint8Array): FileKindName | undefined {
  const fields = firstFields(head)
  if (fields === undefined || fields.length === 0) return undefined
  const fits = (table: Record<number, readonly number[]>): boolean =>
    fields.every(([number, wire]) => table[number]?.includes(wire) === true)
  const has = (number: number): boolean => fields.some(([found]) => found === number)
  if (fits(MODEL) && (has(1) || has(7) || has(8))) return 'onnx'
  return fits(TENSOR) && has(2) ? 'tensorproto' : undefined
}

/** Number and wire type of the fields that begin in `head`, up to 16; undefined if it is no protobuf. */
function firstFields(head: Uint8Array): [number: number, wire: number][] | undefined {
  const fields: [number, number][] = []
  let at = 0
  const varint = (): number => {
    let value = 0
    let unit = 1
    for (let i = 0; i < 10; i++, unit *= 128) {
      const byte = head[at++]
      if (byte === undefined) return value
      value += (byte % 128) * unit
      if (byte < 128) return value
    }
    return Number.NaN
  }
  while (at < head.length && fields.length < 16) {
    const tag = varint()
    const wire = tag % 8
    const number = Math.floor(tag / 8)
    if (!(number >= 1 && number < 2 ** 29)) return undefined
    fields.push([number, wire])
    if (wire === 0) {
      if (Number.isNaN(varint())) return undefined
    } else if (wire === 1) at += 8
    else if (wire === 5) at += 4
    else if (wire === 2) {
      // In a step of its own: `at +=` would take `at` from before the varint moved it.
      const length = varint()
      at += length
    } else return undefined
  }
  return fields
}
