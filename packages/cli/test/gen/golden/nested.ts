// Written by kiln gen from 'nested.kiln'. Change that and run kiln gen again, not this file.
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
  Run,
  TensorsInput,
} from 'kiln-format/runtime'
import {
  checkBool,
  checkEnd,
  checkEntries,
  checkEntry,
  checkF32,
  checkI64,
  checkLength,
  checkU16,
  checkU64,
  checkU8,
  encodeIntoWith,
  encodePartsWith,
  encodeWith,
  encodedSizeWith,
  entriesOf,
  flagAt,
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
  passFault,
  passTensors,
  placeWith,
  readBytes,
  readFlag,
  readSafeI64,
  readString,
  readTensors,
  safeInteger,
  seekFault,
  take,
  takeEntries,
  takeList,
  takeRun,
  viewBytes,
  viewTensors,
  writeBytes,
  writeEntryCount,
  writeListCount,
  writeString,
  writeTag,
  writeTensors,
} from 'kiln-format/runtime'

/** The schema of {@link Nested}, as Kiln writes schemas. */
export const nestedText =
  'struct{id:u64,flags:struct{a:bool,b:u16,c:bool,},note:option<string>,rank:option<i64>,parts:dict<u8,option<struct{name:string,x-y:f32,weights:tensors,rows:list<struct{key:bytes,at:u64,}>,}>>,grid:list<list<u8>>,switches:list<bool>,pairs:dict<u16,f32>,image:option<bytes>,history:list<struct{when:i64,what:list<dict<string,list<string>>>,batch:option<tensors>,}>,inner:struct{left:option<struct{n:u8,pos:string,view:list<f32>,}>,end:bool,},last:bool,}'

/** The hash of that schema, as frames carry it. */
export const nestedHash = 0xd6e4e52c64220753n

export interface Nested {
  id: number
  flags: NestedFlags
  note: string | undefined
  rank: number | undefined
  parts: Map<number, NestedPartsValue | undefined>
  grid: OwnArrays['u8'][]
  switches: boolean[]
  pairs: Map<number, number>
  image: OwnBytes | undefined
  history: NestedHistoryItem[]
  inner: NestedInner
  last: boolean
}

/** {@link Nested} as it is read without copying: lists of numbers, bytes and tensors lie in the input. */
export interface NestedView {
  id: number
  flags: NestedFlags
  note: string | undefined
  rank: number | undefined
  parts: Map<number, NestedPartsValueView | undefined>
  grid: NumberList<'u8'>[]
  switches: boolean[]
  pairs: Map<number, number>
  image: Uint8Array | undefined
  history: NestedHistoryItemView[]
  inner: NestedInnerView
  last: boolean
}

/** {@link Nested} as it is taken for encoding. */
export interface NestedInput {
  readonly id: bigint | number
  readonly flags: NestedFlags
  readonly note?: string | null | undefined
  readonly rank?: bigint | number | null | undefined
  readonly parts: ReadonlyMap<number, NestedPartsValueInput | null | undefined>
  readonly grid: readonly NumbersInput<'u8'>[]
  readonly switches: readonly boolean[]
  readonly pairs: ReadonlyMap<number, number>
  readonly image?: ByteInput | null | undefined
  readonly history: readonly NestedHistoryItemInput[]
  readonly inner: NestedInnerInput
  readonly last: boolean
}

export interface NestedFlags {
  a: boolean
  b: number
  c: boolean
}

export interface NestedPartsValue {
  name: string
  'x-y': number
  weights: Directory
  rows: NestedPartsValueRowsItem[]
}

/** {@link NestedPartsValue} as it is read without copying: lists of numbers, bytes and tensors lie in the input. */
export interface NestedPartsValueView {
  name: string
  'x-y': number
  weights: Directory
  rows: NestedPartsValueRowsItemView[]
}

/** {@link NestedPartsValue} as it is taken for encoding. */
export interface NestedPartsValueInput {
  readonly name: string
  readonly 'x-y': number
  readonly weights: TensorsInput
  readonly rows: readonly NestedPartsValueRowsItemInput[]
}

export interface NestedPartsValueRowsItem {
  key: OwnBytes
  at: number
}

/**
 * {@link NestedPartsValueRowsItem} as it is read without copying: lists of numbers, bytes and tensors lie in the
 * input.
 */
export interface NestedPartsValueRowsItemView {
  key: Uint8Array
  at: number
}

/** {@link NestedPartsValueRowsItem} as it is taken for encoding. */
export interface NestedPartsValueRowsItemInput {
  readonly key: ByteInput
  readonly at: bigint | number
}

export interface NestedHistoryItem {
  when: number
  what: Map<string, string[]>[]
  batch: Directory | undefined
}

/** {@link NestedHistoryItem} as it is read without copying: lists of numbers, bytes and tensors lie in the input. */
export interface NestedHistoryItemView {
  when: number
  what: Map<string, string[]>[]
  batch: Directory | undefined
}

/** {@link NestedHistoryItem} as it is taken for encoding. */
export interface NestedHistoryItemInput {
  readonly when: bigint | number
  readonly what: readonly DictInput<readonly string[]>[]
  readonly batch?: TensorsInput | null | undefined
}

export interface NestedInner {
  left: NestedInnerLeft | undefined
  end: boolean
}

/** {@link NestedInner} as it is read without copying: lists of numbers, bytes and tensors lie in the input. */
export interface NestedInnerView {
  left: NestedInnerLeftView | undefined
  end: boolean
}

/** {@link NestedInner} as it is taken for encoding. */
export interface NestedInnerInput {
  readonly left?: NestedInnerLeftInput | null | undefined
  readonly end: boolean
}

export interface NestedInnerLeft {
  n: number
  pos: string
  view: OwnArrays['f32']
}

/** {@link NestedInnerLeft} as it is read without copying: lists of numbers, bytes and tensors lie in the input. */
export interface NestedInnerLeftView {
  n: number
  pos: string
  view: NumberList<'f32'>
}

/** {@link NestedInnerLeft} as it is taken for encoding. */
export interface NestedInnerLeftInput {
  readonly n: number
  readonly pos: string
  readonly view: NumbersInput<'f32'>
}

const u8List = /* @__PURE__ */ numbers('u8')
const writeU8List = /* @__PURE__ */ numbersWriter('u8')
const f32List = /* @__PURE__ */ numbers('f32')
const writeF32List = /* @__PURE__ */ numbersWriter('f32')
const nestedFields = [
  'id',
  'flags',
  'note',
  'rank',
  'parts',
  'grid',
  'switches',
  'pairs',
  'image',
  'history',
  'inner',
  'last',
]
const nestedFlagsFields = ['a', 'b', 'c']
const nestedFlagsRun: Run = [
  ['a', 'bool'],
  ['b', 'u16'],
  ['c', 'bool'],
]
const nestedPartsValueFields = ['name', 'x-y', 'weights', 'rows']
const nestedPartsValueRowsItemFields = ['key', 'at']
const nestedHistoryItemFields = ['when', 'what', 'batch']
const nestedInnerFields = ['left', 'end']
const nestedInnerLeftFields = ['n', 'pos', 'view']

/** Writes a value into bytes of its own, of exactly its size. */
export function encodeNested(value: NestedInput): OwnBytes {
  return encodeWith(writeNested, value)
}

/** Writes a value to the front of a target, and returns how many bytes it took. */
export function encodeNestedInto(value: NestedInput, target: ByteInput): number {
  return encodeIntoWith(writeNested, value, target)
}

/** Writes a value as slices in order; large arrays are not copied. */
export function encodeNestedParts(value: NestedInput): Uint8Array[] {
  return encodePartsWith(writeNested, value)
}

