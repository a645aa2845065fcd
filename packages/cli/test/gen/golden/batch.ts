// Written by kiln gen from 'batch.kiln'. Change that and run kiln gen again, not this file.
import type {
  ByteInput,
  ByteReader,
  ByteWriter,
  MessageWriter,
  NumberList,
  NumbersInput,
  OwnArrays,
  OwnBytes,
  ReadOptions,
} from 'kiln-format/runtime'
import {
  checkEnd,
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
  numbers,
  numbersWriter,
  objectPrototype,
  openMessage,
  openReader,
  ownFields,
  readString,
  take,
  takeCount,
  takeList,
  writeListCount,
  writeString,
} from 'kiln-format/runtime'

/** The schema of {@link Batch}, as Kiln writes schemas. */
export const batchText = 'list<struct{id:i64,name:string,vector:list<f32>,}>'

/** The hash of that schema, as frames carry it. */
export const batchHash = 0x022504493ae5a88cn

export type Batch = BatchItem[]

/** {@link Batch} as it is read without copying: lists of numbers, bytes and tensors lie in the input. */
export type BatchView = BatchItemView[]

/** {@link Batch} as it is taken for encoding. */
export type BatchInput = readonly BatchItemInput[]

export interface BatchItem {
  id: bigint
  name: string
  vector: OwnArrays['f32']
}

/** {@link BatchItem} as it is read without copying: lists of numbers, bytes and tensors lie in the input. */
export interface BatchItemView {
  id: bigint
  name: string
  vector: NumberList<'f32'>
}

/** {@link BatchItem} as it is taken for encoding. */
export interface BatchItemInput {
  readonly id: bigint | number
  readonly name: string
  readonly vector: NumbersInput<'f32'>
}

const f32List = /* @__PURE__ */ numbers('f32')
const writeF32List = /* @__PURE__ */ numbersWriter('f32')
const batchItemFields = ['id', 'name', 'vector']

/** Writes a value into bytes of its own, of exactly its size. */
export function encodeBatch(value: BatchInput): OwnBytes {
  return encodeWith(writeBatchItemList, value)
}

/** Writes a value to the front of a target, and returns how many bytes it took. */
export function encodeBatchInto(value: BatchInput, target: ByteInput): number {
  return encodeIntoWith(writeBatchItemList, value, target)
}

/** Writes a value as slices in order; large arrays are not copied. */
export function encodeBatchParts(value: BatchInput): Uint8Array[] {
  return encodePartsWith(writeBatchItemList, value)
}

/** Writes a value into a writer's memory; the bytes hold until its next call. */
export function encodeBatchWith(writer: MessageWriter, value: BatchInput): Uint8Array {
  return writer.encodeBy(writeBatchItemList, value)
}

/** Bytes that a value takes. */
export function encodedSizeBatch(value: BatchInput): number {
  return encodedSizeWith(writeBatchItemList, value)
}

/** Reads a value that shares nothing with the bytes, but payloads of tensors. */
export function decodeBatch(bytes: ByteInput, options?: ReadOptions): Batch {
  const r = openMessage(bytes, options, 'bigint')
  try {
    const value = readBatchItemList(r)
    checkEnd(r, 'value')
    return value
  } catch (error) {
    throw inMessage(error, r)
  }
}

/** Reads a value whose lists of numbers, bytes and tensors lie in the bytes. */
export function viewBatch(bytes: ByteInput, options?: ReadOptions): BatchView {
  const r = openMessage(bytes, options, 'bigint')
  try {
    const value = borrowBatchItemList(r)
    checkEnd(r, 'value')
    return value
  } catch (error) {
    throw inMessage(error, r)
  }
}

/** Reads the elements one by one, as they are asked for. The end of the bytes is checked after the last. */
export function iterateBatch(bytes: ByteInput, options?: ReadOptions): Generator<BatchItem, undefined> {
  return eachItem(openReader(bytes, options, 'bigint'))
}

function* eachItem(r: ByteReader): Generator<BatchItem, undefined> {
  const count = takeCount(r, 16, 'count')
  for (let i = 0; i < count; i++) {
    let item: BatchItem
    try {
      item = readBatchItem(r)
    } catch (error) {
      throw inElement(error, i)
    }
    yield item
  }
  checkEnd(r, 'list')
  return undefined
}

/** As {@link iterateBatch}; lists of numbers, bytes and tensors lie in the bytes. */
export function iterateBatchView(bytes: ByteInput, options?: ReadOptions): Generator<BatchItemView, undefined> {
  return eachView(openReader(bytes, options, 'bigint'))
}

function* eachView(r: ByteReader): Generator<BatchItemView, undefined> {
  const count = takeCount(r, 16, 'count')
  for (let i = 0; i < count; i++) {
    let item: BatchItemView
    try {
      item = borrowBatchItem(r)
    } catch (error) {
      throw inElement(error, i)
    }
    yield item
  }
  checkEnd(r, 'list')
  return undefined
}

function readBatchItemList(r: ByteReader): BatchItem[] {
  const list = takeList<BatchItem>(r, 16)
  const count = list.length
  let i = 0
  try {
    for (; i < count; i++) list[i] = readBatchItem(r)
  } catch (error) {
    throw inElement(error, i)
  }
  return list
}

function borrowBatchItemList(r: ByteReader): BatchItemView[] {
  const list = takeList<BatchItemView>(r, 16)
  const count = list.length
  let i = 0
  try {
    for (; i < count; i++) list[i] = borrowBatchItem(r)
  } catch (error) {
    throw inElement(error, i)
  }
  return list
}

function readBatchItem(r: ByteReader): BatchItem {
  let field = 'id'
  try {
    const at = take(r, 8, 'i64')
    const id = r.view.getBigInt64(at, true)
    field = 'name'
    const name = readString(r)
    field = 'vector'
    const vector = f32List.read(r)
    return { id, name, vector }
  } catch (error) {
    throw inField(error, field)
  }
}

function borrowBatchItem(r: ByteReader): BatchItemView {
  let field = 'id'
  try {
    const at = take(r, 8, 'i64')
    const id = r.view.getBigInt64(at, true)
    field = 'name'
    const name = readString(r)
    field = 'vector'
    const vector = f32List.view(r)
    return { id, name, vector }
  } catch (error) {
    throw inField(error, field)
  }
}

function writeBatchItemList(w: ByteWriter, value: readonly BatchItemInput[]): void {
  const count = writeListCount(w, value)
  let i = 0
  try {
    for (; i < count; i++) writeBatchItem(w, value[i]!)
    checkLength(value, count)
  } catch (error) {
    throw inElement(error, i)
  }
}

function writeBatchItem(w: ByteWriter, value: BatchItemInput): void {
  const inherited = 'id' in objectPrototype || 'name' in objectPrototype || 'vector' in objectPrototype
  const own = ownFields(value, batchItemFields, inherited)
  let field = 'id'
  try {
    const at = grant(w, 8)
    w.view.setBigInt64(at, checkI64(own.id), true)
    field = 'name'
    writeString(w, own.name)
    field = 'vector'
    writeF32List(w, own.vector)
  } catch (error) {
    throw inField(error, field)
  }
}
