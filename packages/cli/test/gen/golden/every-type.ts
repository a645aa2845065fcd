// Written by kiln gen from 'every-type.kiln'. Change that and run kiln gen again, not this file.
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
  addKey,
  checkBf16,
  checkBool,
  checkEnd,
  checkEntries,
  checkEntry,
  checkF16,
  checkF32,
  checkF64,
  checkI16,
  checkI32,
  checkI64,
  checkI8,
  checkLength,
  checkU16,
  checkU32,
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
  placeWith,
  readBytes,
  readFlag,
  readString,
  readTensors,
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

/** The schema of {@link EveryType}, as Kiln writes schemas. */
export const everyTypeText =
  'struct{a:bool,b:i8,c:u8,d:i16,e:u16,f:i32,g:u32,h:i64,i:u64,j:f16,k:bf16,l:f32,m:f64,n:string,o:bytes,p:tensors,q:list<bool>,r:list<i8>,s:list<u8>,t:list<i16>,u:list<u16>,v:list<i32>,w:list<u32>,x:list<i64>,y:list<u64>,z:list<f16>,A:list<bf16>,B:list<f32>,C:list<f64>,D:list<string>,E:list<bytes>,F:list<tensors>,G:list<list<u8>>,H:list<dict<string,f32>>,I:list<option<f64>>,J:list<struct{a:u8,}>,K:dict<bool,string>,L:dict<i8,u8>,M:dict<u64,bytes>,N:dict<string,list<i64>>,O:dict<i64,struct{a:u8,}>,P:option<bool>,Q:option<i64>,R:option<string>,S:option<bytes>,T:option<list<f32>>,U:option<struct{b:option<i8>,}>,V:option<tensors>,W:option<dict<u32,option<u16>>>,}'

/** The hash of that schema, as frames carry it. */
export const everyTypeHash = 0xa7877306e411145fn

export interface EveryType {
  a: boolean
  b: number
  c: number
  d: number
  e: number
  f: number
  g: number
  h: bigint
  i: bigint
  /** The 16 bits of the f16 as an integer; kiln-format/numeric converts them. */
  j: number
  /** The 16 bits of the bf16 as an integer; kiln-format/numeric converts them. */
  k: number
  l: number
  m: number
  n: string
  o: OwnBytes
  p: Directory
  q: boolean[]
  r: OwnArrays['i8']
  s: OwnArrays['u8']
  t: OwnArrays['i16']
  u: OwnArrays['u16']
  v: OwnArrays['i32']
  w: OwnArrays['u32']
  x: OwnArrays['i64']
  y: OwnArrays['u64']
  z: OwnArrays['f16']
  A: OwnArrays['bf16']
  B: OwnArrays['f32']
  C: OwnArrays['f64']
  D: string[]
  E: OwnBytes[]
  F: Directory[]
  G: OwnArrays['u8'][]
  H: Map<string, number>[]
  I: (number | undefined)[]
  J: EveryTypeJItem[]
  K: Map<boolean, string>
  L: Map<number, number>
  M: Map<bigint, OwnBytes>
  N: Map<string, OwnArrays['i64']>
  O: Map<bigint, EveryTypeJItem>
  P: boolean | undefined
  Q: bigint | undefined
  R: string | undefined
  S: OwnBytes | undefined
  T: OwnArrays['f32'] | undefined
  U: EveryTypeU | undefined
  V: Directory | undefined
  W: Map<number, number | undefined> | undefined
}

/** {@link EveryType} as it is read without copying: lists of numbers, bytes and tensors lie in the input. */
export interface EveryTypeView {
  a: boolean
  b: number
  c: number
  d: number
  e: number
  f: number
  g: number
  h: bigint
  i: bigint
  /** The 16 bits of the f16 as an integer; kiln-format/numeric converts them. */
  j: number
  /** The 16 bits of the bf16 as an integer; kiln-format/numeric converts them. */
  k: number
  l: number
  m: number
  n: string
  o: Uint8Array
  p: Directory
  q: boolean[]
  r: NumberList<'i8'>
  s: NumberList<'u8'>
  t: NumberList<'i16'>
  u: NumberList<'u16'>
  v: NumberList<'i32'>
  w: NumberList<'u32'>
  x: NumberList<'i64'>
  y: NumberList<'u64'>
  z: NumberList<'f16'>
  A: NumberList<'bf16'>
  B: NumberList<'f32'>
  C: NumberList<'f64'>
  D: string[]
  E: Uint8Array[]
  F: Directory[]
  G: NumberList<'u8'>[]
  H: Map<string, number>[]
  I: (number | undefined)[]
  J: EveryTypeJItem[]
  K: Map<boolean, string>
  L: Map<number, number>
  M: Map<bigint, Uint8Array>
  N: Map<string, NumberList<'i64'>>
  O: Map<bigint, EveryTypeJItem>
  P: boolean | undefined
  Q: bigint | undefined
  R: string | undefined
  S: Uint8Array | undefined
  T: NumberList<'f32'> | undefined
  U: EveryTypeU | undefined
  V: Directory | undefined
  W: Map<number, number | undefined> | undefined
}