/** Writes a value into a writer's memory; the bytes hold until its next call. */
export function encodeNestedWith(writer: MessageWriter, value: NestedInput): Uint8Array {
  return writer.encodeBy(writeNested, value)
}

/** Bytes that a value takes. */
export function encodedSizeNested(value: NestedInput): number {
  return encodedSizeWith(writeNested, value)
}

/** Reads a value that shares nothing with the bytes, but payloads of tensors. */
export function decodeNested(bytes: ByteInput, options?: ReadOptions): Nested {
  const r = openMessage(bytes, options, 'number')
  try {
    const value = readNested(r)
    checkEnd(r, 'value')
    return value
  } catch (error) {
    throw inMessage(error, r)
  }
}

/** Reads a value whose lists of numbers, bytes and tensors lie in the bytes. */
export function viewNested(bytes: ByteInput, options?: ReadOptions): NestedView {
  const r = openMessage(bytes, options, 'number')
  try {
    const value = borrowNested(r)
    checkEnd(r, 'value')
    return value
  } catch (error) {
    throw inMessage(error, r)
  }
}

function readNested(r: ByteReader): Nested {
  let field = 'id'
  try {
    const at = take(r, 8, 'u64')
    const id = safeInteger(r.view.getBigUint64(at, true), at)
    field = 'flags'
    const flags = readNestedFlags(r)
    field = 'note'
    const note = readFlag(r, 'option tag') ? readString(r) : undefined
    field = 'rank'
    const rank = readFlag(r, 'option tag') ? readSafeI64(r) : undefined
    field = 'parts'
    const parts = readOptionalNestedPartsValueByU8Dict(r)
    field = 'grid'
    const grid = readU8ListList(r)
    field = 'switches'
    const switches = readBoolList(r)
    field = 'pairs'
    const pairs = readF32ByU16Dict(r)
    field = 'image'
    const image = readFlag(r, 'option tag') ? readBytes(r) : undefined
    field = 'history'
    const history = readNestedHistoryItemList(r)
    field = 'inner'
    const inner = readNestedInner(r)
    field = 'last'
    const at2 = take(r, 1, 'bool')
    const last = flagAt(r, at2, 'bool')
    return { id, flags, note, rank, parts, grid, switches, pairs, image, history, inner, last }
  } catch (error) {
    throw inField(error, field)
  }
}

function borrowNested(r: ByteReader): NestedView {
  let field = 'id'
  try {
    const at = take(r, 8, 'u64')
    const id = safeInteger(r.view.getBigUint64(at, true), at)
    field = 'flags'
    const flags = readNestedFlags(r)
    field = 'note'
    const note = readFlag(r, 'option tag') ? readString(r) : undefined
    field = 'rank'
    const rank = readFlag(r, 'option tag') ? readSafeI64(r) : undefined
    field = 'parts'
    const parts = borrowOptionalNestedPartsValueByU8Dict(r)
    field = 'grid'
    const grid = borrowU8ListList(r)
    field = 'switches'
    const switches = readBoolList(r)
    field = 'pairs'
    const pairs = readF32ByU16Dict(r)
    field = 'image'
    const image = readFlag(r, 'option tag') ? viewBytes(r) : undefined
    field = 'history'
    const history = borrowNestedHistoryItemList(r)
    field = 'inner'
    const inner = borrowNestedInner(r)
    field = 'last'
    const at2 = take(r, 1, 'bool')
    const last = flagAt(r, at2, 'bool')
    return { id, flags, note, rank, parts, grid, switches, pairs, image, history, inner, last }
  } catch (error) {
    throw inField(error, field)
  }
}

function readNestedFlags(r: ByteReader): NestedFlags {
  let field = ''
  try {
    const at = takeRun(r, 4, nestedFlagsRun)
    field = 'a'
    const a = flagAt(r, at, 'bool')
    const b = r.view.getUint16(at + 1, true)
    field = 'c'
    const c = flagAt(r, at + 3, 'bool')
    return { a, b, c }
  } catch (error) {
    throw inField(error, field)
  }
}

function readOptionalNestedPartsValueByU8Dict(r: ByteReader): Map<number, NestedPartsValue | undefined> {
  const count = takeEntries(r, 2)
  const dict = new Map<number, NestedPartsValue | undefined>()
  let key: number | undefined
  let at = 0
  let i = 0
  try {
    for (; i < count; i++) {
      key = undefined
      at = r.pos
      key = r.view.getUint8(take(r, 1, 'u8'))
      dict.set(key, readFlag(r, 'option tag') ? readNestedPartsValue(r) : undefined)
      if (dict.size === i) throw keyTwice(key, at)
    }
  } catch (error) {
    throw inEntry(error, i, key, at, dict)
  }
  return dict
}

function borrowOptionalNestedPartsValueByU8Dict(r: ByteReader): Map<number, NestedPartsValueView | undefined> {
  const count = takeEntries(r, 2)
  const dict = new Map<number, NestedPartsValueView | undefined>()
  let key: number | undefined
  let at = 0
  let i = 0
  try {
    for (; i < count; i++) {
      key = undefined
      at = r.pos
      key = r.view.getUint8(take(r, 1, 'u8'))
      dict.set(key, readFlag(r, 'option tag') ? borrowNestedPartsValue(r) : undefined)
      if (dict.size === i) throw keyTwice(key, at)
    }
  } catch (error) {
    throw inEntry(error, i, key, at, dict)
  }
  return dict
}

function readNestedPartsValue(r: ByteReader): NestedPartsValue {
  let field = 'name'
  try {
    const name = readString(r)
    field = 'x-y'
    const at = take(r, 4, 'f32')
    const xy = r.view.getFloat32(at, true)
    field = 'weights'
    const weights = readTensors(r)
    field = 'rows'
    const rows = readNestedPartsValueRowsItemList(r)
    return { name, 'x-y': xy, weights, rows }
  } catch (error) {
    throw inField(error, field)
  }
}

function borrowNestedPartsValue(r: ByteReader): NestedPartsValueView {
  let field = 'name'
  try {
    const name = readString(r)
    field = 'x-y'
    const at = take(r, 4, 'f32')
    const xy = r.view.getFloat32(at, true)
    field = 'weights'
    const weights = viewTensors(r)
    field = 'rows'
    const rows = borrowNestedPartsValueRowsItemList(r)
    return { name, 'x-y': xy, weights, rows }
  } catch (error) {
    throw inField(error, field)
  }
}

function readNestedPartsValueRowsItemList(r: ByteReader): NestedPartsValueRowsItem[] {
  const list = takeList<NestedPartsValueRowsItem>(r, 12)
  const count = list.length
  let i = 0
  try {
    for (; i < count; i++) list[i] = readNestedPartsValueRowsItem(r)
  } catch (error) {
    throw inElement(error, i)
  }
  return list
}

function borrowNestedPartsValueRowsItemList(r: ByteReader): NestedPartsValueRowsItemView[] {
  const list = takeList<NestedPartsValueRowsItemView>(r, 12)
  const count = list.length
  let i = 0
  try {
    for (; i < count; i++) list[i] = borrowNestedPartsValueRowsItem(r)
  } catch (error) {
    throw inElement(error, i)
  }
  return list
}

function readNestedPartsValueRowsItem(r: ByteReader): NestedPartsValueRowsItem {
  let field = 'key'
  try {
    const key = readBytes(r)
    field = 'at'
    const at = take(r, 8, 'u64')
    const atValue = safeInteger(r.view.getBigUint64(at, true), at)
    return { key, at: atValue }
  } catch (error) {
    throw inField(error, field)
  }
}

