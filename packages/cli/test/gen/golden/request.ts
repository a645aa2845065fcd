// Written by kiln gen from 'request.kiln'. Change that and run kiln gen again, not this file.
import type {
  ByteInput,
  ByteReader,
  ByteWriter,
  DictInput,
  Directory,
  MessageWriter,
  NumberList,
  NumbersInput,
  OwnArrays,
  OwnBytes,
  PlaceOptions,
  ReadOptions,
  TensorsInput,
} from 'kiln-format/runtime'
import {
  addKey,
  checkEnd,
  checkEntries,
  checkEntry,
  checkF32,
  checkI64,
  checkLength,
  checkU32,
  checkU64,
  encodeIntoWith,
  encodePartsWith,
  encodeWith,
  encodedSizeWith,
  entriesOf,
  grant,
  inElement,
  inEntry,
  inField,
  inKey,
  inMessage,
  keyTwice,
  numbers,
  numbersWriter,
  objectPrototype,
  openMessage,
  ownFields,
  placeWith,
  readFlag,
  readString,
  readTensors,
  take,
  takeEntries,
  takeList,
  viewTensors,
  writeEntryCount,
  writeListCount,
  writeString,
  writeTag,
  writeTensors,
} from 'kiln-format/runtime'

/** The schema of {@link Request}, as Kiln writes schemas. */
export const requestText =
  'struct{prompt:tensors,id:i64,model:string,temperature:f32,stop:list<string>,tags:dict<string,string>,seed:option<u32>,history:list<struct{role:string,parts:list<tensors>,}>,by-id:dict<u64,option<list<i64>>>,}'

/** The hash of that schema, as frames carry it. */
export const requestHash = 0xcef7b984333dcb99n

export interface Request {
  prompt: Directory
  id: bigint
  model: string
  temperature: number
  stop: string[]
  tags: Map<string, string>
  seed: number | undefined
  history: RequestHistoryItem[]
  'by-id': Map<bigint, OwnArrays['i64'] | undefined>
}

/** {@link Request} as it is read without copying: lists of numbers, bytes and tensors lie in the input. */
export interface RequestView {
  prompt: Directory
  id: bigint
  model: string
  temperature: number
  stop: string[]
  tags: Map<string, string>
  seed: number | undefined
  history: RequestHistoryItemView[]
  'by-id': Map<bigint, NumberList<'i64'> | undefined>
}

/** {@link Request} as it is taken for encoding. */
export interface RequestInput {
  readonly prompt: TensorsInput
  readonly id: bigint | number
  readonly model: string
  readonly temperature: number
  readonly stop: readonly string[]
  readonly tags: DictInput<string>
  readonly seed?: number | null | undefined
  readonly history: readonly RequestHistoryItemInput[]
  readonly 'by-id': ReadonlyMap<bigint | number, NumbersInput<'i64'> | null | undefined>
}

export interface RequestHistoryItem {
  role: string
  parts: Directory[]
}

/**
 * {@link RequestHistoryItem} as it is read without copying: lists of numbers, bytes and tensors lie in the
 * input.
 */
export interface RequestHistoryItemView {
  role: string
  parts: Directory[]
}

/** {@link RequestHistoryItem} as it is taken for encoding. */
export interface RequestHistoryItemInput {
  readonly role: string
  readonly parts: readonly TensorsInput[]
}

const i64List = /* @__PURE__ */ numbers('i64')
const writeI64List = /* @__PURE__ */ numbersWriter('i64')
const requestFields = ['prompt', 'id', 'model', 'temperature', 'stop', 'tags', 'seed', 'history', 'by-id']
const requestHistoryItemFields = ['role', 'parts']

/** Writes a value into bytes of its own, of exactly its size. */
export function encodeRequest(value: RequestInput): OwnBytes {
  return encodeWith(writeRequest, value)
}

/** Writes a value to the front of a target, and returns how many bytes it took. */
export function encodeRequestInto(value: RequestInput, target: ByteInput): number {
  return encodeIntoWith(writeRequest, value, target)
}

