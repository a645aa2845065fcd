// Written by kiln gen from 'user.schema.json'. Change that and run kiln gen again, not this file.
import type {
  ByteInput,
  ByteReader,
  ByteWriter,
  DictInput,
  MessageWriter,
  NumberList,
  NumbersInput,
  OwnArrays,
  OwnBytes,
  ReadOptions,
  Run,
} from 'kiln-format/runtime'
import {
  checkBool,
  checkEnd,
  checkEntries,
  checkEntry,
  checkF32,
  checkLength,
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
  readBytes,
  readFlag,
  readString,
  take,
  takeEntries,
  takeList,
  takeRun,
  viewBytes,
  writeBytes,
  writeEntryCount,
  writeListCount,
  writeString,
  writeTag,
} from 'kiln-format/runtime'

/** The schema of {@link User}, as Kiln writes schemas. */
export const userText =
  'struct{id:u64,name:string,active:bool,score:f32,level:option<u8>,email:option<string>,manager:option<struct{id:u64,note:option<string>,}>,friends:option<list<struct{id:u64,note:option<string>,}>>,tags:dict<string,string>,address:struct{street:string,city:string,zip:option<string>,},picture:option<bytes>,vector:option<list<f32>>,flags:option<list<bool>>,}'

/** The hash of that schema, as frames carry it. */
export const userHash = 0x1a29c234cc915f61n

/**
 * Somebody who can sign in.
 *
 * Kept as long as the account is open.
 */
export interface User {
  /** Never used twice. */
  id: bigint
  /** The name to show */
  name: string
  active: boolean
  score: number
  level: number | undefined
  /** @deprecated */
  email: string | undefined
  manager: Person | undefined
  friends: Person[] | undefined
  /** Free words, by kind. */
  tags: Map<string, string>
  address: UserAddress
  picture: OwnBytes | undefined
  /** An embedding of the profile. */
  vector: OwnArrays['f32'] | undefined
  flags: boolean[] | undefined
}

/** {@link User} as it is read without copying: lists of numbers, bytes and tensors lie in the input. */
export interface UserView {
  /** Never used twice. */
  id: bigint
  /** The name to show */
  name: string
  active: boolean
  score: number
  level: number | undefined
  /** @deprecated */
  email: string | undefined
  manager: Person | undefined
  friends: Person[] | undefined
  /** Free words, by kind. */
  tags: Map<string, string>
  address: UserAddress
  picture: Uint8Array | undefined
  /** An embedding of the profile. */
  vector: NumberList<'f32'> | undefined
  flags: boolean[] | undefined
}

/** {@link User} as it is taken for encoding. */
export interface UserInput {
  /** Never used twice. */
  readonly id: bigint | number
  /** The name to show */
  readonly name: string
  readonly active: boolean
  readonly score: number
  readonly level?: number | undefined
  /** @deprecated */
  readonly email?: string | undefined
  readonly manager: PersonInput | null | undefined
  readonly friends?: readonly PersonInput[] | undefined
  /** Free words, by kind. */
  readonly tags: DictInput<string>
  readonly address: UserAddressInput
  readonly picture?: ByteInput | undefined
  /** An embedding of the profile. */
  readonly vector?: NumbersInput<'f32'> | undefined
  readonly flags?: readonly boolean[] | undefined
}

/** A reference to a user. */
export interface Person {
  id: bigint
  note: string | undefined
}

/** {@link Person} as it is taken for encoding. */
export interface PersonInput {
  readonly id: bigint | number
  readonly note?: string | undefined
}

export interface UserAddress {
  street: string
  city: string
  zip: string | undefined
}

/** {@link UserAddress} as it is taken for encoding. */
export interface UserAddressInput {
  readonly street: string
  readonly city: string
  readonly zip?: string | null | undefined
}

const f32List = /* @__PURE__ */ numbers('f32')
const writeF32List = /* @__PURE__ */ numbersWriter('f32')
const userFields = [
  'id',
  'name',
  'active',
  'score',
  'level',
  'email',
  'manager',
  'friends',
  'tags',
  'address',
  'picture',
  'vector',
  'flags',
]
const userRun: Run = [
  ['active', 'bool'],
  ['score', 'f32'],
]
const personFields = ['id', 'note']
const userAddressFields = ['street', 'city', 'zip']