function borrowNestedPartsValueRowsItem(r: ByteReader): NestedPartsValueRowsItemView {
  let field = 'key'
  try {
    const key = viewBytes(r)
    field = 'at'
    const at = take(r, 8, 'u64')
    const atValue = safeInteger(r.view.getBigUint64(at, true), at)
    return { key, at: atValue }
  } catch (error) {
    throw inField(error, field)
  }
}

function readU8ListList(r: ByteReader): OwnArrays['u8'][] {
  const list = takeList<OwnArrays['u8']>(r, 4)
  const count = list.length
  let i = 0
  try {
    for (; i < count; i++) list[i] = u8List.read(r)
  } catch (error) {
    throw inElement(error, i)
  }
  return list
}

function borrowU8ListList(r: ByteReader): NumberList<'u8'>[] {
  const list = takeList<NumberList<'u8'>>(r, 4)
  const count = list.length
  let i = 0
  try {
    for (; i < count; i++) list[i] = u8List.view(r)
  } catch (error) {
    throw inElement(error, i)
  }
  return list
}

function readBoolList(r: ByteReader): boolean[] {
  const list = takeList<boolean>(r, 1)
  const count = list.length
  let i = 0
  try {
    for (; i < count; i++) list[i] = readFlag(r, 'bool')
  } catch (error) {
    throw inElement(error, i)
  }
  return list
}

function readF32ByU16Dict(r: ByteReader): Map<number, number> {
  const count = takeEntries(r, 6)
  const dict = new Map<number, number>()
  let key: number | undefined
  let at = 0
  let i = 0
  try {
    for (; i < count; i++) {
      key = undefined
      at = r.pos
      key = r.view.getUint16(take(r, 2, 'u16'), true)
      dict.set(key, r.view.getFloat32(take(r, 4, 'f32'), true))
      if (dict.size === i) throw keyTwice(key, at)
    }
  } catch (error) {
    throw inEntry(error, i, key, at, dict)
  }
  return dict
}

function readNestedHistoryItemList(r: ByteReader): NestedHistoryItem[] {
  const list = takeList<NestedHistoryItem>(r, 13)
  const count = list.length
  let i = 0
  try {
    for (; i < count; i++) list[i] = readNestedHistoryItem(r)
  } catch (error) {
    throw inElement(error, i)
  }
  return list
}

function borrowNestedHistoryItemList(r: ByteReader): NestedHistoryItemView[] {
  const list = takeList<NestedHistoryItemView>(r, 13)
  const count = list.length
  let i = 0
  try {
    for (; i < count; i++) list[i] = borrowNestedHistoryItem(r)
  } catch (error) {
    throw inElement(error, i)
  }
  return list
}

function readNestedHistoryItem(r: ByteReader): NestedHistoryItem {
  let field = 'when'
  try {
    const at = take(r, 8, 'i64')
    const when = safeInteger(r.view.getBigInt64(at, true), at)
    field = 'what'
    const what = readStringListDictList(r)
    field = 'batch'
    const batch = readFlag(r, 'option tag') ? readTensors(r) : undefined
    return { when, what, batch }
  } catch (error) {
    throw inField(error, field)
  }
}

function borrowNestedHistoryItem(r: ByteReader): NestedHistoryItemView {
  let field = 'when'
  try {
    const at = take(r, 8, 'i64')
    const when = safeInteger(r.view.getBigInt64(at, true), at)
    field = 'what'
    const what = readStringListDictList(r)
    field = 'batch'
    const batch = readFlag(r, 'option tag') ? viewTensors(r) : undefined
    return { when, what, batch }
  } catch (error) {
    throw inField(error, field)
  }
}

function readStringListDictList(r: ByteReader): Map<string, string[]>[] {
  const list = takeList<Map<string, string[]>>(r, 4)
  const count = list.length
  let i = 0
  try {
    for (; i < count; i++) list[i] = readStringListDict(r)
  } catch (error) {
    throw inElement(error, i)
  }
  return list
}