/** {@link EveryType} as it is taken for encoding. */
export interface EveryTypeInput {
  readonly a: boolean
  readonly b: number
  readonly c: number
  readonly d: number
  readonly e: number
  readonly f: number
  readonly g: number
  readonly h: bigint | number
  readonly i: bigint | number
  /** The 16 bits of the f16 as an integer; kiln-format/numeric converts them. */
  readonly j: number
  /** The 16 bits of the bf16 as an integer; kiln-format/numeric converts them. */
  readonly k: number
  readonly l: number
  readonly m: number
  readonly n: string
  readonly o: ByteInput
  readonly p: TensorsInput
  readonly q: readonly boolean[]
  readonly r: NumbersInput<'i8'>
  readonly s: NumbersInput<'u8'>
  readonly t: NumbersInput<'i16'>
  readonly u: NumbersInput<'u16'>
  readonly v: NumbersInput<'i32'>
  readonly w: NumbersInput<'u32'>
  readonly x: NumbersInput<'i64'>
  readonly y: NumbersInput<'u64'>
  readonly z: NumbersInput<'f16'>
  readonly A: NumbersInput<'bf16'>
  readonly B: NumbersInput<'f32'>
  readonly C: NumbersInput<'f64'>
  readonly D: readonly string[]
  readonly E: readonly ByteInput[]
  readonly F: readonly TensorsInput[]
  readonly G: readonly NumbersInput<'u8'>[]
  readonly H: readonly DictInput<number>[]
  readonly I: readonly (number | null | undefined)[]
  readonly J: readonly EveryTypeJItem[]
  readonly K: ReadonlyMap<boolean, string>
  readonly L: ReadonlyMap<number, number>
  readonly M: ReadonlyMap<bigint | number, ByteInput>
  readonly N: DictInput<NumbersInput<'i64'>>
  readonly O: ReadonlyMap<bigint | number, EveryTypeJItem>
  readonly P?: boolean | null | undefined
  readonly Q?: bigint | number | null | undefined
  readonly R?: string | null | undefined
  readonly S?: ByteInput | null | undefined
  readonly T?: NumbersInput<'f32'> | null | undefined
  readonly U?: EveryTypeUInput | null | undefined
  readonly V?: TensorsInput | null | undefined
  readonly W?: ReadonlyMap<number, number | null | undefined> | null | undefined
}

export interface EveryTypeJItem {
  a: number
}

export interface EveryTypeU {
  b: number | undefined
}

/** {@link EveryTypeU} as it is taken for encoding. */
export interface EveryTypeUInput {
  readonly b?: number | null | undefined
}

const i8List = /* @__PURE__ */ numbers('i8')
const writeI8List = /* @__PURE__ */ numbersWriter('i8')
const u8List = /* @__PURE__ */ numbers('u8')
const writeU8List = /* @__PURE__ */ numbersWriter('u8')
const i16List = /* @__PURE__ */ numbers('i16')
const writeI16List = /* @__PURE__ */ numbersWriter('i16')
const u16List = /* @__PURE__ */ numbers('u16')
const writeU16List = /* @__PURE__ */ numbersWriter('u16')
const i32List = /* @__PURE__ */ numbers('i32')
const writeI32List = /* @__PURE__ */ numbersWriter('i32')
const u32List = /* @__PURE__ */ numbers('u32')
const writeU32List = /* @__PURE__ */ numbersWriter('u32')
const i64List = /* @__PURE__ */ numbers('i64')
const writeI64List = /* @__PURE__ */ numbersWriter('i64')
const u64List = /* @__PURE__ */ numbers('u64')
const writeU64List = /* @__PURE__ */ numbersWriter('u64')
const f16List = /* @__PURE__ */ numbers('f16')
const writeF16List = /* @__PURE__ */ numbersWriter('f16')
const bf16List = /* @__PURE__ */ numbers('bf16')
const writeBf16List = /* @__PURE__ */ numbersWriter('bf16')
const f32List = /* @__PURE__ */ numbers('f32')
const writeF32List = /* @__PURE__ */ numbersWriter('f32')
const f64List = /* @__PURE__ */ numbers('f64')
const writeF64List = /* @__PURE__ */ numbersWriter('f64')
const everyTypeFields = [
  'a',
  'b',
  'c',
  'd',
  'e',
  'f',
  'g',
  'h',
  'i',
  'j',
  'k',
  'l',
  'm',
  'n',
  'o',
  'p',
  'q',
  'r',
  's',
  't',
  'u',
  'v',
  'w',
  'x',
  'y',
  'z',
  'A',
  'B',
  'C',
  'D',
  'E',
  'F',
  'G',
  'H',
  'I',
  'J',
  'K',
  'L',
  'M',
  'N',
  'O',
  'P',
  'Q',
  'R',
  'S',
  'T',
  'U',
  'V',
  'W',
]
const everyTypeRun: Run = [
  ['a', 'bool'],
  ['b', 'i8'],
  ['c', 'u8'],
  ['d', 'i16'],
  ['e', 'u16'],
  ['f', 'i32'],
  ['g', 'u32'],
  ['h', 'i64'],
  ['i', 'u64'],
  ['j', 'f16'],
  ['k', 'bf16'],
  ['l', 'f32'],
  ['m', 'f64'],
]
const everyTypeJItemFields = ['a']
const everyTypeUFields = ['b']