/** Writes a value into bytes of its own, of exactly its size. */
export function encodeUser(value: UserInput): OwnBytes {
  return encodeWith(writeUser, value)
}

/** Writes a value to the front of a target, and returns how many bytes it took. */
export function encodeUserInto(value: UserInput, target: ByteInput): number {
  return encodeIntoWith(writeUser, value, target)
}

/** Writes a value as slices in order; large arrays are not copied. */
export function encodeUserParts(value: UserInput): Uint8Array[] {
  return encodePartsWith(writeUser, value)
}

/** Writes a value into a writer's memory; the bytes hold until its next call. */
export function encodeUserWith(writer: MessageWriter, value: UserInput): Uint8Array {
  return writer.encodeBy(writeUser, value)
}

/** Bytes that a value takes. */
export function encodedSizeUser(value: UserInput): number {
  return encodedSizeWith(writeUser, value)
}

/** Reads a value that shares nothing with the bytes, but payloads of tensors. */
export function decodeUser(bytes: ByteInput, options?: ReadOptions): User {
  const r = openMessage(bytes, options, 'bigint')
  try {
    const value = readUser(r)
    checkEnd(r, 'value')
    return value
  } catch (error) {
    throw inMessage(error, r)
  }
}

/** Reads a value whose lists of numbers, bytes and tensors lie in the bytes. */
export function viewUser(bytes: ByteInput, options?: ReadOptions): UserView {
  const r = openMessage(bytes, options, 'bigint')
  try {
    const value = borrowUser(r)
    checkEnd(r, 'value')
    return value
  } catch (error) {
    throw inMessage(error, r)
  }
}

function readUser(r: ByteReader): User {
  let field = 'id'
  try {
    const at = take(r, 8, 'u64')
    const id = r.view.getBigUint64(at, true)
    field = 'name'
    const name = readString(r)
    field = ''
    const at2 = takeRun(r, 5, userRun)
    field = 'active'
    const active = flagAt(r, at2, 'bool')
    const score = r.view.getFloat32(at2 + 1, true)
    field = 'level'
    const level = readFlag(r, 'option tag') ? r.view.getUint8(take(r, 1, 'u8')) : undefined
    field = 'email'
    const email = readFlag(r, 'option tag') ? readString(r) : undefined
    field = 'manager'
    const manager = readFlag(r, 'option tag') ? readPerson(r) : undefined
    field = 'friends'
    const friends = readFlag(r, 'option tag') ? readPersonList(r) : undefined
    field = 'tags'
    const tags = readStringDict(r)
    field = 'address'
    const address = readUserAddress(r)
    field = 'picture'
    const picture = readFlag(r, 'option tag') ? readBytes(r) : undefined
    field = 'vector'
    const vector = readFlag(r, 'option tag') ? f32List.read(r) : undefined
    field = 'flags'
    const flags = readFlag(r, 'option tag') ? readBoolList(r) : undefined
    return { id, name, active, score, level, email, manager, friends, tags, address, picture, vector, flags }
  } catch (error) {
    throw inField(error, field)
  }
}

function borrowUser(r: ByteReader): UserView {
  let field = 'id'
  try {
    const at = take(r, 8, 'u64')
    const id = r.view.getBigUint64(at, true)
    field = 'name'
    const name = readString(r)
    field = ''
    const at2 = takeRun(r, 5, userRun)
    field = 'active'
    const active = flagAt(r, at2, 'bool')
    const score = r.view.getFloat32(at2 + 1, true)
    field = 'level'
    const level = readFlag(r, 'option tag') ? r.view.getUint8(take(r, 1, 'u8')) : undefined
    field = 'email'
    const email = readFlag(r, 'option tag') ? readString(r) : undefined
    field = 'manager'
    const manager = readFlag(r, 'option tag') ? readPerson(r) : undefined
    field = 'friends'
    const friends = readFlag(r, 'option tag') ? readPersonList(r) : undefined
    field = 'tags'
    const tags = readStringDict(r)
    field = 'address'
    const address = readUserAddress(r)
    field = 'picture'
    const picture = readFlag(r, 'option tag') ? viewBytes(r) : undefined
    field = 'vector'
    const vector = readFlag(r, 'option tag') ? f32List.view(r) : undefined
    field = 'flags'
    const flags = readFlag(r, 'option tag') ? readBoolList(r) : undefined
    return { id, name, active, score, level, email, manager, friends, tags, address, picture, vector, flags }
  } catch (error) {
    throw inField(error, field)
  }
}

