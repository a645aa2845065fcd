import { concat, utf8 } from './bytes.js'

/** A varint, of any size up to 64 bits; negative numbers are ten bytes, as protobuf has them. */
export function varint(value: number | bigint): Uint8Array<ArrayBuffer> {
  const bytes: number[] = []
  let left = BigInt.asUintN(64, BigInt(value))
  do {
    const low = Number(left % 128n)
    left /= 128n
    bytes.push(left > 0n ? low + 128 : low)
  } while (left > 0n)
  return Uint8Array.from(bytes)
}

const tag = (number: number, wire: number): Uint8Array => varint(number * 8 + wire)

/** A field with a varint. */
export function int(number: number, value: number | bigint): Uint8Array<ArrayBuffer> {
  return concat(tag(number, 0), varint(value))
}

/** A field with a length: bytes, text, or a message of parts. */
export function field(number: number, ...parts: readonly (Uint8Array | string)[]): Uint8Array<ArrayBuffer> {
  const body = concat(...parts.map((part) => (typeof part === 'string' ? utf8(part) : part)))
  return concat(tag(number, 2), varint(body.length), body)
}

/** A packed list of varints. */
export function packed(number: number, values: readonly (number | bigint)[]): Uint8Array<ArrayBuffer> {
  return field(number, Uint8Array.from(Buffer.concat(values.map(varint))))
}

/** A field of four or eight bytes. */
export function fixed(number: number, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return concat(tag(number, bytes.length === 4 ? 5 : 1), bytes)
}

/** A TensorProto of dims, data type, name, and whatever holds its elements. */
export function tensorProto(dims: readonly (number | bigint)[], dataType: number, name: string, ...rest: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return concat(...dims.map((dim) => int(1, dim)), int(2, dataType), ...(name === '' ? [] : [field(8, name)]), ...rest)
}

/** The fields of external data: where, and what else. */
export function external(entries: Readonly<Record<string, string>>): Uint8Array<ArrayBuffer> {
  return concat(...Object.entries(entries).map(([key, value]) => field(13, field(1, key), field(2, value))), int(14, 1))
}

/** A ModelProto with a graph of these fields. */
export function modelProto(...graph: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return concat(int(1, 10), field(2, 'test'), field(7, ...graph), field(8, field(1, ''), int(2, 21)))
}

/** A graph's initializer. */
export function initializer(tensor: Uint8Array): Uint8Array<ArrayBuffer> {
  return field(5, tensor)
}