function readStringListDict(r: ByteReader): Map<string, string[]> {
  const count = takeEntries(r, 8)
  const dict = new Map<string, string[]>()
  let key: string | undefined
  let at = 0
  let i = 0
  try {
    for (; i < count; i++) {
      key = undefined
      at = r.pos
      key = readString(r)
      dict.set(key, readStringList(r))
      if (dict.size === i) throw keyTwice(key, at)
    }
  } catch (error) {
    throw inEntry(error, i, key, at, dict)
  }
  return dict
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

function readNestedInner(r: ByteReader): NestedInner {
  let field = 'left'
  try {
    const left = readFlag(r, 'option tag') ? readNestedInnerLeft(r) : undefined
    field = 'end'
    const at = take(r, 1, 'bool')
    const end = flagAt(r, at, 'bool')
    return { left, end }
  } catch (error) {
    throw inField(error, field)
  }
}

function borrowNestedInner(r: ByteReader): NestedInnerView {
  let field = 'left'
  try {
    const left = readFlag(r, 'option tag') ? borrowNestedInnerLeft(r) : undefined
    field = 'end'
    const at = take(r, 1, 'bool')
    const end = flagAt(r, at, 'bool')
    return { left, end }
  } catch (error) {
    throw inField(error, field)
  }
}

function readNestedInnerLeft(r: ByteReader): NestedInnerLeft {
  let field = 'n'
  try {
    const at = take(r, 1, 'u8')
    const n = r.view.getUint8(at)
    field = 'pos'
    const pos = readString(r)
    field = 'view'
    const view = f32List.read(r)
    return { n, pos, view }
  } catch (error) {
    throw inField(error, field)
  }
}

function borrowNestedInnerLeft(r: ByteReader): NestedInnerLeftView {
  let field = 'n'
  try {
    const at = take(r, 1, 'u8')
    const n = r.view.getUint8(at)
    field = 'pos'
    const pos = readString(r)
    field = 'view'
    const view = f32List.view(r)
    return { n, pos, view }
  } catch (error) {
    throw inField(error, field)
  }
}

function writeNested(w: ByteWriter, value: NestedInput): void {
  const inherited =
    'id' in objectPrototype ||
    'flags' in objectPrototype ||
    'note' in objectPrototype ||
    'rank' in objectPrototype ||
    'parts' in objectPrototype ||
    'grid' in objectPrototype ||
    'switches' in objectPrototype ||
    'pairs' in objectPrototype ||
    'image' in objectPrototype ||
    'history' in objectPrototype ||
    'inner' in objectPrototype ||
    'last' in objectPrototype
  const own = ownFields(value, nestedFields, inherited)
  let field = 'id'
  try {
    const at = grant(w, 8)
    w.view.setBigUint64(at, checkU64(own.id), true)
    field = 'flags'
    writeNestedFlags(w, own.flags)
    field = 'note'
    const note = own.note
    if (writeTag(w, note)) writeString(w, note)
    field = 'rank'
    const rank = own.rank
    if (writeTag(w, rank)) {
      const at2 = grant(w, 8)
      w.view.setBigInt64(at2, checkI64(rank), true)
    }
    field = 'parts'
    writeOptionalNestedPartsValueByU8Dict(w, own.parts)
    field = 'grid'
    writeU8ListList(w, own.grid)
    field = 'switches'
    writeBoolList(w, own.switches)
    field = 'pairs'
    writeF32ByU16Dict(w, own.pairs)
    field = 'image'
    const image = own.image
    if (writeTag(w, image)) writeBytes(w, image)
    field = 'history'
    writeNestedHistoryItemList(w, own.history)
    field = 'inner'
    writeNestedInner(w, own.inner)
    field = 'last'
    const at3 = grant(w, 1)
    w.bytes[at3] = checkBool(own.last)
  } catch (error) {
    throw inField(error, field)
  }
}

function writeNestedFlags(w: ByteWriter, value: NestedFlags): void {
  const inherited = 'a' in objectPrototype || 'b' in objectPrototype || 'c' in objectPrototype
  const own = ownFields(value, nestedFlagsFields, inherited)
  let field = 'a'
  try {
    const at = grant(w, 4)
    w.bytes[at] = checkBool(own.a)
    field = 'b'
    w.view.setUint16(at + 1, checkU16(own.b), true)
    field = 'c'
    w.bytes[at + 3] = checkBool(own.c)
  } catch (error) {
    throw inField(error, field)
  }
}

function writeOptionalNestedPartsValueByU8Dict(
  w: ByteWriter,
  value: ReadonlyMap<number, NestedPartsValueInput | null | undefined>,
): void {
  const entries = entriesOf(value, 'u8')
  const count = writeEntryCount(w, entries)
  let i = 0
  let entry: number | undefined
  try {
    for (const [key, item] of entries) {
      entry = key
      checkEntry(i++, count)
      const at = grant(w, 1)
      w.view.setUint8(at, checkU8(key))
      if (writeTag(w, item)) writeNestedPartsValue(w, item)
    }
  } catch (error) {
    throw inKey(error, entry)
  }
  checkEntries(i, count)
}

function writeNestedPartsValue(w: ByteWriter, value: NestedPartsValueInput): void {
  const inherited =
    'name' in objectPrototype || 'x-y' in objectPrototype || 'weights' in objectPrototype || 'rows' in objectPrototype
  const own = ownFields(value, nestedPartsValueFields, inherited)
  let field = 'name'
  try {
    writeString(w, own.name)
    field = 'x-y'
    const at = grant(w, 4)
    w.view.setFloat32(at, checkF32(own['x-y']), true)
    field = 'weights'
    writeTensors(w, own.weights)
    field = 'rows'
    writeNestedPartsValueRowsItemList(w, own.rows)
  } catch (error) {
    throw inField(error, field)
  }
}

function writeNestedPartsValueRowsItemList(w: ByteWriter, value: readonly NestedPartsValueRowsItemInput[]): void {
  const count = writeListCount(w, value)
  let i = 0
  try {
    for (; i < count; i++) writeNestedPartsValueRowsItem(w, value[i]!)
    checkLength(value, count)
  } catch (error) {
    throw inElement(error, i)
  }
}

function writeNestedPartsValueRowsItem(w: ByteWriter, value: NestedPartsValueRowsItemInput): void {
  const inherited = 'key' in objectPrototype || 'at' in objectPrototype
  const own = ownFields(value, nestedPartsValueRowsItemFields, inherited)
  let field = 'key'
  try {
    writeBytes(w, own.key)
    field = 'at'
    const at = grant(w, 8)
    w.view.setBigUint64(at, checkU64(own.at), true)
  } catch (error) {
    throw inField(error, field)
  }
}

function writeU8ListList(w: ByteWriter, value: readonly NumbersInput<'u8'>[]): void {
  const count = writeListCount(w, value)
  let i = 0
  try {
    for (; i < count; i++) writeU8List(w, value[i]!)
    checkLength(value, count)
  } catch (error) {
    throw inElement(error, i)
  }
}

function writeBoolList(w: ByteWriter, value: readonly boolean[]): void {
  const count = writeListCount(w, value)
  let i = 0
  try {
    for (; i < count; i++) {
      const item = value[i]!
      const at = grant(w, 1)
      w.bytes[at] = checkBool(item)
    }
    checkLength(value, count)
  } catch (error) {
    throw inElement(error, i)
  }
}

function writeF32ByU16Dict(w: ByteWriter, value: ReadonlyMap<number, number>): void {
  const entries = entriesOf(value, 'u16')
  const count = writeEntryCount(w, entries)
  let i = 0
  let entry: number | undefined
  try {
    for (const [key, item] of entries) {
      entry = key
      checkEntry(i++, count)
      const at = grant(w, 2)
      w.view.setUint16(at, checkU16(key), true)
      const at2 = grant(w, 4)
      w.view.setFloat32(at2, checkF32(item), true)
    }
  } catch (error) {
    throw inKey(error, entry)
  }
  checkEntries(i, count)
}

function writeNestedHistoryItemList(w: ByteWriter, value: readonly NestedHistoryItemInput[]): void {
  const count = writeListCount(w, value)
  let i = 0
  try {
    for (; i < count; i++) writeNestedHistoryItem(w, value[i]!)
    checkLength(value, count)
  } catch (error) {
    throw inElement(error, i)
  }
}

function writeNestedHistoryItem(w: ByteWriter, value: NestedHistoryItemInput): void {
  const inherited = 'when' in objectPrototype || 'what' in objectPrototype || 'batch' in objectPrototype
  const own = ownFields(value, nestedHistoryItemFields, inherited)
  let field = 'when'
  try {
    const at = grant(w, 8)
    w.view.setBigInt64(at, checkI64(own.when), true)
    field = 'what'
    writeStringListDictList(w, own.what)
    field = 'batch'
    const batch = own.batch
    if (writeTag(w, batch)) writeTensors(w, batch)
  } catch (error) {
    throw inField(error, field)
  }
}

function writeStringListDictList(w: ByteWriter, value: readonly DictInput<readonly string[]>[]): void {
  const count = writeListCount(w, value)
  let i = 0
  try {
    for (; i < count; i++) writeStringListDict(w, value[i]!)
    checkLength(value, count)
  } catch (error) {
    throw inElement(error, i)
  }
}

function writeStringListDict(w: ByteWriter, value: DictInput<readonly string[]>): void {
  const entries = entriesOf(value, 'string')
  const count = writeEntryCount(w, entries)
  let i = 0
  let entry: string | undefined
  try {
    for (const [key, item] of entries) {
      entry = key
      checkEntry(i++, count)
      writeString(w, key)
      writeStringList(w, item)
    }
  } catch (error) {
    throw inKey(error, entry)
  }
  checkEntries(i, count)
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

function writeNestedInner(w: ByteWriter, value: NestedInnerInput): void {
  const inherited = 'left' in objectPrototype || 'end' in objectPrototype
  const own = ownFields(value, nestedInnerFields, inherited)
  let field = 'left'
  try {
    const left = own.left
    if (writeTag(w, left)) writeNestedInnerLeft(w, left)
    field = 'end'
    const at = grant(w, 1)
    w.bytes[at] = checkBool(own.end)
  } catch (error) {
    throw inField(error, field)
  }
}

function writeNestedInnerLeft(w: ByteWriter, value: NestedInnerLeftInput): void {
  const inherited = 'n' in objectPrototype || 'pos' in objectPrototype || 'view' in objectPrototype
  const own = ownFields(value, nestedInnerLeftFields, inherited)
  let field = 'n'
  try {
    const at = grant(w, 1)
    w.view.setUint8(at, checkU8(own.n))
    field = 'pos'
    writeString(w, own.pos)
    field = 'view'
    writeF32List(w, own.view)
  } catch (error) {
    throw inField(error, field)
  }
}

/**
 * Puts a message where the payloads of its first directory lie at multiples of 64, with one copy at most. With
 * `frame`, the bytes are a frame.
 */
export function placeNested(bytes: ByteInput, options?: PlaceOptions): Uint8Array {
  return placeWith(seekNested, bytes, options)
}

/** Where the first directory begins, or -1 if there is none. */
function seekNested(r: ByteReader): number {
  const { end, view } = r
  const { count: maxCount, numbers: maxNumbers, string: maxString } = r.settings.limits
  let pos = r.pos
  let n: number
  if (pos + 13 > end) throw seekFault(r, nestedText)
  n = view.getUint8(pos + 12)
  if (n > 1) throw seekFault(r, nestedText)
  pos += 13
  if (n === 1) {
    if (pos + 4 > end) throw seekFault(r, nestedText)
    n = view.getUint32(pos, true)
    if (n > maxString) throw seekFault(r, nestedText)
    pos += 4 + n
  }
  if (pos + 1 > end) throw seekFault(r, nestedText)
  n = view.getUint8(pos)
  if (n > 1) throw seekFault(r, nestedText)
  pos += 1 + n * 8
  if (pos + 4 > end) throw seekFault(r, nestedText)
  n = view.getUint32(pos, true)
  if (n > maxCount) throw seekFault(r, nestedText)
  if (pos + 4 + n * 2 > end) throw seekFault(r, nestedText)
  pos += 4
  for (let left = n; left > 0; left--) {
    if (pos + 2 > end) throw seekFault(r, nestedText)
    n = view.getUint8(pos + 1)
    if (n > 1) throw seekFault(r, nestedText)
    pos += 2
    if (n === 1) {
      if (pos + 4 > end) throw seekFault(r, nestedText)
      n = view.getUint32(pos, true)
      if (n > maxString) throw seekFault(r, nestedText)
      pos += 4 + n
      if (pos + 4 > end) throw seekFault(r, nestedText)
      return pos + 4
    }
  }
  if (pos + 4 > end) throw seekFault(r, nestedText)
  n = view.getUint32(pos, true)
  if (n > maxCount) throw seekFault(r, nestedText)
  pos += 4
  for (let left = n; left > 0; left--) {
    if (pos + 4 > end) throw seekFault(r, nestedText)
    n = view.getUint32(pos, true)
    if (n > maxNumbers) throw seekFault(r, nestedText)
    pos += 4 + n
  }
  if (pos + 4 > end) throw seekFault(r, nestedText)
  n = view.getUint32(pos, true)
  if (n > maxCount) throw seekFault(r, nestedText)
  pos += 4 + n
  if (pos + 4 > end) throw seekFault(r, nestedText)
  n = view.getUint32(pos, true)
  if (n > maxCount) throw seekFault(r, nestedText)
  pos += 4 + n * 6
  if (pos + 1 > end) throw seekFault(r, nestedText)
  n = view.getUint8(pos)
  if (n > 1) throw seekFault(r, nestedText)
  pos += 1
  if (n === 1) {
    if (pos + 4 > end) throw seekFault(r, nestedText)
    n = view.getUint32(pos, true)
    pos += 4 + n
  }
  if (pos + 4 > end) throw seekFault(r, nestedText)
  n = view.getUint32(pos, true)
  if (n > maxCount) throw seekFault(r, nestedText)
  if (pos + 4 + n * 13 > end) throw seekFault(r, nestedText)
  pos += 4
  for (let left = n; left > 0; left--) {
    if (pos + 12 > end) throw seekFault(r, nestedText)
    n = view.getUint32(pos + 8, true)
    if (n > maxCount) throw seekFault(r, nestedText)
    pos += 12
    for (let left2 = n; left2 > 0; left2--) {
      if (pos + 4 > end) throw seekFault(r, nestedText)
      n = view.getUint32(pos, true)
      if (n > maxCount) throw seekFault(r, nestedText)
      pos += 4
      for (let left3 = n; left3 > 0; left3--) {
        if (pos + 4 > end) throw seekFault(r, nestedText)
        n = view.getUint32(pos, true)
        if (n > maxString) throw seekFault(r, nestedText)
        pos += 4 + n
        if (pos + 4 > end) throw seekFault(r, nestedText)
        n = view.getUint32(pos, true)
        if (n > maxCount) throw seekFault(r, nestedText)
        pos += 4
        for (let left4 = n; left4 > 0; left4--) {
          if (pos + 4 > end) throw seekFault(r, nestedText)
          n = view.getUint32(pos, true)
          if (n > maxString) throw seekFault(r, nestedText)
          pos += 4 + n
        }
      }
    }
    if (pos + 1 > end) throw seekFault(r, nestedText)
    n = view.getUint8(pos)
    if (n > 1) throw seekFault(r, nestedText)
    pos += 1
    if (n === 1) {
      if (pos > end) throw seekFault(r, nestedText)
      return pos
    }
  }
  if (pos + 1 > end) throw seekFault(r, nestedText)
  n = view.getUint8(pos)
  if (n > 1) throw seekFault(r, nestedText)
  pos += 1
  if (n === 1) {
    if (pos + 5 > end) throw seekFault(r, nestedText)
    n = view.getUint32(pos + 1, true)
    if (n > maxString) throw seekFault(r, nestedText)
    pos += 5 + n
    if (pos + 4 > end) throw seekFault(r, nestedText)
    n = view.getUint32(pos, true)
    if (n > maxNumbers) throw seekFault(r, nestedText)
    pos += 4 + n * 4
  }
  if (pos + 2 > end) throw seekFault(r, nestedText)
  return -1
}

/** Some fields of {@link Nested}. */
export interface Ends {
  id: number
  last: boolean
}

const endsPassed = 'struct{id:u64,}'
const endsPassed2 =
  'struct{flags:struct{a:bool,b:u16,c:bool,},note:option<string>,rank:option<i64>,parts:dict<u8,option<struct{name:string,x-y:f32,weights:tensors,rows:list<struct{key:bytes,at:u64,}>,}>>,grid:list<list<u8>>,switches:list<bool>,pairs:dict<u16,f32>,image:option<bytes>,history:list<struct{when:i64,what:list<dict<string,list<string>>>,batch:option<tensors>,}>,inner:struct{left:option<struct{n:u8,pos:string,view:list<f32>,}>,end:bool,},last:bool,}'

/** Reads some fields, and passes over the others by their lengths. */
export function projectEnds(bytes: ByteInput, options?: ReadOptions): Ends {
  const r = openMessage(bytes, options, 'number')
  try {
    const value = readEnds(r)
    checkEnd(r, 'value')
    return value
  } catch (error) {
    throw inMessage(error, r)
  }
}

function readEnds(r: ByteReader): Ends {
  const { end, view } = r
  const { count: maxCount, numbers: maxNumbers, string: maxString } = r.settings.limits
  let pos = r.pos
  let n: number
  let field = ''
  try {
    if (pos + 8 > end) throw passFault(r, endsPassed)
    field = 'id'
    const id = safeInteger(view.getBigUint64(pos, true), pos)
    r.pos = pos + 8
    field = ''
    pos = r.pos
    if (pos + 5 > end) throw passFault(r, endsPassed2)
    n = view.getUint8(pos + 4)
    if (n > 1) throw passFault(r, endsPassed2)
    pos += 5
    if (n === 1) {
      if (pos + 4 > end) throw passFault(r, endsPassed2)
      n = view.getUint32(pos, true)
      if (n > maxString) throw passFault(r, endsPassed2)
      pos += 4 + n
    }
    if (pos + 1 > end) throw passFault(r, endsPassed2)
    n = view.getUint8(pos)
    if (n > 1) throw passFault(r, endsPassed2)
    pos += 1 + n * 8
    if (pos + 4 > end) throw passFault(r, endsPassed2)
    n = view.getUint32(pos, true)
    if (n > maxCount) throw passFault(r, endsPassed2)
    pos += 4
    for (let left = n; left > 0; left--) {
      if (pos + 2 > end) throw passFault(r, endsPassed2)
      n = view.getUint8(pos + 1)
      if (n > 1) throw passFault(r, endsPassed2)
      pos += 2
      if (n === 1) {
        if (pos + 4 > end) throw passFault(r, endsPassed2)
        n = view.getUint32(pos, true)
        if (n > maxString) throw passFault(r, endsPassed2)
        pos += 4 + n
        pos = passTensors(r, pos + 4)
        if (pos + 4 > end) throw passFault(r, endsPassed2)
        n = view.getUint32(pos, true)
        if (n > maxCount) throw passFault(r, endsPassed2)
        pos += 4
        for (let left2 = n; left2 > 0; left2--) {
          if (pos + 4 > end) throw passFault(r, endsPassed2)
          n = view.getUint32(pos, true)
          pos += 12 + n
        }
      }
    }
    if (pos + 4 > end) throw passFault(r, endsPassed2)
    n = view.getUint32(pos, true)
    if (n > maxCount) throw passFault(r, endsPassed2)
    pos += 4
    for (let left = n; left > 0; left--) {
      if (pos + 4 > end) throw passFault(r, endsPassed2)
      n = view.getUint32(pos, true)
      if (n > maxNumbers) throw passFault(r, endsPassed2)
      pos += 4 + n
    }
    if (pos + 4 > end) throw passFault(r, endsPassed2)
    n = view.getUint32(pos, true)
    if (n > maxCount) throw passFault(r, endsPassed2)
    pos += 4 + n
    if (pos + 4 > end) throw passFault(r, endsPassed2)
    n = view.getUint32(pos, true)
    if (n > maxCount) throw passFault(r, endsPassed2)
    pos += 4 + n * 6
    if (pos + 1 > end) throw passFault(r, endsPassed2)
    n = view.getUint8(pos)
    if (n > 1) throw passFault(r, endsPassed2)
    pos += 1
    if (n === 1) {
      if (pos + 4 > end) throw passFault(r, endsPassed2)
      n = view.getUint32(pos, true)
      pos += 4 + n
    }
    if (pos + 4 > end) throw passFault(r, endsPassed2)
    n = view.getUint32(pos, true)
    if (n > maxCount) throw passFault(r, endsPassed2)
    pos += 4
    for (let left = n; left > 0; left--) {
      if (pos + 12 > end) throw passFault(r, endsPassed2)
      n = view.getUint32(pos + 8, true)
      if (n > maxCount) throw passFault(r, endsPassed2)
      pos += 12
      for (let left2 = n; left2 > 0; left2--) {
        if (pos + 4 > end) throw passFault(r, endsPassed2)
        n = view.getUint32(pos, true)
        if (n > maxCount) throw passFault(r, endsPassed2)
        pos += 4
        for (let left3 = n; left3 > 0; left3--) {
          if (pos + 4 > end) throw passFault(r, endsPassed2)
          n = view.getUint32(pos, true)
          if (n > maxString) throw passFault(r, endsPassed2)
          pos += 4 + n
          if (pos + 4 > end) throw passFault(r, endsPassed2)
          n = view.getUint32(pos, true)
          if (n > maxCount) throw passFault(r, endsPassed2)
          pos += 4
          for (let left4 = n; left4 > 0; left4--) {
            if (pos + 4 > end) throw passFault(r, endsPassed2)
            n = view.getUint32(pos, true)
            if (n > maxString) throw passFault(r, endsPassed2)
            pos += 4 + n
          }
        }
      }
      if (pos + 1 > end) throw passFault(r, endsPassed2)
      n = view.getUint8(pos)
      if (n > 1) throw passFault(r, endsPassed2)
      pos += 1
      if (n === 1) {
        pos = passTensors(r, pos)
      }
    }
    if (pos + 1 > end) throw passFault(r, endsPassed2)
    n = view.getUint8(pos)
    if (n > 1) throw passFault(r, endsPassed2)
    pos += 1
    if (n === 1) {
      if (pos + 5 > end) throw passFault(r, endsPassed2)
      n = view.getUint32(pos + 1, true)
      if (n > maxString) throw passFault(r, endsPassed2)
      pos += 5 + n
      if (pos + 4 > end) throw passFault(r, endsPassed2)
      n = view.getUint32(pos, true)
      if (n > maxNumbers) throw passFault(r, endsPassed2)
      pos += 4 + n * 4
    }
    if (pos + 2 > end) throw passFault(r, endsPassed2)
    field = 'last'
    const last = flagAt(r, pos + 1, 'bool')
    r.pos = pos + 2
    return { id, last }
  } catch (error) {
    throw inField(error, field)
  }
}

/** Some fields of {@link Nested}. */
export interface Deep {
  flags: DeepFlags
  parts: Map<number, DeepPartsValue | undefined>
  history: DeepHistoryItem[]
  inner: DeepInner
}

/** {@link Deep} as it is read without copying: lists of numbers, bytes and tensors lie in the input. */
export interface DeepView {
  flags: DeepFlags
  parts: Map<number, DeepPartsValue | undefined>
  history: DeepHistoryItemView[]
  inner: DeepInnerView
}

/** Some fields of {@link NestedFlags}. */
export interface DeepFlags {
  b: number
  c: boolean
}

/** Some fields of {@link NestedPartsValue}. */
export interface DeepPartsValue {
  'x-y': number
  rows: DeepPartsValueRowsItem[]
}

/** Some fields of {@link NestedPartsValueRowsItem}. */
export interface DeepPartsValueRowsItem {
  at: number
}

/** Some fields of {@link NestedHistoryItem}. */
export interface DeepHistoryItem {
  batch: Directory | undefined
}

/** {@link DeepHistoryItem} as it is read without copying: lists of numbers, bytes and tensors lie in the input. */
export interface DeepHistoryItemView {
  batch: Directory | undefined
}

/** Some fields of {@link NestedInner}. */
export interface DeepInner {
  left: DeepInnerLeft | undefined
}

/** {@link DeepInner} as it is read without copying: lists of numbers, bytes and tensors lie in the input. */
export interface DeepInnerView {
  left: DeepInnerLeftView | undefined
}

/** Some fields of {@link NestedInnerLeft}. */
export interface DeepInnerLeft {
  view: OwnArrays['f32']
}

/** {@link DeepInnerLeft} as it is read without copying: lists of numbers, bytes and tensors lie in the input. */
export interface DeepInnerLeftView {
  view: NumberList<'f32'>
}

const deepPassed = 'struct{id:u64,}'
const deepPassed2 = 'struct{note:option<string>,rank:option<i64>,}'
const deepPassed3 = 'struct{grid:list<list<u8>>,switches:list<bool>,pairs:dict<u16,f32>,image:option<bytes>,}'
const deepPassed4 = 'struct{last:bool,}'
const deepFlagsPassed = 'struct{a:bool,b:u16,c:bool,}'
const deepPartsValuePassed = 'struct{name:string,x-y:f32,weights:tensors,}'
const deepPartsValueRowsItemPassed = 'struct{key:bytes,at:u64,}'
const deepHistoryItemPassed = 'struct{when:i64,what:list<dict<string,list<string>>>,}'
const deepInnerPassed = 'struct{end:bool,}'
const deepInnerLeftPassed = 'struct{n:u8,pos:string,}'

/** Reads some fields, and passes over the others by their lengths. */
export function projectDeep(bytes: ByteInput, options?: ReadOptions): Deep {
  const r = openMessage(bytes, options, 'number')
  try {
    const value = readDeep(r)
    checkEnd(r, 'value')
    return value
  } catch (error) {
    throw inMessage(error, r)
  }
}

/** As {@link projectDeep}; lists of numbers, bytes and tensors lie in the bytes. */
export function projectDeepView(bytes: ByteInput, options?: ReadOptions): DeepView {
  const r = openMessage(bytes, options, 'number')
  try {
    const value = borrowDeep(r)
    checkEnd(r, 'value')
    return value
  } catch (error) {
    throw inMessage(error, r)
  }
}

function readDeep(r: ByteReader): Deep {
  const { end, view } = r
  const { count: maxCount, numbers: maxNumbers, string: maxString } = r.settings.limits
  let pos = r.pos
  let n: number
  let field = ''
  try {
    if (pos + 8 > end) throw passFault(r, deepPassed)
    r.pos = pos + 8
    field = 'flags'
    const flags = readDeepFlags(r)
    field = ''
    pos = r.pos
    if (pos + 1 > end) throw passFault(r, deepPassed2)
    n = view.getUint8(pos)
    if (n > 1) throw passFault(r, deepPassed2)
    pos += 1
    if (n === 1) {
      if (pos + 4 > end) throw passFault(r, deepPassed2)
      n = view.getUint32(pos, true)
      if (n > maxString) throw passFault(r, deepPassed2)
      pos += 4 + n
    }
    if (pos + 1 > end) throw passFault(r, deepPassed2)
    n = view.getUint8(pos)
    if (n > 1) throw passFault(r, deepPassed2)
    pos += 1 + n * 8
    if (pos > end) throw passFault(r, deepPassed2)
    r.pos = pos
    field = 'parts'
    const parts = readOptionalDeepPartsValueDict(r)
    field = ''
    pos = r.pos
    if (pos + 4 > end) throw passFault(r, deepPassed3)
    n = view.getUint32(pos, true)
    if (n > maxCount) throw passFault(r, deepPassed3)
    pos += 4
    for (let left = n; left > 0; left--) {
      if (pos + 4 > end) throw passFault(r, deepPassed3)
      n = view.getUint32(pos, true)
      if (n > maxNumbers) throw passFault(r, deepPassed3)
      pos += 4 + n
    }
    if (pos + 4 > end) throw passFault(r, deepPassed3)
    n = view.getUint32(pos, true)
    if (n > maxCount) throw passFault(r, deepPassed3)
    pos += 4 + n
    if (pos + 4 > end) throw passFault(r, deepPassed3)
    n = view.getUint32(pos, true)
    if (n > maxCount) throw passFault(r, deepPassed3)
    pos += 4 + n * 6
    if (pos + 1 > end) throw passFault(r, deepPassed3)
    n = view.getUint8(pos)
    if (n > 1) throw passFault(r, deepPassed3)
    pos += 1
    if (n === 1) {
      if (pos + 4 > end) throw passFault(r, deepPassed3)
      n = view.getUint32(pos, true)
      pos += 4 + n
    }
    if (pos > end) throw passFault(r, deepPassed3)
    r.pos = pos
    field = 'history'
    const history = readDeepHistoryItemList(r)
    field = 'inner'
    const inner = readDeepInner(r)
    field = ''
    pos = r.pos
    if (pos + 1 > end) throw passFault(r, deepPassed4)
    r.pos = pos + 1
    return { flags, parts, history, inner }
  } catch (error) {
    throw inField(error, field)
  }
}

function borrowDeep(r: ByteReader): DeepView {
  const { end, view } = r
  const { count: maxCount, numbers: maxNumbers, string: maxString } = r.settings.limits
  let pos = r.pos
  let n: number
  let field = ''
  try {
    if (pos + 8 > end) throw passFault(r, deepPassed)
    r.pos = pos + 8
    field = 'flags'
    const flags = readDeepFlags(r)
    field = ''
    pos = r.pos
    if (pos + 1 > end) throw passFault(r, deepPassed2)
    n = view.getUint8(pos)
    if (n > 1) throw passFault(r, deepPassed2)
    pos += 1
    if (n === 1) {
      if (pos + 4 > end) throw passFault(r, deepPassed2)
      n = view.getUint32(pos, true)
      if (n > maxString) throw passFault(r, deepPassed2)
      pos += 4 + n
    }
    if (pos + 1 > end) throw passFault(r, deepPassed2)
    n = view.getUint8(pos)
    if (n > 1) throw passFault(r, deepPassed2)
    pos += 1 + n * 8
    if (pos > end) throw passFault(r, deepPassed2)
    r.pos = pos
    field = 'parts'
    const parts = readOptionalDeepPartsValueDict(r)
    field = ''
    pos = r.pos
    if (pos + 4 > end) throw passFault(r, deepPassed3)
    n = view.getUint32(pos, true)
    if (n > maxCount) throw passFault(r, deepPassed3)
    pos += 4
    for (let left = n; left > 0; left--) {
      if (pos + 4 > end) throw passFault(r, deepPassed3)
      n = view.getUint32(pos, true)
      if (n > maxNumbers) throw passFault(r, deepPassed3)
      pos += 4 + n
    }
    if (pos + 4 > end) throw passFault(r, deepPassed3)
    n = view.getUint32(pos, true)
    if (n > maxCount) throw passFault(r, deepPassed3)
    pos += 4 + n
    if (pos + 4 > end) throw passFault(r, deepPassed3)
    n = view.getUint32(pos, true)
    if (n > maxCount) throw passFault(r, deepPassed3)
    pos += 4 + n * 6
    if (pos + 1 > end) throw passFault(r, deepPassed3)
    n = view.getUint8(pos)
    if (n > 1) throw passFault(r, deepPassed3)
    pos += 1
    if (n === 1) {
      if (pos + 4 > end) throw passFault(r, deepPassed3)
      n = view.getUint32(pos, true)
      pos += 4 + n
    }
    if (pos > end) throw passFault(r, deepPassed3)
    r.pos = pos
    field = 'history'
    const history = borrowDeepHistoryItemList(r)
    field = 'inner'
    const inner = borrowDeepInner(r)
    field = ''
    pos = r.pos
    if (pos + 1 > end) throw passFault(r, deepPassed4)
    r.pos = pos + 1
    return { flags, parts, history, inner }
  } catch (error) {
    throw inField(error, field)
  }
}

function readDeepFlags(r: ByteReader): DeepFlags {
  const { end, view } = r
  const pos = r.pos
  let field = ''
  try {
    if (pos + 4 > end) throw passFault(r, deepFlagsPassed)
    const b = view.getUint16(pos + 1, true)
    field = 'c'
    const c = flagAt(r, pos + 3, 'bool')
    r.pos = pos + 4
    return { b, c }
  } catch (error) {
    throw inField(error, field)
  }
}

function readOptionalDeepPartsValueDict(r: ByteReader): Map<number, DeepPartsValue | undefined> {
  const count = takeEntries(r, 2)
  const dict = new Map<number, DeepPartsValue | undefined>()
  let key: number | undefined
  let at = 0
  let i = 0
  try {
    for (; i < count; i++) {
      key = undefined
      at = r.pos
      key = r.view.getUint8(take(r, 1, 'u8'))
      dict.set(key, readFlag(r, 'option tag') ? readDeepPartsValue(r) : undefined)
      if (dict.size === i) throw keyTwice(key, at)
    }
  } catch (error) {
    throw inEntry(error, i, key, at, dict)
  }
  return dict
}

function readDeepPartsValue(r: ByteReader): DeepPartsValue {
  const { end, view } = r
  const { string: maxString } = r.settings.limits
  let pos = r.pos
  let n: number
  let field = ''
  try {
    if (pos + 4 > end) throw passFault(r, deepPartsValuePassed)
    n = view.getUint32(pos, true)
    if (n > maxString) throw passFault(r, deepPartsValuePassed)
    pos += 4 + n
    if (pos + 4 > end) throw passFault(r, deepPartsValuePassed)
    const xy = view.getFloat32(pos, true)
    pos = passTensors(r, pos + 4)
    if (pos > end) throw passFault(r, deepPartsValuePassed)
    r.pos = pos
    field = 'rows'
    const rows = readDeepPartsValueRowsItemList(r)
    return { 'x-y': xy, rows }
  } catch (error) {
    throw inField(error, field)
  }
}

function readDeepPartsValueRowsItemList(r: ByteReader): DeepPartsValueRowsItem[] {
  const list = takeList<DeepPartsValueRowsItem>(r, 12)
  const count = list.length
  let i = 0
  try {
    for (; i < count; i++) list[i] = readDeepPartsValueRowsItem(r)
  } catch (error) {
    throw inElement(error, i)
  }
  return list
}

function readDeepPartsValueRowsItem(r: ByteReader): DeepPartsValueRowsItem {
  const { end, view } = r
  let pos = r.pos
  let n: number
  let field = ''
  try {
    if (pos + 4 > end) throw passFault(r, deepPartsValueRowsItemPassed)
    n = view.getUint32(pos, true)
    pos += 4 + n
    if (pos + 8 > end) throw passFault(r, deepPartsValueRowsItemPassed)
    field = 'at'
    const at = safeInteger(view.getBigUint64(pos, true), pos)
    r.pos = pos + 8
    return { at }
  } catch (error) {
    throw inField(error, field)
  }
}

function readDeepHistoryItemList(r: ByteReader): DeepHistoryItem[] {
  const list = takeList<DeepHistoryItem>(r, 13)
  const count = list.length
  let i = 0
  try {
    for (; i < count; i++) list[i] = readDeepHistoryItem(r)
  } catch (error) {
    throw inElement(error, i)
  }
  return list
}

function borrowDeepHistoryItemList(r: ByteReader): DeepHistoryItemView[] {
  const list = takeList<DeepHistoryItemView>(r, 13)
  const count = list.length
  let i = 0
  try {
    for (; i < count; i++) list[i] = borrowDeepHistoryItem(r)
  } catch (error) {
    throw inElement(error, i)
  }
  return list
}

function readDeepHistoryItem(r: ByteReader): DeepHistoryItem {
  const { end, view } = r
  const { count: maxCount, string: maxString } = r.settings.limits
  let pos = r.pos
  let n: number
  let field = ''
  try {
    if (pos + 12 > end) throw passFault(r, deepHistoryItemPassed)
    n = view.getUint32(pos + 8, true)
    if (n > maxCount) throw passFault(r, deepHistoryItemPassed)
    pos += 12
    for (let left = n; left > 0; left--) {
      if (pos + 4 > end) throw passFault(r, deepHistoryItemPassed)
      n = view.getUint32(pos, true)
      if (n > maxCount) throw passFault(r, deepHistoryItemPassed)
      pos += 4
      for (let left2 = n; left2 > 0; left2--) {
        if (pos + 4 > end) throw passFault(r, deepHistoryItemPassed)
        n = view.getUint32(pos, true)
        if (n > maxString) throw passFault(r, deepHistoryItemPassed)
        pos += 4 + n
        if (pos + 4 > end) throw passFault(r, deepHistoryItemPassed)
        n = view.getUint32(pos, true)
        if (n > maxCount) throw passFault(r, deepHistoryItemPassed)
        pos += 4
        for (let left3 = n; left3 > 0; left3--) {
          if (pos + 4 > end) throw passFault(r, deepHistoryItemPassed)
          n = view.getUint32(pos, true)
          if (n > maxString) throw passFault(r, deepHistoryItemPassed)
          pos += 4 + n
        }
      }
    }
    if (pos > end) throw passFault(r, deepHistoryItemPassed)
    r.pos = pos
    field = 'batch'
    const batch = readFlag(r, 'option tag') ? readTensors(r) : undefined
    return { batch }
  } catch (error) {
    throw inField(error, field)
  }
}

function borrowDeepHistoryItem(r: ByteReader): DeepHistoryItemView {
  const { end, view } = r
  const { count: maxCount, string: maxString } = r.settings.limits
  let pos = r.pos
  let n: number
  let field = ''
  try {
    if (pos + 12 > end) throw passFault(r, deepHistoryItemPassed)
    n = view.getUint32(pos + 8, true)
    if (n > maxCount) throw passFault(r, deepHistoryItemPassed)
    pos += 12
    for (let left = n; left > 0; left--) {
      if (pos + 4 > end) throw passFault(r, deepHistoryItemPassed)
      n = view.getUint32(pos, true)
      if (n > maxCount) throw passFault(r, deepHistoryItemPassed)
      pos += 4
      for (let left2 = n; left2 > 0; left2--) {
        if (pos + 4 > end) throw passFault(r, deepHistoryItemPassed)
        n = view.getUint32(pos, true)
        if (n > maxString) throw passFault(r, deepHistoryItemPassed)
        pos += 4 + n
        if (pos + 4 > end) throw passFault(r, deepHistoryItemPassed)
        n = view.getUint32(pos, true)
        if (n > maxCount) throw passFault(r, deepHistoryItemPassed)
        pos += 4
        for (let left3 = n; left3 > 0; left3--) {
          if (pos + 4 > end) throw passFault(r, deepHistoryItemPassed)
          n = view.getUint32(pos, true)
          if (n > maxString) throw passFault(r, deepHistoryItemPassed)
          pos += 4 + n
        }
      }
    }
    if (pos > end) throw passFault(r, deepHistoryItemPassed)
    r.pos = pos
    field = 'batch'
    const batch = readFlag(r, 'option tag') ? viewTensors(r) : undefined
    return { batch }
  } catch (error) {
    throw inField(error, field)
  }
}

function readDeepInner(r: ByteReader): DeepInner {
  const { end } = r
  let pos = r.pos
  let field = 'left'
  try {
    const leftValue = readFlag(r, 'option tag') ? readDeepInnerLeft(r) : undefined
    field = ''
    pos = r.pos
    if (pos + 1 > end) throw passFault(r, deepInnerPassed)
    r.pos = pos + 1
    return { left: leftValue }
  } catch (error) {
    throw inField(error, field)
  }
}

function borrowDeepInner(r: ByteReader): DeepInnerView {
  const { end } = r
  let pos = r.pos
  let field = 'left'
  try {
    const leftValue = readFlag(r, 'option tag') ? borrowDeepInnerLeft(r) : undefined
    field = ''
    pos = r.pos
    if (pos + 1 > end) throw passFault(r, deepInnerPassed)
    r.pos = pos + 1
    return { left: leftValue }
  } catch (error) {
    throw inField(error, field)
  }
}

function readDeepInnerLeft(r: ByteReader): DeepInnerLeft {
  const { end, view } = r
  const { string: maxString } = r.settings.limits
  let pos = r.pos
  let n: number
  let field = ''
  try {
    if (pos + 5 > end) throw passFault(r, deepInnerLeftPassed)
    n = view.getUint32(pos + 1, true)
    if (n > maxString) throw passFault(r, deepInnerLeftPassed)
    pos += 5 + n
    if (pos > end) throw passFault(r, deepInnerLeftPassed)
    r.pos = pos
    field = 'view'
    const viewValue = f32List.read(r)
    return { view: viewValue }
  } catch (error) {
    throw inField(error, field)
  }
}

function borrowDeepInnerLeft(r: ByteReader): DeepInnerLeftView {
  const { end, view } = r
  const { string: maxString } = r.settings.limits
  let pos = r.pos
  let n: number
  let field = ''
  try {
    if (pos + 5 > end) throw passFault(r, deepInnerLeftPassed)
    n = view.getUint32(pos + 1, true)
    if (n > maxString) throw passFault(r, deepInnerLeftPassed)
    pos += 5 + n
    if (pos > end) throw passFault(r, deepInnerLeftPassed)
    r.pos = pos
    field = 'view'
    const viewValue = f32List.view(r)
    return { view: viewValue }
  } catch (error) {
    throw inField(error, field)
  }
}
