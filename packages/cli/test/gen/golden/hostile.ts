// Written by kiln gen from 'hostile.schema.json'. Change that and run kiln gen again, not this file.
import type {
  ByteInput,
  ByteReader,
  ByteWriter,
  DictInput,
  MessageWriter,
  OwnBytes,
  ReadOptions,
} from 'kiln-format/runtime'
import {
  checkBool,
  checkEnd,
  checkEntries,
  checkEntry,
  checkI32,
  checkU8,
  encodeIntoWith,
  encodePartsWith,
  encodeWith,
  encodedSizeWith,
  entriesOf,
  grant,
  inEntry,
  inField,
  inKey,
  inMessage,
  keyTwice,
  objectPrototype,
  openMessage,
  ownFields,
  readFlag,
  readString,
  take,
  takeEntries,
  writeEntryCount,
  writeString,
  writeTag,
} from 'kiln-format/runtime'

/** The schema of {@link ObjectType}, as Kiln writes schemas. */
export const objectTypeText =
  "struct{class:string,default:option<i32>,await:option<bool>,arguments:option<bool>,eval:option<bool>,yield:option<bool>,let:option<bool>,static:option<bool>,constructor:string,hasOwnProperty:option<string>,toString:option<string>,undefined:option<string>,Map:option<dict<string,string>>,it's:string,\"both'\\:string,$(p):option<string>,`p`:option<string>,*/:string,//:option<string>,a-b:option<string>,a_b:option<string>,a.b:option<string>,1:option<string>,1st:option<string>,r:option<string>,w:option<string>,at:option<u8>,at2:option<u8>,field:option<string>,error:option<string>,own:option<string>,value:option<string>,readString:option<string>,objectTypeFields:option<string>,promise:option<struct{then:option<string>,}>,a:option<struct{a:option<string>,}>,b:option<struct{b:option<string>,}>,c:option<struct{c:option<string>,}>,d:option<struct{d:option<string>,}>,e:option<struct{e:option<string>,}>,f:option<struct{f:option<string>,}>,g:option<struct{g:option<string>,}>,h:option<struct{h:option<string>,}>,}"

/** The hash of that schema, as frames carry it. */
export const objectTypeHash = 0x464c4778cd3dfab5n

/**
 * Object
 *
 * *\/ export const p = 1 /*
 * \@ts-nocheck
 * nextU+202Eleft ${p} `p` \u0041U+D800 // <script>
 * /// <reference path="x" />
 * \@deprecated not really
 * * \@ts-ignore
 */
export interface ObjectType {
  /** *\/ }; throw 1 /* */
  class: string
  default: number | undefined
  await: boolean | undefined
  arguments: boolean | undefined
  eval: boolean | undefined
  yield: boolean | undefined
  let: boolean | undefined
  static: boolean | undefined
  constructor: string
  hasOwnProperty: string | undefined
  toString: string | undefined
  undefined: string | undefined
  Map: Map<string, string> | undefined
  "it's": string
  '"both\'\\': string
  '$(p)': string | undefined
  '`p`': string | undefined
  '*/': string
  '//': string | undefined
  'a-b': string | undefined
  a_b: string | undefined
  'a.b': string | undefined
  '1': string | undefined
  '1st': string | undefined
  r: string | undefined
  w: string | undefined
  at: number | undefined
  at2: number | undefined
  field: string | undefined
  error: string | undefined
  own: string | undefined
  value: string | undefined
  readString: string | undefined
  objectTypeFields: string | undefined
  promise: PromiseType | undefined
  a: UnitCell | undefined
  b: UnitCell2 | undefined
  c: UnitCell3 | undefined
  d: UnitCell4 | undefined
  e: Type7up | undefined
  f: Directory2 | undefined
  g: ObjectTypeG | undefined
  h: Größe | undefined
}

/** As {@link ObjectType}: nothing in it can be borrowed. */
export type ObjectTypeView = ObjectType

