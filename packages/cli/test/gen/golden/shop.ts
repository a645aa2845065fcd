// Written by kiln gen from 'shop.openapi.json'. Change that and run kiln gen again, not this file.
import type { ByteInput, ByteReader, ByteWriter, MessageWriter, OwnBytes, ReadOptions } from 'kiln-format/runtime'
import {
  checkEnd,
  checkF64,
  checkI32,
  checkI64,
  checkLength,
  encodeIntoWith,
  encodePartsWith,
  encodeWith,
  encodedSizeWith,
  grant,
  inElement,
  inField,
  inMessage,
  objectPrototype,
  openMessage,
  ownFields,
  readFlag,
  readString,
  take,
  takeList,
  writeListCount,
  writeString,
  writeTag,
} from 'kiln-format/runtime'

/** The schema of {@link Order}, as Kiln writes schemas. */
export const orderText =
  'struct{id:i64,placed:string,lines:list<struct{article:string,count:i32,price:option<f64>,}>,billing:option<struct{text:option<string>,}>,shipping:option<struct{text:option<string>,}>,note:option<string>,}'

/** The hash of that schema, as frames carry it. */
export const orderHash = 0x3b26a2969699ff11n

export interface Order {
  id: bigint
  placed: string
  lines: Line[]
  billing: Address | undefined
  shipping: Address | undefined
  note: string | undefined
}

/** As {@link Order}: nothing in it can be borrowed. */
export type OrderView = Order

/** {@link Order} as it is taken for encoding. */
export interface OrderInput {
  readonly id: bigint | number
  readonly placed: string
  readonly lines: readonly LineInput[]
  readonly billing?: AddressInput | undefined
  readonly shipping?: AddressInput | null | undefined
  readonly note?: string | null | undefined
}

export interface Line {
  article: string
  count: number
  price: number | undefined
}

/** {@link Line} as it is taken for encoding. */
export interface LineInput {
  readonly article: string
  readonly count: number
  readonly price?: number | undefined
}

/** Where things go. */
export interface Address {
  text: string | undefined
}

/** {@link Address} as it is taken for encoding. */
export interface AddressInput {
  readonly text?: string | undefined
}

const orderFields = ['id', 'placed', 'lines', 'billing', 'shipping', 'note']
const lineFields = ['article', 'count', 'price']
const addressFields = ['text']

/** Writes a value into bytes of its own, of exactly its size. */
export function encodeOrder(value: OrderInput): OwnBytes {
  return encodeWith(writeOrder, value)
}

/** Writes a value to the front of a target, and returns how many bytes it took. */
export function encodeOrderInto(value: OrderInput, target: ByteInput): number {
  return encodeIntoWith(writeOrder, value, target)
}

/** Writes a value as slices in order; large arrays are not copied. */
export function encodeOrderParts(value: OrderInput): Uint8Array[] {
  return encodePartsWith(writeOrder, value)
}

/** Writes a value into a writer's memory; the bytes hold until its next call. */
export function encodeOrderWith(writer: MessageWriter, value: OrderInput): Uint8Array {
  return writer.encodeBy(writeOrder, value)
}

/** Bytes that a value takes. */
export function encodedSizeOrder(value: OrderInput): number {
  return encodedSizeWith(writeOrder, value)
}

/** Reads a value that shares nothing with the bytes, but payloads of tensors. */
export function decodeOrder(bytes: ByteInput, options?: ReadOptions): Order {
  const r = openMessage(bytes, options, 'bigint')
  try {
    const value = readOrder(r)
    checkEnd(r, 'value')
    return value
  } catch (error) {
    throw inMessage(error, r)
  }
}

/** Reads a value whose lists of numbers, bytes and tensors lie in the bytes. */
export function viewOrder(bytes: ByteInput, options?: ReadOptions): OrderView {
  const r = openMessage(bytes, options, 'bigint')
  try {
    const value = readOrder(r)
    checkEnd(r, 'value')
    return value
  } catch (error) {
    throw inMessage(error, r)
  }
}