/** Writes a value into bytes of its own, of exactly its size. */
export function encodeEveryType(value: EveryTypeInput): OwnBytes {
  return encodeWith(writeEveryType, value)
}

/** Writes a value to the front of a target, and returns how many bytes it took. */
export function encodeEveryTypeInto(value: EveryTypeInput, target: ByteInput): number {
  return encodeIntoWith(writeEveryType, value, target)
}

/** Writes a value as slices in order; large arrays are not copied. */
export function encodeEveryTypeParts(value: EveryTypeInput): Uint8Array[] {
  return encodePartsWith(writeEveryType, value)
}

/** Writes a value into a writer's memory; the bytes hold until its next call. */
export function encodeEveryTypeWith(writer: MessageWriter, value: EveryTypeInput): Uint8Array {
  return writer.encodeBy(writeEveryType, value)
}

/** Bytes that a value takes. */
export function encodedSizeEveryType(value: EveryTypeInput): number {
  return encodedSizeWith(writeEveryType, value)
}

/** Reads a value that shares nothing with the bytes, but payloads of tensors. */
export function decodeEveryType(bytes: ByteInput, options?: ReadOptions): EveryType {
  const r = openMessage(bytes, options, 'bigint')
  try {
    const value = readEveryType(r)
    checkEnd(r, 'value')
    return value
  } catch (error) {
    throw inMessage(error, r)
  }
}

/** Reads a value whose lists of numbers, bytes and tensors lie in the bytes. */
export function viewEveryType(bytes: ByteInput, options?: ReadOptions): EveryTypeView {
  const r = openMessage(bytes, options, 'bigint')
  try {
    const value = borrowEveryType(r)
    checkEnd(r, 'value')
    return value
  } catch (error) {
    throw inMessage(error, r)
  }
}

function readEveryType(r: ByteReader): EveryType {
  let field = ''
  try {
    const at = takeRun(r, 47, everyTypeRun)
    field = 'a'
    const a = flagAt(r, at, 'bool')
    const b = r.view.getInt8(at + 1)
    const c = r.view.getUint8(at + 2)
    const d = r.view.getInt16(at + 3, true)
    const e = r.view.getUint16(at + 5, true)
    const f = r.view.getInt32(at + 7, true)
    const g = r.view.getUint32(at + 11, true)
    const h = r.view.getBigInt64(at + 15, true)
    const i = r.view.getBigUint64(at + 23, true)
    const j = r.view.getUint16(at + 31, true)
    const k = r.view.getUint16(at + 33, true)
    const l = r.view.getFloat32(at + 35, true)
    const m = r.view.getFloat64(at + 39, true)
    field = 'n'
    const n = readString(r)
    field = 'o'
    const o = readBytes(r)
    field = 'p'
    const p = readTensors(r)
    field = 'q'
    const q = readBoolList(r)
    field = 'r'
    const rValue = i8List.read(r)
    field = 's'
    const s = u8List.read(r)
    field = 't'
    const t = i16List.read(r)
    field = 'u'
    const u = u16List.read(r)
    field = 'v'
    const v = i32List.read(r)
    field = 'w'
    const w = u32List.read(r)
    field = 'x'
    const x = i64List.read(r)
    field = 'y'
    const y = u64List.read(r)
    field = 'z'
    const z = f16List.read(r)
    field = 'A'
    const A = bf16List.read(r)
    field = 'B'
    const B = f32List.read(r)
    field = 'C'
    const C = f64List.read(r)
    field = 'D'
    const D = readStringList(r)
    field = 'E'
    const E = readBytesList(r)
    field = 'F'
    const F = readTensorsList(r)
    field = 'G'
    const G = readU8ListList(r)
    field = 'H'
    const H = readF32DictList(r)
    field = 'I'
    const I = readOptionalF64List(r)
    field = 'J'
    const J = readEveryTypeJItemList(r)
    field = 'K'
    const K = readStringByBoolDict(r)
    field = 'L'
    const L = readU8ByI8Dict(r)
    field = 'M'
    const M = readBytesByU64Dict(r)
    field = 'N'
    const N = readI64ListDict(r)
    field = 'O'
    const O = readEveryTypeJItemByI64Dict(r)
    field = 'P'
    const P = readFlag(r, 'option tag') ? readFlag(r, 'bool') : undefined
    field = 'Q'
    const Q = readFlag(r, 'option tag') ? r.view.getBigInt64(take(r, 8, 'i64'), true) : undefined
    field = 'R'
    const R = readFlag(r, 'option tag') ? readString(r) : undefined
    field = 'S'
    const S = readFlag(r, 'option tag') ? readBytes(r) : undefined
    field = 'T'
    const T = readFlag(r, 'option tag') ? f32List.read(r) : undefined
    field = 'U'
    const U = readFlag(r, 'option tag') ? readEveryTypeU(r) : undefined
    field = 'V'
    const V = readFlag(r, 'option tag') ? readTensors(r) : undefined
    field = 'W'
    const W = readFlag(r, 'option tag') ? readOptionalU16ByU32Dict(r) : undefined
    return {
      a,
      b,
      c,
      d,
      e,
      f,
      g,
      h,
      i,
      j,
      k,
      l,
      m,
      n,
      o,
      p,
      q,
      r: rValue,
      s,
      t,
      u,
      v,
      w,
      x,
      y,
      z,
      A,
      B,
      C,
      D,
      E,
      F,
      G,
      H,
      I,
      J,
      K,
      L,
      M,
      N,
      O,
      P,
      Q,
      R,
      S,
      T,
      U,
      V,
      W,
    }
  } catch (error) {
    throw inField(error, field)
  }
}