/** {@link ObjectType} as it is taken for encoding. */
export interface ObjectTypeInput {
  /** *\/ }; throw 1 /* */
  readonly class: string
  readonly default?: number | undefined
  readonly await?: boolean | undefined
  readonly arguments?: boolean | undefined
  readonly eval?: boolean | undefined
  readonly yield?: boolean | undefined
  readonly let?: boolean | undefined
  readonly static?: boolean | undefined
  readonly constructor: string
  readonly hasOwnProperty?: string | undefined
  readonly toString?: string | undefined
  readonly undefined?: string | undefined
  readonly Map?: DictInput<string> | undefined
  readonly "it's": string
  readonly '"both\'\\': string
  readonly '$(p)'?: string | undefined
  readonly '`p`'?: string | undefined
  readonly '*/': string
  readonly '//'?: string | undefined
  readonly 'a-b'?: string | undefined
  readonly a_b?: string | undefined
  readonly 'a.b'?: string | undefined
  readonly '1'?: string | undefined
  readonly '1st'?: string | undefined
  readonly r?: string | undefined
  readonly w?: string | undefined
  readonly at?: number | undefined
  readonly at2?: number | undefined
  readonly field?: string | undefined
  readonly error?: string | undefined
  readonly own?: string | undefined
  readonly value?: string | undefined
  readonly readString?: string | undefined
  readonly objectTypeFields?: string | undefined
  readonly promise?: PromiseTypeInput | undefined
  readonly a?: UnitCellInput | undefined
  readonly b?: UnitCell2Input | undefined
  readonly c?: UnitCell3Input | undefined
  readonly d?: UnitCell4Input | undefined
  readonly e?: Type7upInput | undefined
  readonly f?: Directory2Input | undefined
  readonly g?: ObjectTypeGInput | undefined
  readonly h?: GrößeInput | undefined
}

export interface PromiseType {
  then: string | undefined
}

/** {@link PromiseType} as it is taken for encoding. */
export interface PromiseTypeInput {
  readonly then?: string | undefined
}

export interface UnitCell {
  a: string | undefined
}

/** {@link UnitCell} as it is taken for encoding. */
export interface UnitCellInput {
  readonly a?: string | undefined
}

export interface UnitCell2 {
  b: string | undefined
}

/** {@link UnitCell2} as it is taken for encoding. */
export interface UnitCell2Input {
  readonly b?: string | undefined
}

export interface UnitCell3 {
  c: string | undefined
}

/** {@link UnitCell3} as it is taken for encoding. */
export interface UnitCell3Input {
  readonly c?: string | undefined
}

export interface UnitCell4 {
  d: string | undefined
}

/** {@link UnitCell4} as it is taken for encoding. */
export interface UnitCell4Input {
  readonly d?: string | undefined
}

export interface Type7up {
  e: string | undefined
}

/** {@link Type7up} as it is taken for encoding. */
export interface Type7upInput {
  readonly e?: string | undefined
}

export interface Directory2 {
  f: string | undefined
}

/** {@link Directory2} as it is taken for encoding. */
export interface Directory2Input {
  readonly f?: string | undefined
}

export interface ObjectTypeG {
  g: string | undefined
}

/** {@link ObjectTypeG} as it is taken for encoding. */
export interface ObjectTypeGInput {
  readonly g?: string | undefined
}

export interface Größe {
  h: string | undefined
}

/** {@link Größe} as it is taken for encoding. */
export interface GrößeInput {
  readonly h?: string | undefined
}

const objectTypeFields = [
  'class',
  'default',
  'await',
  'arguments',
  'eval',
  'yield',
  'let',
  'static',
  'constructor',
  'hasOwnProperty',
  'toString',
  'undefined',
  'Map',
  "it's",
  '"both\'\\',
  '$(p)',
  '`p`',
  '*/',
  '//',
  'a-b',
  'a_b',
  'a.b',
  '1',
  '1st',
  'r',
  'w',
  'at',
  'at2',
  'field',
  'error',
  'own',
  'value',
  'readString',
  'objectTypeFields',
  'promise',
  'a',
  'b',
  'c',
  'd',
  'e',
  'f',
  'g',
  'h',
]
const promiseTypeFields = ['then']
const unitCellFields = ['a']
const unitCell2Fields = ['b']
const unitCell3Fields = ['c']
const unitCell4Fields = ['d']
const type7upFields = ['e']
const directory2Fields = ['f']
const objectTypeGFields = ['g']
const größeFields = ['h']