/** Writes a value as slices in order; large arrays are not copied. */
export function encodeRequestParts(value: RequestInput): Uint8Array[] {
  return encodePartsWith(writeRequest, value)
}

/** Writes a value into a writer's memory; the bytes hold until its next call. */
export function encodeRequestWith(writer: MessageWriter, value: RequestInput): Uint8Array {
  return writer.encodeBy(writeRequest, value)
}

/** Bytes that a value takes. */
export function encodedSizeRequest(value: RequestInput): number {
  return encodedSizeWith(writeRequest, value)
}

/** Reads a value that shares nothing with the bytes, but payloads of tensors. */
export function decodeRequest(bytes: ByteInput, options?: ReadOptions): Request {
  const r = openMessage(bytes, options, 'bigint')
  try {
    const value = readRequest(r)
    checkEnd(r, 'value')
    return value
  } catch (error) {
    throw inMessage(error, r)
  }
}

/** Reads a value whose lists of numbers, bytes and tensors lie in the bytes. */
export function viewRequest(bytes: ByteInput, options?: ReadOptions): RequestView {
  const r = openMessage(bytes, options, 'bigint')
  try {
    const value = borrowRequest(r)
    checkEnd(r, 'value')
    return value
  } catch (error) {
    throw inMessage(error, r)
  }
}

function readRequest(r: ByteReader): Request {
  let field = 'prompt'
  try {
    const prompt = readTensors(r)
    field = 'id'
    const at = take(r, 8, 'i64')
    const id = r.view.getBigInt64(at, true)
    field = 'model'
    const model = readString(r)
    field = 'temperature'
    const at2 = take(r, 4, 'f32')
    const temperature = r.view.getFloat32(at2, true)
    field = 'stop'
    const stop = readStringList(r)
    field = 'tags'
    const tags = readStringDict(r)
    field = 'seed'
    const seed = readFlag(r, 'option tag') ? r.view.getUint32(take(r, 4, 'u32'), true) : undefined
    field = 'history'
    const history = readRequestHistoryItemList(r)
    field = 'by-id'
    const byId = readOptionalI64ListByU64Dict(r)
    return { prompt, id, model, temperature, stop, tags, seed, history, 'by-id': byId }
  } catch (error) {
    throw inField(error, field)
  }
}

function borrowRequest(r: ByteReader): RequestView {
  let field = 'prompt'
  try {
    const prompt = viewTensors(r)
    field = 'id'
    const at = take(r, 8, 'i64')
    const id = r.view.getBigInt64(at, true)
    field = 'model'
    const model = readString(r)
    field = 'temperature'
    const at2 = take(r, 4, 'f32')
    const temperature = r.view.getFloat32(at2, true)
    field = 'stop'
    const stop = readStringList(r)
    field = 'tags'
    const tags = readStringDict(r)
    field = 'seed'
    const seed = readFlag(r, 'option tag') ? r.view.getUint32(take(r, 4, 'u32'), true) : undefined
    field = 'history'
    const history = borrowRequestHistoryItemList(r)
    field = 'by-id'
    const byId = borrowOptionalI64ListByU64Dict(r)
    return { prompt, id, model, temperature, stop, tags, seed, history, 'by-id': byId }
  } catch (error) {
    throw inField(error, field)
  }
}

function readStringList(r: ByteReader): string[] {
  const list = takeList<string>(r, 4)
  const count = list.length
  let i = 0
  try {
    for (; i < count; i++) list[i] = readString(r)
  } catch (error) {
    throw inElement(error, i)
  }
  return list
}

function readStringDict(r: ByteReader): Map<string, string> {
  const count = takeEntries(r, 8)
  const dict = new Map<string, string>()
  let key: string | undefined
  let at = 0
  let i = 0
  try {
    for (; i < count; i++) {
      key = undefined
      at = r.pos
      key = readString(r)
      dict.set(key, readString(r))
      if (dict.size === i) throw keyTwice(key, at)
    }
  } catch (error) {
    throw inEntry(error, i, key, at, dict)
  }
  return dict
}

