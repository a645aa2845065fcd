// Written by kiln gen from 'record.kiln'. Change that and run kiln gen again, not this file.
import type {
  ByteInput,
  ByteReader,
  ByteWriter,
  DictInput,
  MessageWriter,
  OwnBytes,
  ReadOptions,
  Run,
} from 'kiln-format/runtime'
import {
  checkBool,
  checkEnd,
  checkEntries,
  checkEntry,
  checkF64,
  checkI64,
  checkLength,
  checkU32,
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
  objectPrototype,
  openMessage,
  openReader,
  ownFields,
  passFault,
  readString,
  take,
  takeCount,
  takeEntries,
  takeList,
  takeRun,
  writeEntryCount,
  writeListCount,
  writeString,
} from 'kiln-format/runtime'

/** The schema of {@link RecordType}, as Kiln writes schemas. */
export const recordTypeText =
  'list<struct{id:i64,user:string,email:string,created:u32,score:f64,active:bool,tags:list<string>,attributes:dict<string,string>,}>'

/** The hash of that schema, as frames carry it. */
export const recordTypeHash = 0xf7bc06fbffc0b046n

export type RecordType = RecordTypeItem[]

/** As {@link RecordType}: nothing in it can be borrowed. */
export type RecordTypeView = RecordType

/** {@link RecordType} as it is taken for encoding. */
export type RecordTypeInput = readonly RecordTypeItemInput[]

export interface RecordTypeItem {
  id: bigint
  user: string
  email: string
  created: number
  score: number
  active: boolean
  tags: string[]
  attributes: Map<string, string>
}

/** {@link RecordTypeItem} as it is taken for encoding. */
export interface RecordTypeItemInput {
  readonly id: bigint | number
  readonly user: string
  readonly email: string
  readonly created: number
  readonly score: number
  readonly active: boolean
  readonly tags: readonly string[]
  readonly attributes: DictInput<string>
}

const recordTypeItemFields = ['id', 'user', 'email', 'created', 'score', 'active', 'tags', 'attributes']
const recordTypeItemRun: Run = [
  ['created', 'u32'],
  ['score', 'f64'],
  ['active', 'bool'],
]

/** Writes a value into bytes of its own, of exactly its size. */
export function encodeRecordType(value: RecordTypeInput): OwnBytes {
  return encodeWith(writeRecordTypeItemList, value)
}

/** Writes a value to the front of a target, and returns how many bytes it took. */
export function encodeRecordTypeInto(value: RecordTypeInput, target: ByteInput): number {
  return encodeIntoWith(writeRecordTypeItemList, value, target)
}

/** Writes a value as slices in order; large arrays are not copied. */
export function encodeRecordTypeParts(value: RecordTypeInput): Uint8Array[] {
  return encodePartsWith(writeRecordTypeItemList, value)
}

/** Writes a value into a writer's memory; the bytes hold until its next call. */
export function encodeRecordTypeWith(writer: MessageWriter, value: RecordTypeInput): Uint8Array {
  return writer.encodeBy(writeRecordTypeItemList, value)
}

/** Bytes that a value takes. */
export function encodedSizeRecordType(value: RecordTypeInput): number {
  return encodedSizeWith(writeRecordTypeItemList, value)
}

/** Reads a value that shares nothing with the bytes, but payloads of tensors. */
export function decodeRecordType(bytes: ByteInput, options?: ReadOptions): RecordType {
  const r = openMessage(bytes, options, 'bigint')
  try {
    const value = readRecordTypeItemList(r)
    checkEnd(r, 'value')
    return value
  } catch (error) {
    throw inMessage(error, r)
  }
}

/** Reads a value whose lists of numbers, bytes and tensors lie in the bytes. */
export function viewRecordType(bytes: ByteInput, options?: ReadOptions): RecordTypeView {
  const r = openMessage(bytes, options, 'bigint')
  try {
    const value = readRecordTypeItemList(r)
    checkEnd(r, 'value')
    return value
  } catch (error) {
    throw inMessage(error, r)
  }
}

/** Reads the elements one by one, as they are asked for. The end of the bytes is checked after the last. */
export function iterateRecordType(bytes: ByteInput, options?: ReadOptions): Generator<RecordTypeItem, undefined> {
  return eachItem(openReader(bytes, options, 'bigint'))
}

function* eachItem(r: ByteReader): Generator<RecordTypeItem, undefined> {
  const count = takeCount(r, 37, 'count')
  for (let i = 0; i < count; i++) {
    let item: RecordTypeItem
    try {
      item = readRecordTypeItem(r)
    } catch (error) {
      throw inElement(error, i)
    }
    yield item
  }
  checkEnd(r, 'list')
  return undefined
}