/** Writes a value into bytes of its own, of exactly its size. */
export function encodeObjectType(value: ObjectTypeInput): OwnBytes {
  return encodeWith(writeObjectType, value)
}

/** Writes a value to the front of a target, and returns how many bytes it took. */
export function encodeObjectTypeInto(value: ObjectTypeInput, target: ByteInput): number {
  return encodeIntoWith(writeObjectType, value, target)
}

/** Writes a value as slices in order; large arrays are not copied. */
export function encodeObjectTypeParts(value: ObjectTypeInput): Uint8Array[] {
  return encodePartsWith(writeObjectType, value)
}

/** Writes a value into a writer's memory; the bytes hold until its next call. */
export function encodeObjectTypeWith(writer: MessageWriter, value: ObjectTypeInput): Uint8Array {
  return writer.encodeBy(writeObjectType, value)
}

/** Bytes that a value takes. */
export function encodedSizeObjectType(value: ObjectTypeInput): number {
  return encodedSizeWith(writeObjectType, value)
}

/** Reads a value that shares nothing with the bytes, but payloads of tensors. */
export function decodeObjectType(bytes: ByteInput, options?: ReadOptions): ObjectType {
  const r = openMessage(bytes, options, 'bigint')
  try {
    const value = readObjectType(r)
    checkEnd(r, 'value')
    return value
  } catch (error) {
    throw inMessage(error, r)
  }
}

/** Reads a value whose lists of numbers, bytes and tensors lie in the bytes. */
export function viewObjectType(bytes: ByteInput, options?: ReadOptions): ObjectTypeView {
  const r = openMessage(bytes, options, 'bigint')
  try {
    const value = readObjectType(r)
    checkEnd(r, 'value')
    return value
  } catch (error) {
    throw inMessage(error, r)
  }
}