function readPerson(r: ByteReader): Person {
  let field = 'id'
  try {
    const at = take(r, 8, 'u64')
    const id = r.view.getBigUint64(at, true)
    field = 'note'
    const note = readFlag(r, 'option tag') ? readString(r) : undefined
    return { id, note }
  } catch (error) {
    throw inField(error, field)
  }
}

function readPersonList(r: ByteReader): Person[] {
  const list = takeList<Person>(r, 9)
  const count = list.length
  let i = 0
  try {
    for (; i < count; i++) list[i] = readPerson(r)
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

function readUserAddress(r: ByteReader): UserAddress {
  let field = 'street'
  try {
    const street = readString(r)
    field = 'city'
    const city = readString(r)
    field = 'zip'
    const zip = readFlag(r, 'option tag') ? readString(r) : undefined
    return { street, city, zip }
  } catch (error) {
    throw inField(error, field)
  }
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

function writeUser(w: ByteWriter, value: UserInput): void {
  const inherited =
    'id' in objectPrototype ||
    'name' in objectPrototype ||
    'active' in objectPrototype ||
    'score' in objectPrototype ||
    'level' in objectPrototype ||
    'email' in objectPrototype ||
    'manager' in objectPrototype ||
    'friends' in objectPrototype ||
    'tags' in objectPrototype ||
    'address' in objectPrototype ||
    'picture' in objectPrototype ||
    'vector' in objectPrototype ||
    'flags' in objectPrototype
  const own = ownFields(value, userFields, inherited)
  let field = 'id'
  try {
    const at = grant(w, 8)
    w.view.setBigUint64(at, checkU64(own.id), true)
    field = 'name'
    writeString(w, own.name)
    field = 'active'
    const at2 = grant(w, 5)
    w.bytes[at2] = checkBool(own.active)
    field = 'score'
    w.view.setFloat32(at2 + 1, checkF32(own.score), true)
    field = 'level'
    const level = own.level
    if (writeTag(w, level)) {
      const at3 = grant(w, 1)
      w.view.setUint8(at3, checkU8(level))
    }
    field = 'email'
    const email = own.email
    if (writeTag(w, email)) writeString(w, email)
    field = 'manager'
    const manager = own.manager
    if (writeTag(w, manager)) writePerson(w, manager)
    field = 'friends'
    const friends = own.friends
    if (writeTag(w, friends)) writePersonList(w, friends)
    field = 'tags'
    writeStringDict(w, own.tags)
    field = 'address'
    writeUserAddress(w, own.address)
    field = 'picture'
    const picture = own.picture
    if (writeTag(w, picture)) writeBytes(w, picture)
    field = 'vector'
    const vector = own.vector
    if (writeTag(w, vector)) writeF32List(w, vector)
    field = 'flags'
    const flags = own.flags
    if (writeTag(w, flags)) writeBoolList(w, flags)
  } catch (error) {
    throw inField(error, field)
  }
}

function writePerson(w: ByteWriter, value: PersonInput): void {
  const inherited = 'id' in objectPrototype || 'note' in objectPrototype
  const own = ownFields(value, personFields, inherited)
  let field = 'id'
  try {
    const at = grant(w, 8)
    w.view.setBigUint64(at, checkU64(own.id), true)
    field = 'note'
    const note = own.note
    if (writeTag(w, note)) writeString(w, note)
  } catch (error) {
    throw inField(error, field)
  }
}

function writePersonList(w: ByteWriter, value: readonly PersonInput[]): void {
  const count = writeListCount(w, value)
  let i = 0
  try {
    for (; i < count; i++) writePerson(w, value[i]!)
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

function writeUserAddress(w: ByteWriter, value: UserAddressInput): void {
  const inherited = 'street' in objectPrototype || 'city' in objectPrototype || 'zip' in objectPrototype
  const own = ownFields(value, userAddressFields, inherited)
  let field = 'street'
  try {
    writeString(w, own.street)
    field = 'city'
    writeString(w, own.city)
    field = 'zip'
    const zip = own.zip
    if (writeTag(w, zip)) writeString(w, zip)
  } catch (error) {
    throw inField(error, field)
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