function readRecordTypeItemList(r: ByteReader): RecordTypeItem[] {
  const list = takeList<RecordTypeItem>(r, 37)
  const count = list.length
  let i = 0
  try {
    for (; i < count; i++) list[i] = readRecordTypeItem(r)
  } catch (error) {
    throw inElement(error, i)
  }
  return list
}

function readRecordTypeItem(r: ByteReader): RecordTypeItem {
  let field = 'id'
  try {
    const at = take(r, 8, 'i64')
    const id = r.view.getBigInt64(at, true)
    field = 'user'
    const user = readString(r)
    field = 'email'
    const email = readString(r)
    field = ''
    const at2 = takeRun(r, 13, recordTypeItemRun)
    const created = r.view.getUint32(at2, true)
    const score = r.view.getFloat64(at2 + 4, true)
    field = 'active'
    const active = flagAt(r, at2 + 12, 'bool')
    field = 'tags'
    const tags = readStringList(r)
    field = 'attributes'
    const attributes = readStringDict(r)
    return { id, user, email, created, score, active, tags, attributes }
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

function writeRecordTypeItemList(w: ByteWriter, value: readonly RecordTypeItemInput[]): void {
  const count = writeListCount(w, value)
  let i = 0
  try {
    for (; i < count; i++) writeRecordTypeItem(w, value[i]!)
    checkLength(value, count)
  } catch (error) {
    throw inElement(error, i)
  }
}

function writeRecordTypeItem(w: ByteWriter, value: RecordTypeItemInput): void {
  const inherited =
    'id' in objectPrototype ||
    'user' in objectPrototype ||
    'email' in objectPrototype ||
    'created' in objectPrototype ||
    'score' in objectPrototype ||
    'active' in objectPrototype ||
    'tags' in objectPrototype ||
    'attributes' in objectPrototype
  const own = ownFields(value, recordTypeItemFields, inherited)
  let field = 'id'
  try {
    const at = grant(w, 8)
    w.view.setBigInt64(at, checkI64(own.id), true)
    field = 'user'
    writeString(w, own.user)
    field = 'email'
    writeString(w, own.email)
    field = 'created'
    const at2 = grant(w, 13)
    w.view.setUint32(at2, checkU32(own.created), true)
    field = 'score'
    w.view.setFloat64(at2 + 4, checkF64(own.score), true)
    field = 'active'
    w.bytes[at2 + 12] = checkBool(own.active)
    field = 'tags'
    writeStringList(w, own.tags)
    field = 'attributes'
    writeStringDict(w, own.attributes)
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

/** What {@link projectScores} reads. */
export type Scores = ScoresItem[]

/** Some fields of {@link RecordTypeItem}. */
export interface ScoresItem {
  id: bigint
  score: number
}

const scoresItemPassed =
  'struct{id:i64,user:string,email:string,created:u32,score:f64,active:bool,tags:list<string>,attributes:dict<string,string>,}'

/** Reads some fields, and passes over the others by their lengths. */
export function projectScores(bytes: ByteInput, options?: ReadOptions): Scores {
  const r = openMessage(bytes, options, 'bigint')
  try {
    const value = readScoresItemList(r)
    checkEnd(r, 'value')
    return value
  } catch (error) {
    throw inMessage(error, r)
  }
}

/** Reads the elements one by one, as they are asked for. The end of the bytes is checked after the last. */
export function iterateScores(bytes: ByteInput, options?: ReadOptions): Generator<ScoresItem, undefined> {
  return eachScores(openReader(bytes, options, 'bigint'))
}

function* eachScores(r: ByteReader): Generator<ScoresItem, undefined> {
  const count = takeCount(r, 37, 'count')
  for (let i = 0; i < count; i++) {
    let item: ScoresItem
    try {
      item = readScoresItem(r)
    } catch (error) {
      throw inElement(error, i)
    }
    yield item
  }
  checkEnd(r, 'list')
  return undefined
}

function readScoresItemList(r: ByteReader): ScoresItem[] {
  const list = takeList<ScoresItem>(r, 37)
  const count = list.length
  let i = 0
  try {
    for (; i < count; i++) list[i] = readScoresItem(r)
  } catch (error) {
    throw inElement(error, i)
  }
  return list
}

function readScoresItem(r: ByteReader): ScoresItem {
  const { end, view } = r
  const { count: maxCount, string: maxString } = r.settings.limits
  let pos = r.pos
  let n: number
  const field = ''
  try {
    if (pos + 12 > end) throw passFault(r, scoresItemPassed)
    const id = view.getBigInt64(pos, true)
    n = view.getUint32(pos + 8, true)
    if (n > maxString) throw passFault(r, scoresItemPassed)
    pos += 12 + n
    if (pos + 4 > end) throw passFault(r, scoresItemPassed)
    n = view.getUint32(pos, true)
    if (n > maxString) throw passFault(r, scoresItemPassed)
    pos += 4 + n
    if (pos + 17 > end) throw passFault(r, scoresItemPassed)
    const score = view.getFloat64(pos + 4, true)
    n = view.getUint32(pos + 13, true)
    if (n > maxCount) throw passFault(r, scoresItemPassed)
    pos += 17
    for (let left = n; left > 0; left--) {
      if (pos + 4 > end) throw passFault(r, scoresItemPassed)
      n = view.getUint32(pos, true)
      if (n > maxString) throw passFault(r, scoresItemPassed)
      pos += 4 + n
    }
    if (pos + 4 > end) throw passFault(r, scoresItemPassed)
    n = view.getUint32(pos, true)
    if (n > maxCount) throw passFault(r, scoresItemPassed)
    pos += 4
    for (let left = n; left > 0; left--) {
      if (pos + 4 > end) throw passFault(r, scoresItemPassed)
      n = view.getUint32(pos, true)
      if (n > maxString) throw passFault(r, scoresItemPassed)
      pos += 4 + n
      if (pos + 4 > end) throw passFault(r, scoresItemPassed)
      n = view.getUint32(pos, true)
      if (n > maxString) throw passFault(r, scoresItemPassed)
      pos += 4 + n
    }
    if (pos > end) throw passFault(r, scoresItemPassed)
    r.pos = pos
    return { id, score }
  } catch (error) {
    throw inField(error, field)
  }
}

/** What {@link projectUsers} reads. */
export type Users = UsersItem[]

/** Some fields of {@link RecordTypeItem}. */
export interface UsersItem {
  id: bigint
  user: string
  score: number
  active: boolean
  attributes: Map<string, string>
}

const usersItemPassed = 'struct{id:i64,}'
const usersItemPassed2 = 'struct{email:string,created:u32,score:f64,active:bool,}'
const usersItemPassed3 = 'struct{tags:list<string>,}'

/** Reads some fields, and passes over the others by their lengths. */
export function projectUsers(bytes: ByteInput, options?: ReadOptions): Users {
  const r = openMessage(bytes, options, 'bigint')
  try {
    const value = readUsersItemList(r)
    checkEnd(r, 'value')
    return value
  } catch (error) {
    throw inMessage(error, r)
  }
}

/** Reads the elements one by one, as they are asked for. The end of the bytes is checked after the last. */
export function iterateUsers(bytes: ByteInput, options?: ReadOptions): Generator<UsersItem, undefined> {
  return eachUsers(openReader(bytes, options, 'bigint'))
}

function* eachUsers(r: ByteReader): Generator<UsersItem, undefined> {
  const count = takeCount(r, 37, 'count')
  for (let i = 0; i < count; i++) {
    let item: UsersItem
    try {
      item = readUsersItem(r)
    } catch (error) {
      throw inElement(error, i)
    }
    yield item
  }
  checkEnd(r, 'list')
  return undefined
}

function readUsersItemList(r: ByteReader): UsersItem[] {
  const list = takeList<UsersItem>(r, 37)
  const count = list.length
  let i = 0
  try {
    for (; i < count; i++) list[i] = readUsersItem(r)
  } catch (error) {
    throw inElement(error, i)
  }
  return list
}

function readUsersItem(r: ByteReader): UsersItem {
  const { end, view } = r
  const { count: maxCount, string: maxString } = r.settings.limits
  let pos = r.pos
  let n: number
  let field = ''
  try {
    if (pos + 8 > end) throw passFault(r, usersItemPassed)
    const id = view.getBigInt64(pos, true)
    r.pos = pos + 8
    field = 'user'
    const user = readString(r)
    field = ''
    pos = r.pos
    if (pos + 4 > end) throw passFault(r, usersItemPassed2)
    n = view.getUint32(pos, true)
    if (n > maxString) throw passFault(r, usersItemPassed2)
    pos += 4 + n
    if (pos + 13 > end) throw passFault(r, usersItemPassed2)
    const score = view.getFloat64(pos + 4, true)
    field = 'active'
    const active = flagAt(r, pos + 12, 'bool')
    r.pos = pos + 13
    field = ''
    pos = r.pos
    if (pos + 4 > end) throw passFault(r, usersItemPassed3)
    n = view.getUint32(pos, true)
    if (n > maxCount) throw passFault(r, usersItemPassed3)
    pos += 4
    for (let left = n; left > 0; left--) {
      if (pos + 4 > end) throw passFault(r, usersItemPassed3)
      n = view.getUint32(pos, true)
      if (n > maxString) throw passFault(r, usersItemPassed3)
      pos += 4 + n
    }
    if (pos > end) throw passFault(r, usersItemPassed3)
    r.pos = pos
    field = 'attributes'
    const attributes = readStringDict(r)
    return { id, user, score, active, attributes }
  } catch (error) {
    throw inField(error, field)
  }
}