function readOrder(r: ByteReader): Order {
  let field = 'id'
  try {
    const at = take(r, 8, 'i64')
    const id = r.view.getBigInt64(at, true)
    field = 'placed'
    const placed = readString(r)
    field = 'lines'
    const lines = readLineList(r)
    field = 'billing'
    const billing = readFlag(r, 'option tag') ? readAddress(r) : undefined
    field = 'shipping'
    const shipping = readFlag(r, 'option tag') ? readAddress(r) : undefined
    field = 'note'
    const note = readFlag(r, 'option tag') ? readString(r) : undefined
    return { id, placed, lines, billing, shipping, note }
  } catch (error) {
    throw inField(error, field)
  }
}

function readLineList(r: ByteReader): Line[] {
  const list = takeList<Line>(r, 9)
  const count = list.length
  let i = 0
  try {
    for (; i < count; i++) list[i] = readLine(r)
  } catch (error) {
    throw inElement(error, i)
  }
  return list
}

function readLine(r: ByteReader): Line {
  let field = 'article'
  try {
    const article = readString(r)
    field = 'count'
    const at = take(r, 4, 'i32')
    const count = r.view.getInt32(at, true)
    field = 'price'
    const price = readFlag(r, 'option tag') ? r.view.getFloat64(take(r, 8, 'f64'), true) : undefined
    return { article, count, price }
  } catch (error) {
    throw inField(error, field)
  }
}

function readAddress(r: ByteReader): Address {
  const field = 'text'
  try {
    const text = readFlag(r, 'option tag') ? readString(r) : undefined
    return { text }
  } catch (error) {
    throw inField(error, field)
  }
}

function writeOrder(w: ByteWriter, value: OrderInput): void {
  const inherited =
    'id' in objectPrototype ||
    'placed' in objectPrototype ||
    'lines' in objectPrototype ||
    'billing' in objectPrototype ||
    'shipping' in objectPrototype ||
    'note' in objectPrototype
  const own = ownFields(value, orderFields, inherited)
  let field = 'id'
  try {
    const at = grant(w, 8)
    w.view.setBigInt64(at, checkI64(own.id), true)
    field = 'placed'
    writeString(w, own.placed)
    field = 'lines'
    writeLineList(w, own.lines)
    field = 'billing'
    const billing = own.billing
    if (writeTag(w, billing)) writeAddress(w, billing)
    field = 'shipping'
    const shipping = own.shipping
    if (writeTag(w, shipping)) writeAddress(w, shipping)
    field = 'note'
    const note = own.note
    if (writeTag(w, note)) writeString(w, note)
  } catch (error) {
    throw inField(error, field)
  }
}

function writeLineList(w: ByteWriter, value: readonly LineInput[]): void {
  const count = writeListCount(w, value)
  let i = 0
  try {
    for (; i < count; i++) writeLine(w, value[i]!)
    checkLength(value, count)
  } catch (error) {
    throw inElement(error, i)
  }
}

function writeLine(w: ByteWriter, value: LineInput): void {
  const inherited = 'article' in objectPrototype || 'count' in objectPrototype || 'price' in objectPrototype
  const own = ownFields(value, lineFields, inherited)
  let field = 'article'
  try {
    writeString(w, own.article)
    field = 'count'
    const at = grant(w, 4)
    w.view.setInt32(at, checkI32(own.count), true)
    field = 'price'
    const price = own.price
    if (writeTag(w, price)) {
      const at2 = grant(w, 8)
      w.view.setFloat64(at2, checkF64(price), true)
    }
  } catch (error) {
    throw inField(error, field)
  }
}

function writeAddress(w: ByteWriter, value: AddressInput): void {
  const inherited = 'text' in objectPrototype
  const own = ownFields(value, addressFields, inherited)
  const field = 'text'
  try {
    const text = own.text
    if (writeTag(w, text)) writeString(w, text)
  } catch (error) {
    throw inField(error, field)
  }
}