function readRequestHistoryItemList(r: ByteReader): RequestHistoryItem[] {
  const list = takeList<RequestHistoryItem>(r, 8)
  const count = list.length
  let i = 0
  try {
    for (; i < count; i++) list[i] = readRequestHistoryItem(r)
  } catch (error) {
    throw inElement(error, i)
  }
  return list
}

function borrowRequestHistoryItemList(r: ByteReader): RequestHistoryItemView[] {
  const list = takeList<RequestHistoryItemView>(r, 8)
  const count = list.length
  let i = 0
  try {
    for (; i < count; i++) list[i] = borrowRequestHistoryItem(r)
  } catch (error) {
    throw inElement(error, i)
  }
  return list
}

function readRequestHistoryItem(r: ByteReader): RequestHistoryItem {
  let field = 'role'
  try {
    const role = readString(r)
    field = 'parts'
    const parts = readTensorsList(r)
    return { role, parts }
  } catch (error) {
    throw inField(error, field)
  }
}

function borrowRequestHistoryItem(r: ByteReader): RequestHistoryItemView {
  let field = 'role'
  try {
    const role = readString(r)
    field = 'parts'
    const parts = borrowTensorsList(r)
    return { role, parts }
  } catch (error) {
    throw inField(error, field)
  }
}

function readTensorsList(r: ByteReader): Directory[] {
  const list = takeList<Directory>(r, 64)
  const count = list.length
  let i = 0
  try {
    for (; i < count; i++) list[i] = readTensors(r)
  } catch (error) {
    throw inElement(error, i)
  }
  return list
}

function borrowTensorsList(r: ByteReader): Directory[] {
  const list = takeList<Directory>(r, 64)
  const count = list.length
  let i = 0
  try {
    for (; i < count; i++) list[i] = viewTensors(r)
  } catch (error) {
    throw inElement(error, i)
  }
  return list
}

function readOptionalI64ListByU64Dict(r: ByteReader): Map<bigint, OwnArrays['i64'] | undefined> {
  const count = takeEntries(r, 9)
  const dict = new Map<bigint, OwnArrays['i64'] | undefined>()
  let key: bigint | undefined
  let at = 0
  let i = 0
  try {
    for (; i < count; i++) {
      key = undefined
      at = r.pos
      key = r.view.getBigUint64(take(r, 8, 'u64'), true)
      dict.set(key, readFlag(r, 'option tag') ? i64List.read(r) : undefined)
      if (dict.size === i) throw keyTwice(key, at)
    }
  } catch (error) {
    throw inEntry(error, i, key, at, dict)
  }
  return dict
}

function borrowOptionalI64ListByU64Dict(r: ByteReader): Map<bigint, NumberList<'i64'> | undefined> {
  const count = takeEntries(r, 9)
  const dict = new Map<bigint, NumberList<'i64'> | undefined>()
  let key: bigint | undefined
  let at = 0
  let i = 0
  try {
    for (; i < count; i++) {
      key = undefined
      at = r.pos
      key = r.view.getBigUint64(take(r, 8, 'u64'), true)
      dict.set(key, readFlag(r, 'option tag') ? i64List.view(r) : undefined)
      if (dict.size === i) throw keyTwice(key, at)
    }
  } catch (error) {
    throw inEntry(error, i, key, at, dict)
  }
  return dict
}