function borrowEveryType(r: ByteReader): EveryTypeView {
  let field = ''
  try {
    const at = takeRun(r, 47, everyTypeRun)
    field = 'a'
    const a = flagAt(r, at, 'bool')
    const b = r.view.getInt8(at + 1)
    const c = r.view.getUint8(at + 2)
    const d = r.view.getInt16(at + 3, true)
    const e = r.view.getUint16(at + 5, true)
    const f = r.view.getInt32(at + 7, true)
    const g = r.view.getUint32(at + 11, true)
    const h = r.view.getBigInt64(at + 15, true)
    const i = r.view.getBigUint64(at + 23, true)
    const j = r.view.getUint16(at + 31, true)
    const k = r.view.getUint16(at + 33, true)
    const l = r.view.getFloat32(at + 35, true)
    const m = r.view.getFloat64(at + 39, true)
    field = 'n'
    const n = readString(r)
    field = 'o'
    const o = viewBytes(r)
    field = 'p'
    const p = viewTensors(r)
    field = 'q'
    const q = readBoolList(r)
    field = 'r'
    const rValue = i8List.view(r)
    field = 's'
    const s = u8List.view(r)
    field = 't'
    const t = i16List.view(r)
    field = 'u'
    const u = u16List.view(r)
    field = 'v'
    const v = i32List.view(r)
    field = 'w'
    const w = u32List.view(r)
    field = 'x'
    const x = i64List.view(r)
    field = 'y'
    const y = u64List.view(r)
    field = 'z'
    const z = f16List.view(r)
    field = 'A'
    const A = bf16List.view(r)
    field = 'B'
    const B = f32List.view(r)
    field = 'C'
    const C = f64List.view(r)
    field = 'D'
    const D = readStringList(r)
    field = 'E'
    const E = borrowBytesList(r)
    field = 'F'
    const F = borrowTensorsList(r)
    field = 'G'
    const G = borrowU8ListList(r)
    field = 'H'
    const H = readF32DictList(r)
    field = 'I'
    const I = readOptionalF64List(r)
    field = 'J'
    const J = readEveryTypeJItemList(r)
    field = 'K'
    const K = readStringByBoolDict(r)
    field = 'L'
    const L = readU8ByI8Dict(r)
    field = 'M'
    const M = borrowBytesByU64Dict(r)
    field = 'N'
    const N = borrowI64ListDict(r)
    field = 'O'
    const O = readEveryTypeJItemByI64Dict(r)
    field = 'P'
    const P = readFlag(r, 'option tag') ? readFlag(r, 'bool') : undefined
    field = 'Q'
    const Q = readFlag(r, 'option tag') ? r.view.getBigInt64(take(r, 8, 'i64'), true) : undefined
    field = 'R'
    const R = readFlag(r, 'option tag') ? readString(r) : undefined
    field = 'S'
    const S = readFlag(r, 'option tag') ? viewBytes(r) : undefined
    field = 'T'
    const T = readFlag(r, 'option tag') ? f32List.view(r) : undefined
    field = 'U'
    const U = readFlag(r, 'option tag') ? readEveryTypeU(r) : undefined
    field = 'V'
    const V = readFlag(r, 'option tag') ? viewTensors(r) : undefined
    field = 'W'
    const W = readFlag(r, 'option tag') ? readOptionalU16ByU32Dict(r) : undefined
    return {
      a,
      b,
      c,
      d,
      e,
      f,
      g,
      h,
      i,
      j,
      k,
      l,
      m,
      n,
      o,
      p,
      q,
      r: rValue,
      s,
      t,
      u,
      v,
      w,
      x,
      y,
      z,
      A,
      B,
      C,
      D,
      E,
      F,
      G,
      H,
      I,
      J,
      K,
      L,
      M,
      N,
      O,
      P,
      Q,
      R,
      S,
      T,
      U,
      V,
      W,
    }
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

function readBytesList(r: ByteReader): OwnBytes[] {
  const list = takeList<OwnBytes>(r, 4)
  const count = list.length
  let i = 0
  try {
    for (; i < count; i++) list[i] = readBytes(r)
  } catch (error) {
    throw inElement(error, i)
  }
  return list
}

function borrowBytesList(r: ByteReader): Uint8Array[] {
  const list = takeList<Uint8Array>(r, 4)
  const count = list.length
  let i = 0
  try {
    for (; i < count; i++) list[i] = viewBytes(r)
  } catch (error) {
    throw inElement(error, i)
  }
  return list
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

function readF32DictList(r: ByteReader): Map<string, number>[] {
  const list = takeList<Map<string, number>>(r, 4)
  const count = list.length
  let i = 0
  try {
    for (; i < count; i++) list[i] = readF32Dict(r)
  } catch (error) {
    throw inElement(error, i)
  }
  return list
}

function readF32Dict(r: ByteReader): Map<string, number> {
  const count = takeEntries(r, 8)
  const dict = new Map<string, number>()
  let key: string | undefined
  let at = 0
  let i = 0
  try {
    for (; i < count; i++) {
      key = undefined
      at = r.pos
      key = readString(r)
      dict.set(key, r.view.getFloat32(take(r, 4, 'f32'), true))
      if (dict.size === i) throw keyTwice(key, at)
    }
  } catch (error) {
    throw inEntry(error, i, key, at, dict)
  }
  return dict
}

function readOptionalF64List(r: ByteReader): (number | undefined)[] {
  const list = takeList<number | undefined>(r, 1)
  const count = list.length
  let i = 0
  try {
    for (; i < count; i++) list[i] = readFlag(r, 'option tag') ? r.view.getFloat64(take(r, 8, 'f64'), true) : undefined
  } catch (error) {
    throw inElement(error, i)
  }
  return list
}

function readEveryTypeJItemList(r: ByteReader): EveryTypeJItem[] {
  const list = takeList<EveryTypeJItem>(r, 1)
  const count = list.length
  let i = 0
  try {
    for (; i < count; i++) list[i] = readEveryTypeJItem(r)
  } catch (error) {
    throw inElement(error, i)
  }
  return list
}

function readEveryTypeJItem(r: ByteReader): EveryTypeJItem {
  const field = 'a'
  try {
    const at = take(r, 1, 'u8')
    const a = r.view.getUint8(at)
    return { a }
  } catch (error) {
    throw inField(error, field)
  }
}

function readStringByBoolDict(r: ByteReader): Map<boolean, string> {
  const count = takeEntries(r, 5)
  const dict = new Map<boolean, string>()
  let key: boolean | undefined
  let at = 0
  let i = 0
  try {
    for (; i < count; i++) {
      key = undefined
      at = r.pos
      key = readFlag(r, 'bool')
      dict.set(key, readString(r))
      if (dict.size === i) throw keyTwice(key, at)
    }
  } catch (error) {
    throw inEntry(error, i, key, at, dict)
  }
  return dict
}

function readU8ByI8Dict(r: ByteReader): Map<number, number> {
  const count = takeEntries(r, 2)
  const dict = new Map<number, number>()
  let key: number | undefined
  let at = 0
  let i = 0
  try {
    for (; i < count; i++) {
      key = undefined
      at = r.pos
      key = r.view.getInt8(take(r, 1, 'i8'))
      dict.set(key, r.view.getUint8(take(r, 1, 'u8')))
      if (dict.size === i) throw keyTwice(key, at)
    }
  } catch (error) {
    throw inEntry(error, i, key, at, dict)
  }
  return dict
}

function readBytesByU64Dict(r: ByteReader): Map<bigint, OwnBytes> {
  const count = takeEntries(r, 12)
  const dict = new Map<bigint, OwnBytes>()
  let key: bigint | undefined
  let at = 0
  let i = 0
  try {
    for (; i < count; i++) {
      key = undefined
      at = r.pos
      key = r.view.getBigUint64(take(r, 8, 'u64'), true)
      dict.set(key, readBytes(r))
      if (dict.size === i) throw keyTwice(key, at)
    }
  } catch (error) {
    throw inEntry(error, i, key, at, dict)
  }
  return dict
}

function borrowBytesByU64Dict(r: ByteReader): Map<bigint, Uint8Array> {
  const count = takeEntries(r, 12)
  const dict = new Map<bigint, Uint8Array>()
  let key: bigint | undefined
  let at = 0
  let i = 0
  try {
    for (; i < count; i++) {
      key = undefined
      at = r.pos
      key = r.view.getBigUint64(take(r, 8, 'u64'), true)
      dict.set(key, viewBytes(r))
      if (dict.size === i) throw keyTwice(key, at)
    }
  } catch (error) {
    throw inEntry(error, i, key, at, dict)
  }
  return dict
}

function readI64ListDict(r: ByteReader): Map<string, OwnArrays['i64']> {
  const count = takeEntries(r, 8)
  const dict = new Map<string, OwnArrays['i64']>()
  let key: string | undefined
  let at = 0
  let i = 0
  try {
    for (; i < count; i++) {
      key = undefined
      at = r.pos
      key = readString(r)
      dict.set(key, i64List.read(r))
      if (dict.size === i) throw keyTwice(key, at)
    }
  } catch (error) {
    throw inEntry(error, i, key, at, dict)
  }
  return dict
}

function borrowI64ListDict(r: ByteReader): Map<string, NumberList<'i64'>> {
  const count = takeEntries(r, 8)
  const dict = new Map<string, NumberList<'i64'>>()
  let key: string | undefined
  let at = 0
  let i = 0
  try {
    for (; i < count; i++) {
      key = undefined
      at = r.pos
      key = readString(r)
      dict.set(key, i64List.view(r))
      if (dict.size === i) throw keyTwice(key, at)
    }
  } catch (error) {
    throw inEntry(error, i, key, at, dict)
  }
  return dict
}

function readEveryTypeJItemByI64Dict(r: ByteReader): Map<bigint, EveryTypeJItem> {
  const count = takeEntries(r, 9)
  const dict = new Map<bigint, EveryTypeJItem>()
  let key: bigint | undefined
  let at = 0
  let i = 0
  try {
    for (; i < count; i++) {
      key = undefined
      at = r.pos
      key = r.view.getBigInt64(take(r, 8, 'i64'), true)
      dict.set(key, readEveryTypeJItem(r))
      if (dict.size === i) throw keyTwice(key, at)
    }
  } catch (error) {
    throw inEntry(error, i, key, at, dict)
  }
  return dict
}

function readEveryTypeU(r: ByteReader): EveryTypeU {
  const field = 'b'
  try {
    const b = readFlag(r, 'option tag') ? r.view.getInt8(take(r, 1, 'i8')) : undefined
    return { b }
  } catch (error) {
    throw inField(error, field)
  }
}

function readOptionalU16ByU32Dict(r: ByteReader): Map<number, number | undefined> {
  const count = takeEntries(r, 5)
  const dict = new Map<number, number | undefined>()
  let key: number | undefined
  let at = 0
  let i = 0
  try {
    for (; i < count; i++) {
      key = undefined
      at = r.pos
      key = r.view.getUint32(take(r, 4, 'u32'), true)
      dict.set(key, readFlag(r, 'option tag') ? r.view.getUint16(take(r, 2, 'u16'), true) : undefined)
      if (dict.size === i) throw keyTwice(key, at)
    }
  } catch (error) {
    throw inEntry(error, i, key, at, dict)
  }
  return dict
}

function writeEveryType(w: ByteWriter, value: EveryTypeInput): void {
  const inherited =
    'a' in objectPrototype ||
    'b' in objectPrototype ||
    'c' in objectPrototype ||
    'd' in objectPrototype ||
    'e' in objectPrototype ||
    'f' in objectPrototype ||
    'g' in objectPrototype ||
    'h' in objectPrototype ||
    'i' in objectPrototype ||
    'j' in objectPrototype ||
    'k' in objectPrototype ||
    'l' in objectPrototype ||
    'm' in objectPrototype ||
    'n' in objectPrototype ||
    'o' in objectPrototype ||
    'p' in objectPrototype ||
    'q' in objectPrototype ||
    'r' in objectPrototype ||
    's' in objectPrototype ||
    't' in objectPrototype ||
    'u' in objectPrototype ||
    'v' in objectPrototype ||
    'w' in objectPrototype ||
    'x' in objectPrototype ||
    'y' in objectPrototype ||
    'z' in objectPrototype ||
    'A' in objectPrototype ||
    'B' in objectPrototype ||
    'C' in objectPrototype ||
    'D' in objectPrototype ||
    'E' in objectPrototype ||
    'F' in objectPrototype ||
    'G' in objectPrototype ||
    'H' in objectPrototype ||
    'I' in objectPrototype ||
    'J' in objectPrototype ||
    'K' in objectPrototype ||
    'L' in objectPrototype ||
    'M' in objectPrototype ||
    'N' in objectPrototype ||
    'O' in objectPrototype ||
    'P' in objectPrototype ||
    'Q' in objectPrototype ||
    'R' in objectPrototype ||
    'S' in objectPrototype ||
    'T' in objectPrototype ||
    'U' in objectPrototype ||
    'V' in objectPrototype ||
    'W' in objectPrototype
  const own = ownFields(value, everyTypeFields, inherited)
  let field = 'a'
  try {
    const at = grant(w, 47)
    w.bytes[at] = checkBool(own.a)
    field = 'b'
    w.view.setInt8(at + 1, checkI8(own.b))
    field = 'c'
    w.view.setUint8(at + 2, checkU8(own.c))
    field = 'd'
    w.view.setInt16(at + 3, checkI16(own.d), true)
    field = 'e'
    w.view.setUint16(at + 5, checkU16(own.e), true)
    field = 'f'
    w.view.setInt32(at + 7, checkI32(own.f), true)
    field = 'g'
    w.view.setUint32(at + 11, checkU32(own.g), true)
    field = 'h'
    w.view.setBigInt64(at + 15, checkI64(own.h), true)
    field = 'i'
    w.view.setBigUint64(at + 23, checkU64(own.i), true)
    field = 'j'
    w.view.setUint16(at + 31, checkF16(own.j), true)
    field = 'k'
    w.view.setUint16(at + 33, checkBf16(own.k), true)
    field = 'l'
    w.view.setFloat32(at + 35, checkF32(own.l), true)
    field = 'm'
    w.view.setFloat64(at + 39, checkF64(own.m), true)
    field = 'n'
    writeString(w, own.n)
    field = 'o'
    writeBytes(w, own.o)
    field = 'p'
    writeTensors(w, own.p)
    field = 'q'
    writeBoolList(w, own.q)
    field = 'r'
    writeI8List(w, own.r)
    field = 's'
    writeU8List(w, own.s)
    field = 't'
    writeI16List(w, own.t)
    field = 'u'
    writeU16List(w, own.u)
    field = 'v'
    writeI32List(w, own.v)
    field = 'w'
    writeU32List(w, own.w)
    field = 'x'
    writeI64List(w, own.x)
    field = 'y'
    writeU64List(w, own.y)
    field = 'z'
    writeF16List(w, own.z)
    field = 'A'
    writeBf16List(w, own.A)
    field = 'B'
    writeF32List(w, own.B)
    field = 'C'
    writeF64List(w, own.C)
    field = 'D'
    writeStringList(w, own.D)
    field = 'E'
    writeBytesList(w, own.E)
    field = 'F'
    writeTensorsList(w, own.F)
    field = 'G'
    writeU8ListList(w, own.G)
    field = 'H'
    writeF32DictList(w, own.H)
    field = 'I'
    writeOptionalF64List(w, own.I)
    field = 'J'
    writeEveryTypeJItemList(w, own.J)
    field = 'K'
    writeStringByBoolDict(w, own.K)
    field = 'L'
    writeU8ByI8Dict(w, own.L)
    field = 'M'
    writeBytesByU64Dict(w, own.M)
    field = 'N'
    writeI64ListDict(w, own.N)
    field = 'O'
    writeEveryTypeJItemByI64Dict(w, own.O)
    field = 'P'
    const P = own.P
    if (writeTag(w, P)) {
      const at2 = grant(w, 1)
      w.bytes[at2] = checkBool(P)
    }
    field = 'Q'
    const Q = own.Q
    if (writeTag(w, Q)) {
      const at3 = grant(w, 8)
      w.view.setBigInt64(at3, checkI64(Q), true)
    }
    field = 'R'
    const R = own.R
    if (writeTag(w, R)) writeString(w, R)
    field = 'S'
    const S = own.S
    if (writeTag(w, S)) writeBytes(w, S)
    field = 'T'
    const T = own.T
    if (writeTag(w, T)) writeF32List(w, T)
    field = 'U'
    const U = own.U
    if (writeTag(w, U)) writeEveryTypeU(w, U)
    field = 'V'
    const V = own.V
    if (writeTag(w, V)) writeTensors(w, V)
    field = 'W'
    const W = own.W
    if (writeTag(w, W)) writeOptionalU16ByU32Dict(w, W)
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

function writeBytesList(w: ByteWriter, value: readonly ByteInput[]): void {
  const count = writeListCount(w, value)
  let i = 0
  try {
    for (; i < count; i++) writeBytes(w, value[i]!)
    checkLength(value, count)
  } catch (error) {
    throw inElement(error, i)
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

function writeF32DictList(w: ByteWriter, value: readonly DictInput<number>[]): void {
  const count = writeListCount(w, value)
  let i = 0
  try {
    for (; i < count; i++) writeF32Dict(w, value[i]!)
    checkLength(value, count)
  } catch (error) {
    throw inElement(error, i)
  }
}

function writeF32Dict(w: ByteWriter, value: DictInput<number>): void {
  const entries = entriesOf(value, 'string')
  const count = writeEntryCount(w, entries)
  let i = 0
  let entry: string | undefined
  try {
    for (const [key, item] of entries) {
      entry = key
      checkEntry(i++, count)
      writeString(w, key)
      const at = grant(w, 4)
      w.view.setFloat32(at, checkF32(item), true)
    }
  } catch (error) {
    throw inKey(error, entry)
  }
  checkEntries(i, count)
}

function writeOptionalF64List(w: ByteWriter, value: readonly (number | null | undefined)[]): void {
  const count = writeListCount(w, value)
  let i = 0
  try {
    for (; i < count; i++) {
      const item = value[i]
      if (writeTag(w, item)) {
        const at = grant(w, 8)
        w.view.setFloat64(at, checkF64(item), true)
      }
    }
    checkLength(value, count)
  } catch (error) {
    throw inElement(error, i)
  }
}

function writeEveryTypeJItemList(w: ByteWriter, value: readonly EveryTypeJItem[]): void {
  const count = writeListCount(w, value)
  let i = 0
  try {
    for (; i < count; i++) writeEveryTypeJItem(w, value[i]!)
    checkLength(value, count)
  } catch (error) {
    throw inElement(error, i)
  }
}

function writeEveryTypeJItem(w: ByteWriter, value: EveryTypeJItem): void {
  const inherited = 'a' in objectPrototype
  const own = ownFields(value, everyTypeJItemFields, inherited)
  const field = 'a'
  try {
    const at = grant(w, 1)
    w.view.setUint8(at, checkU8(own.a))
  } catch (error) {
    throw inField(error, field)
  }
}

function writeStringByBoolDict(w: ByteWriter, value: ReadonlyMap<boolean, string>): void {
  const entries = entriesOf(value, 'bool')
  const count = writeEntryCount(w, entries)
  let i = 0
  let entry: boolean | undefined
  try {
    for (const [key, item] of entries) {
      entry = key
      checkEntry(i++, count)
      const at = grant(w, 1)
      w.bytes[at] = checkBool(key)
      writeString(w, item)
    }
  } catch (error) {
    throw inKey(error, entry)
  }
  checkEntries(i, count)
}

function writeU8ByI8Dict(w: ByteWriter, value: ReadonlyMap<number, number>): void {
  const entries = entriesOf(value, 'i8')
  const count = writeEntryCount(w, entries)
  let i = 0
  let entry: number | undefined
  try {
    for (const [key, item] of entries) {
      entry = key
      checkEntry(i++, count)
      const at = grant(w, 1)
      w.view.setInt8(at, checkI8(key))
      const at2 = grant(w, 1)
      w.view.setUint8(at2, checkU8(item))
    }
  } catch (error) {
    throw inKey(error, entry)
  }
  checkEntries(i, count)
}

function writeBytesByU64Dict(w: ByteWriter, value: ReadonlyMap<bigint | number, ByteInput>): void {
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
      writeBytes(w, item)
    }
  } catch (error) {
    throw inKey(error, entry)
  }
  checkEntries(i, count)
}

function writeI64ListDict(w: ByteWriter, value: DictInput<NumbersInput<'i64'>>): void {
  const entries = entriesOf(value, 'string')
  const count = writeEntryCount(w, entries)
  let i = 0
  let entry: string | undefined
  try {
    for (const [key, item] of entries) {
      entry = key
      checkEntry(i++, count)
      writeString(w, key)
      writeI64List(w, item)
    }
  } catch (error) {
    throw inKey(error, entry)
  }
  checkEntries(i, count)
}

function writeEveryTypeJItemByI64Dict(w: ByteWriter, value: ReadonlyMap<bigint | number, EveryTypeJItem>): void {
  const entries = entriesOf(value, 'i64')
  const count = writeEntryCount(w, entries)
  const written = new Set<string>()
  let i = 0
  let entry: bigint | number | undefined
  try {
    for (const [key, item] of entries) {
      entry = key
      checkEntry(i++, count)
      const at = grant(w, 8)
      w.view.setBigInt64(at, checkI64(key), true)
      addKey(written, key)
      writeEveryTypeJItem(w, item)
    }
  } catch (error) {
    throw inKey(error, entry)
  }
  checkEntries(i, count)
}

function writeEveryTypeU(w: ByteWriter, value: EveryTypeUInput): void {
  const inherited = 'b' in objectPrototype
  const own = ownFields(value, everyTypeUFields, inherited)
  const field = 'b'
  try {
    const b = own.b
    if (writeTag(w, b)) {
      const at = grant(w, 1)
      w.view.setInt8(at, checkI8(b))
    }
  } catch (error) {
    throw inField(error, field)
  }
}

function writeOptionalU16ByU32Dict(w: ByteWriter, value: ReadonlyMap<number, number | null | undefined>): void {
  const entries = entriesOf(value, 'u32')
  const count = writeEntryCount(w, entries)
  let i = 0
  let entry: number | undefined
  try {
    for (const [key, item] of entries) {
      entry = key
      checkEntry(i++, count)
      const at = grant(w, 4)
      w.view.setUint32(at, checkU32(key), true)
      if (writeTag(w, item)) {
        const at2 = grant(w, 2)
        w.view.setUint16(at2, checkU16(item), true)
      }
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
export function placeEveryType(bytes: ByteInput, options?: PlaceOptions): Uint8Array {
  return placeWith(seekEveryType, bytes, options)
}

/** Where the first directory begins, or -1 if there is none. */
function seekEveryType(r: ByteReader): number {
  const { end, view } = r
  const { string: maxString } = r.settings.limits
  let pos = r.pos
  let n: number
  if (pos + 51 > end) throw seekFault(r, everyTypeText)
  n = view.getUint32(pos + 47, true)
  if (n > maxString) throw seekFault(r, everyTypeText)
  pos += 51 + n
  if (pos + 4 > end) throw seekFault(r, everyTypeText)
  n = view.getUint32(pos, true)
  pos += 4 + n
  if (pos > end) throw seekFault(r, everyTypeText)
  return pos
}