function readObjectType(r: ByteReader): ObjectType {
  let field = 'class'
  try {
    const classValue = readString(r)
    field = 'default'
    const defaultValue = readFlag(r, 'option tag') ? r.view.getInt32(take(r, 4, 'i32'), true) : undefined
    field = 'await'
    const awaitValue = readFlag(r, 'option tag') ? readFlag(r, 'bool') : undefined
    field = 'arguments'
    const argumentsValue = readFlag(r, 'option tag') ? readFlag(r, 'bool') : undefined
    field = 'eval'
    const evalValue = readFlag(r, 'option tag') ? readFlag(r, 'bool') : undefined
    field = 'yield'
    const yieldValue = readFlag(r, 'option tag') ? readFlag(r, 'bool') : undefined
    field = 'let'
    const letValue = readFlag(r, 'option tag') ? readFlag(r, 'bool') : undefined
    field = 'static'
    const staticValue = readFlag(r, 'option tag') ? readFlag(r, 'bool') : undefined
    field = 'constructor'
    const constructorValue = readString(r)
    field = 'hasOwnProperty'
    const hasOwnProperty = readFlag(r, 'option tag') ? readString(r) : undefined
    field = 'toString'
    const toString = readFlag(r, 'option tag') ? readString(r) : undefined
    field = 'undefined'
    const undefinedValue = readFlag(r, 'option tag') ? readString(r) : undefined
    field = 'Map'
    const Map = readFlag(r, 'option tag') ? readStringDict(r) : undefined
    field = "it's"
    const itS = readString(r)
    field = '"both\'\\'
    const both = readString(r)
    field = '$(p)'
    const p = readFlag(r, 'option tag') ? readString(r) : undefined
    field = '`p`'
    const pValue = readFlag(r, 'option tag') ? readString(r) : undefined
    field = '*/'
    const fieldValue = readString(r)
    field = '//'
    const fieldValue2 = readFlag(r, 'option tag') ? readString(r) : undefined
    field = 'a-b'
    const ab = readFlag(r, 'option tag') ? readString(r) : undefined
    field = 'a_b'
    const a_b = readFlag(r, 'option tag') ? readString(r) : undefined
    field = 'a.b'
    const abValue = readFlag(r, 'option tag') ? readString(r) : undefined
    field = '1'
    const type1 = readFlag(r, 'option tag') ? readString(r) : undefined
    field = '1st'
    const type1st = readFlag(r, 'option tag') ? readString(r) : undefined
    field = 'r'
    const rValue = readFlag(r, 'option tag') ? readString(r) : undefined
    field = 'w'
    const w = readFlag(r, 'option tag') ? readString(r) : undefined
    field = 'at'
    const at = readFlag(r, 'option tag') ? r.view.getUint8(take(r, 1, 'u8')) : undefined
    field = 'at2'
    const at2 = readFlag(r, 'option tag') ? r.view.getUint8(take(r, 1, 'u8')) : undefined
    field = 'field'
    const fieldValue3 = readFlag(r, 'option tag') ? readString(r) : undefined
    field = 'error'
    const errorValue = readFlag(r, 'option tag') ? readString(r) : undefined
    field = 'own'
    const own = readFlag(r, 'option tag') ? readString(r) : undefined
    field = 'value'
    const value = readFlag(r, 'option tag') ? readString(r) : undefined
    field = 'readString'
    const readStringValue = readFlag(r, 'option tag') ? readString(r) : undefined
    field = 'objectTypeFields'
    const objectTypeFieldsValue = readFlag(r, 'option tag') ? readString(r) : undefined
    field = 'promise'
    const promise = readFlag(r, 'option tag') ? readPromiseType(r) : undefined
    field = 'a'
    const a = readFlag(r, 'option tag') ? readUnitCell(r) : undefined
    field = 'b'
    const b = readFlag(r, 'option tag') ? readUnitCell2(r) : undefined
    field = 'c'
    const c = readFlag(r, 'option tag') ? readUnitCell3(r) : undefined
    field = 'd'
    const d = readFlag(r, 'option tag') ? readUnitCell4(r) : undefined
    field = 'e'
    const e = readFlag(r, 'option tag') ? readType7up(r) : undefined
    field = 'f'
    const f = readFlag(r, 'option tag') ? readDirectory2(r) : undefined
    field = 'g'
    const g = readFlag(r, 'option tag') ? readObjectTypeG(r) : undefined
    field = 'h'
    const h = readFlag(r, 'option tag') ? readGröße(r) : undefined
    return {
      class: classValue,
      default: defaultValue,
      await: awaitValue,
      arguments: argumentsValue,
      eval: evalValue,
      yield: yieldValue,
      let: letValue,
      static: staticValue,
      constructor: constructorValue,
      hasOwnProperty,
      toString,
      undefined: undefinedValue,
      Map,
      "it's": itS,
      '"both\'\\': both,
      '$(p)': p,
      '`p`': pValue,
      '*/': fieldValue,
      '//': fieldValue2,
      'a-b': ab,
      a_b,
      'a.b': abValue,
      '1': type1,
      '1st': type1st,
      r: rValue,
      w,
      at,
      at2,
      field: fieldValue3,
      error: errorValue,
      own,
      value,
      readString: readStringValue,
      objectTypeFields: objectTypeFieldsValue,
      promise,
      a,
      b,
      c,
      d,
      e,
      f,
      g,
      h,
    }
  } catch (error) {
    throw inField(error, field)
  }
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

function readPromiseType(r: ByteReader): PromiseType {
  const field = 'then'
  try {
    const then = readFlag(r, 'option tag') ? readString(r) : undefined
    return { then }
  } catch (error) {
    throw inField(error, field)
  }
}

function readUnitCell(r: ByteReader): UnitCell {
  const field = 'a'
  try {
    const a = readFlag(r, 'option tag') ? readString(r) : undefined
    return { a }
  } catch (error) {
    throw inField(error, field)
  }
}

function readUnitCell2(r: ByteReader): UnitCell2 {
  const field = 'b'
  try {
    const b = readFlag(r, 'option tag') ? readString(r) : undefined
    return { b }
  } catch (error) {
    throw inField(error, field)
  }
}

function readUnitCell3(r: ByteReader): UnitCell3 {
  const field = 'c'
  try {
    const c = readFlag(r, 'option tag') ? readString(r) : undefined
    return { c }
  } catch (error) {
    throw inField(error, field)
  }
}

function readUnitCell4(r: ByteReader): UnitCell4 {
  const field = 'd'
  try {
    const d = readFlag(r, 'option tag') ? readString(r) : undefined
    return { d }
  } catch (error) {
    throw inField(error, field)
  }
}

function readType7up(r: ByteReader): Type7up {
  const field = 'e'
  try {
    const e = readFlag(r, 'option tag') ? readString(r) : undefined
    return { e }
  } catch (error) {
    throw inField(error, field)
  }
}

function readDirectory2(r: ByteReader): Directory2 {
  const field = 'f'
  try {
    const f = readFlag(r, 'option tag') ? readString(r) : undefined
    return { f }
  } catch (error) {
    throw inField(error, field)
  }
}

function readObjectTypeG(r: ByteReader): ObjectTypeG {
  const field = 'g'
  try {
    const g = readFlag(r, 'option tag') ? readString(r) : undefined
    return { g }
  } catch (error) {
    throw inField(error, field)
  }
}

function readGröße(r: ByteReader): Größe {
  const field = 'h'
  try {
    const h = readFlag(r, 'option tag') ? readString(r) : undefined
    return { h }
  } catch (error) {
    throw inField(error, field)
  }
}

function writeObjectType(w: ByteWriter, value: ObjectTypeInput): void {
  const inherited =
    'class' in objectPrototype ||
    'default' in objectPrototype ||
    'await' in objectPrototype ||
    'arguments' in objectPrototype ||
    'eval' in objectPrototype ||
    'yield' in objectPrototype ||
    'let' in objectPrototype ||
    'static' in objectPrototype ||
    'constructor' in objectPrototype ||
    'hasOwnProperty' in objectPrototype ||
    'toString' in objectPrototype ||
    'undefined' in objectPrototype ||
    'Map' in objectPrototype ||
    "it's" in objectPrototype ||
    '"both\'\\' in objectPrototype ||
    '$(p)' in objectPrototype ||
    '`p`' in objectPrototype ||
    '*/' in objectPrototype ||
    '//' in objectPrototype ||
    'a-b' in objectPrototype ||
    'a_b' in objectPrototype ||
    'a.b' in objectPrototype ||
    '1' in objectPrototype ||
    '1st' in objectPrototype ||
    'r' in objectPrototype ||
    'w' in objectPrototype ||
    'at' in objectPrototype ||
    'at2' in objectPrototype ||
    'field' in objectPrototype ||
    'error' in objectPrototype ||
    'own' in objectPrototype ||
    'value' in objectPrototype ||
    'readString' in objectPrototype ||
    'objectTypeFields' in objectPrototype ||
    'promise' in objectPrototype ||
    'a' in objectPrototype ||
    'b' in objectPrototype ||
    'c' in objectPrototype ||
    'd' in objectPrototype ||
    'e' in objectPrototype ||
    'f' in objectPrototype ||
    'g' in objectPrototype ||
    'h' in objectPrototype
  const own = ownFields(value, objectTypeFields, inherited)
  let field = 'class'
  try {
    writeString(w, own.class)
    field = 'default'
    const defaultValue = own.default
    if (writeTag(w, defaultValue)) {
      const at = grant(w, 4)
      w.view.setInt32(at, checkI32(defaultValue), true)
    }
    field = 'await'
    const awaitValue = own.await
    if (writeTag(w, awaitValue)) {
      const at2 = grant(w, 1)
      w.bytes[at2] = checkBool(awaitValue)
    }
    field = 'arguments'
    const argumentsValue = own.arguments
    if (writeTag(w, argumentsValue)) {
      const at3 = grant(w, 1)
      w.bytes[at3] = checkBool(argumentsValue)
    }
    field = 'eval'
    const evalValue = own.eval
    if (writeTag(w, evalValue)) {
      const at4 = grant(w, 1)
      w.bytes[at4] = checkBool(evalValue)
    }
    field = 'yield'
    const yieldValue = own.yield
    if (writeTag(w, yieldValue)) {
      const at5 = grant(w, 1)
      w.bytes[at5] = checkBool(yieldValue)
    }
    field = 'let'
    const letValue = own.let
    if (writeTag(w, letValue)) {
      const at6 = grant(w, 1)
      w.bytes[at6] = checkBool(letValue)
    }
    field = 'static'
    const staticValue = own.static
    if (writeTag(w, staticValue)) {
      const at7 = grant(w, 1)
      w.bytes[at7] = checkBool(staticValue)
    }
    field = 'constructor'
    writeString(w, own.constructor)
    field = 'hasOwnProperty'
    const hasOwnProperty = own.hasOwnProperty
    if (writeTag(w, hasOwnProperty)) writeString(w, hasOwnProperty)
    field = 'toString'
    const toString = own.toString
    if (writeTag(w, toString)) writeString(w, toString)
    field = 'undefined'
    const undefinedValue = own.undefined
    if (writeTag(w, undefinedValue)) writeString(w, undefinedValue)
    field = 'Map'
    const Map = own.Map
    if (writeTag(w, Map)) writeStringDict(w, Map)
    field = "it's"
    writeString(w, own["it's"])
    field = '"both\'\\'
    writeString(w, own['"both\'\\'])
    field = '$(p)'
    const p = own['$(p)']
    if (writeTag(w, p)) writeString(w, p)
    field = '`p`'
    const pValue = own['`p`']
    if (writeTag(w, pValue)) writeString(w, pValue)
    field = '*/'
    writeString(w, own['*/'])
    field = '//'
    const fieldValue = own['//']
    if (writeTag(w, fieldValue)) writeString(w, fieldValue)
    field = 'a-b'
    const ab = own['a-b']
    if (writeTag(w, ab)) writeString(w, ab)
    field = 'a_b'
    const a_b = own.a_b
    if (writeTag(w, a_b)) writeString(w, a_b)
    field = 'a.b'
    const abValue = own['a.b']
    if (writeTag(w, abValue)) writeString(w, abValue)
    field = '1'
    const type1 = own['1']
    if (writeTag(w, type1)) writeString(w, type1)
    field = '1st'
    const type1st = own['1st']
    if (writeTag(w, type1st)) writeString(w, type1st)
    field = 'r'
    const r = own.r
    if (writeTag(w, r)) writeString(w, r)
    field = 'w'
    const wValue = own.w
    if (writeTag(w, wValue)) writeString(w, wValue)
    field = 'at'
    const atValue = own.at
    if (writeTag(w, atValue)) {
      const at8 = grant(w, 1)
      w.view.setUint8(at8, checkU8(atValue))
    }
    field = 'at2'
    const at2Value = own.at2
    if (writeTag(w, at2Value)) {
      const at9 = grant(w, 1)
      w.view.setUint8(at9, checkU8(at2Value))
    }
    field = 'field'
    const fieldValue2 = own.field
    if (writeTag(w, fieldValue2)) writeString(w, fieldValue2)
    field = 'error'
    const errorValue = own.error
    if (writeTag(w, errorValue)) writeString(w, errorValue)
    field = 'own'
    const ownValue = own.own
    if (writeTag(w, ownValue)) writeString(w, ownValue)
    field = 'value'
    const valueValue = own.value
    if (writeTag(w, valueValue)) writeString(w, valueValue)
    field = 'readString'
    const readStringValue = own.readString
    if (writeTag(w, readStringValue)) writeString(w, readStringValue)
    field = 'objectTypeFields'
    const objectTypeFieldsValue = own.objectTypeFields
    if (writeTag(w, objectTypeFieldsValue)) writeString(w, objectTypeFieldsValue)
    field = 'promise'
    const promise = own.promise
    if (writeTag(w, promise)) writePromiseType(w, promise)
    field = 'a'
    const a = own.a
    if (writeTag(w, a)) writeUnitCell(w, a)
    field = 'b'
    const b = own.b
    if (writeTag(w, b)) writeUnitCell2(w, b)
    field = 'c'
    const c = own.c
    if (writeTag(w, c)) writeUnitCell3(w, c)
    field = 'd'
    const d = own.d
    if (writeTag(w, d)) writeUnitCell4(w, d)
    field = 'e'
    const e = own.e
    if (writeTag(w, e)) writeType7up(w, e)
    field = 'f'
    const f = own.f
    if (writeTag(w, f)) writeDirectory2(w, f)
    field = 'g'
    const g = own.g
    if (writeTag(w, g)) writeObjectTypeG(w, g)
    field = 'h'
    const h = own.h
    if (writeTag(w, h)) writeGröße(w, h)
  } catch (error) {
    throw inField(error, field)
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

function writePromiseType(w: ByteWriter, value: PromiseTypeInput): void {
  const inherited = 'then' in objectPrototype
  const own = ownFields(value, promiseTypeFields, inherited)
  const field = 'then'
  try {
    const then = own.then
    if (writeTag(w, then)) writeString(w, then)
  } catch (error) {
    throw inField(error, field)
  }
}

function writeUnitCell(w: ByteWriter, value: UnitCellInput): void {
  const inherited = 'a' in objectPrototype
  const own = ownFields(value, unitCellFields, inherited)
  const field = 'a'
  try {
    const a = own.a
    if (writeTag(w, a)) writeString(w, a)
  } catch (error) {
    throw inField(error, field)
  }
}

function writeUnitCell2(w: ByteWriter, value: UnitCell2Input): void {
  const inherited = 'b' in objectPrototype
  const own = ownFields(value, unitCell2Fields, inherited)
  const field = 'b'
  try {
    const b = own.b
    if (writeTag(w, b)) writeString(w, b)
  } catch (error) {
    throw inField(error, field)
  }
}

function writeUnitCell3(w: ByteWriter, value: UnitCell3Input): void {
  const inherited = 'c' in objectPrototype
  const own = ownFields(value, unitCell3Fields, inherited)
  const field = 'c'
  try {
    const c = own.c
    if (writeTag(w, c)) writeString(w, c)
  } catch (error) {
    throw inField(error, field)
  }
}

function writeUnitCell4(w: ByteWriter, value: UnitCell4Input): void {
  const inherited = 'd' in objectPrototype
  const own = ownFields(value, unitCell4Fields, inherited)
  const field = 'd'
  try {
    const d = own.d
    if (writeTag(w, d)) writeString(w, d)
  } catch (error) {
    throw inField(error, field)
  }
}

function writeType7up(w: ByteWriter, value: Type7upInput): void {
  const inherited = 'e' in objectPrototype
  const own = ownFields(value, type7upFields, inherited)
  const field = 'e'
  try {
    const e = own.e
    if (writeTag(w, e)) writeString(w, e)
  } catch (error) {
    throw inField(error, field)
  }
}

function writeDirectory2(w: ByteWriter, value: Directory2Input): void {
  const inherited = 'f' in objectPrototype
  const own = ownFields(value, directory2Fields, inherited)
  const field = 'f'
  try {
    const f = own.f
    if (writeTag(w, f)) writeString(w, f)
  } catch (error) {
    throw inField(error, field)
  }
}

function writeObjectTypeG(w: ByteWriter, value: ObjectTypeGInput): void {
  const inherited = 'g' in objectPrototype
  const own = ownFields(value, objectTypeGFields, inherited)
  const field = 'g'
  try {
    const g = own.g
    if (writeTag(w, g)) writeString(w, g)
  } catch (error) {
    throw inField(error, field)
  }
}

function writeGröße(w: ByteWriter, value: GrößeInput): void {
  const inherited = 'h' in objectPrototype
  const own = ownFields(value, größeFields, inherited)
  const field = 'h'
  try {
    const h = own.h
    if (writeTag(w, h)) writeString(w, h)
  } catch (error) {
    throw inField(error, field)
  }
}