function writeRequest(w: ByteWriter, value: RequestInput): void {
  const inherited =
    'prompt' in objectPrototype ||
    'id' in objectPrototype ||
    'model' in objectPrototype ||
    'temperature' in objectPrototype ||
    'stop' in objectPrototype ||
    'tags' in objectPrototype ||
    'seed' in objectPrototype ||
    'history' in objectPrototype ||
    'by-id' in objectPrototype
  const own = ownFields(value, requestFields, inherited)
  let field = 'prompt'
  try {
    writeTensors(w, own.prompt)
    field = 'id'
    const at = grant(w, 8)
    w.view.setBigInt64(at, checkI64(own.id), true)
    field = 'model'
    writeString(w, own.model)
    field = 'temperature'
    const at2 = grant(w, 4)
    w.view.setFloat32(at2, checkF32(own.temperature), true)
    field = 'stop'
    writeStringList(w, own.stop)
    field = 'tags'
    writeStringDict(w, own.tags)
    field = 'seed'
    const seed = own.seed
    if (writeTag(w, seed)) {
      const at3 = grant(w, 4)
      w.view.setUint32(at3, checkU32(seed), true)
    }
    field = 'history'
    writeRequestHistoryItemList(w, own.history)
    field = 'by-id'
    writeOptionalI64ListByU64Dict(w, own['by-id'])
  } catch (error) {
    throw inField(error, field)
  }
}

function writeStringList(w: ByteWriter, value: readonly string[]): void {
  const count = writeListCount(w, value)
  let i = 0
  try {
    for (; i < count; i++) writeString(w, value[i]!)
    checkLength(value, count)
  } catch (error) {
    throw inElement(error, i)
  }
}

function writeStringDict(w: ByteWriter, value: DictInput<string>): void {
  const entries = entriesOf(value, 'string')
  const count = writeEntryCount(w, entries)
  let i = 0
  let entry: string | undefined
  try {
    for (const [key, item] of entries) {
      entry = key
      checkEntry(i++, count)
      writeString(w, key)
      writeString(w, item)
    }
  } catch (error) {
    throw inKey(error, entry)
  }
  checkEntries(i, count)
}

function writeRequestHistoryItemList(w: ByteWriter, value: readonly RequestHistoryItemInput[]): void {
  const count = writeListCount(w, value)
  let i = 0
  try {
    for (; i < count; i++) writeRequestHistoryItem(w, value[i]!)
    checkLength(value, count)
  } catch (error) {
    throw inElement(error, i)
  }
}

function writeRequestHistoryItem(w: ByteWriter, value: RequestHistoryItemInput): void {
  const inherited = 'role' in objectPrototype || 'parts' in objectPrototype
  const own = ownFields(value, requestHistoryItemFields, inherited)
  let field = 'role'
  try {
    writeString(w, own.role)
    field = 'parts'
    writeTensorsList(w, own.parts)
  } catch (error) {
    throw inField(error, field)
  }
}

function writeTensorsList(w: ByteWriter, value: readonly TensorsInput[]): void {
  const count = writeListCount(w, value)
  let i = 0
  try {
    for (; i < count; i++) writeTensors(w, value[i]!)
    checkLength(value, count)
  } catch (error) {
    throw inElement(error, i)
  }
}

function writeOptionalI64ListByU64Dict(
  w: ByteWriter,
  value: ReadonlyMap<bigint | number, NumbersInput<'i64'> | null | undefined>,
): void {
  const entries = entriesOf(value, 'u64')
  const count = writeEntryCount(w, entries)
  const written = new Set<string>()
  let i = 0
  let entry: bigint | number | undefined
  try {
    for (const [key, item] of entries) {
      entry = key
      checkEntry(i++, count)
      const at = grant(w, 8)
      w.view.setBigUint64(at, checkU64(key), true)
      addKey(written, key)
      if (writeTag(w, item)) writeI64List(w, item)
    }
  } catch (error) {
    throw inKey(error, entry)
  }
  checkEntries(i, count)
}

/**
 * Puts a message where the payloads of its first directory lie at multiples of 64, with one copy at most. With
 * `frame`, the bytes are a frame.
 */
export function placeRequest(bytes: ByteInput, options?: PlaceOptions): Uint8Array {
  return placeWith(seekRequest, bytes, options)
}

/** Where the first directory begins, or -1 if there is none. */
function seekRequest(r: ByteReader): number {
  return r.pos
}
