import { take, type ByteReader } from '../bytes/reader.js'
import type { ByteWriter } from '../bytes/writer.js'
import type { ScalarName } from '../schema/types.js'
import type { Read, TypeCodec } from './codec.js'
import { checkBool, checkI64, checkU64, numberChecks } from './scalar-checks.js'
import { readFlag, safeInteger } from './scalar-read.js'

function readBool(r: ByteReader): boolean {
  return readFlag(r, 'bool')
}

function writeBool(w: ByteWriter, value: unknown): void {
  const byte = checkBool(value)
  w.reserve(1)
  w.bytes[w.pos++] = byte
}

function int64Reader(name: 'i64' | 'u64', get: (view: DataView, at: number) => bigint): Read {
  return (r) => {
    const at = take(r, 8, name)
    const value = get(r.view, at)
    return r.settings.int64AsNumber ? safeInteger(value, at) : value
  }
}

function codec(minSize: number, read: Read, write: TypeCodec['write']): TypeCodec {
  return { minSize, read, view: read, write }
}

const checks = numberChecks

/** The codec of each scalar. */
export const scalarCodecs: { readonly [N in ScalarName]: TypeCodec } = {
  bool: /* @__PURE__ */ codec(1, readBool, writeBool),
  i8: /* @__PURE__ */ codec(1, (r) => r.view.getInt8(take(r, 1, 'i8')), (w, v) => {
    const value = checks.i8(v)
    w.reserve(1)
    w.view.setInt8(w.pos, value)
    w.pos += 1
  }),
  u8: /* @__PURE__ */ codec(1, (r) => r.view.getUint8(take(r, 1, 'u8')), (w, v) => {
    const value = checks.u8(v)
    w.reserve(1)
    w.view.setUint8(w.pos, value)
    w.pos += 1
  }),
  i16: /* @__PURE__ */ codec(2, (r) => r.view.getInt16(take(r, 2, 'i16'), true), (w, v) => {
    const value = checks.i16(v)
    w.reserve(2)
    w.view.setInt16(w.pos, value, true)
    w.pos += 2
  }),
  u16: /* @__PURE__ */ codec(2, (r) => r.view.getUint16(take(r, 2, 'u16'), true), (w, v) => writeU16(w, checks.u16(v))),
  i32: /* @__PURE__ */ codec(4, (r) => r.view.getInt32(take(r, 4, 'i32'), true), (w, v) => {
    const value = checks.i32(v)
    w.reserve(4)
    w.view.setInt32(w.pos, value, true)
    w.pos += 4
  }),
  u32: /* @__PURE__ */ codec(4, (r) => r.view.getUint32(take(r, 4, 'u32'), true), (w, v) => {
    const value = checks.u32(v)
    w.reserve(4)
    w.view.setUint32(w.pos, value, true)
    w.pos += 4
  }),
  i64: /* @__PURE__ */ codec(8, int64Reader('i64', (view, at) => view.getBigInt64(at, true)), (w, v) => {
    const value = checkI64(v)
    w.reserve(8)
    w.view.setBigInt64(w.pos, value, true)
    w.pos += 8
  }),
  u64: /* @__PURE__ */ codec(8, int64Reader('u64', (view, at) => view.getBigUint64(at, true)), (w, v) => {
    const value = checkU64(v)
    w.reserve(8)
    w.view.setBigUint64(w.pos, value, true)
    w.pos += 8
  }),
  f16: /* @__PURE__ */ codec(2, (r) => r.view.getUint16(take(r, 2, 'f16'), true), (w, v) => writeU16(w, checks.f16(v))),
  bf16: /* @__PURE__ */ codec(2, (r) => r.view.getUint16(take(r, 2, 'bf16'), true), (w, v) => writeU16(w, checks.bf16(v))),
  f32: /* @__PURE__ */ codec(4, (r) => r.view.getFloat32(take(r, 4, 'f32'), true), (w, v) => {
    const value = checks.f32(v)
    w.reserve(4)
    w.view.setFloat32(w.pos, value, true)
    w.pos += 4
  }),
  f64: /* @__PURE__ */ codec(8, (r) => r.view.getFloat64(take(r, 8, 'f64'), true), (w, v) => {
    const value = checks.f64(v)
    w.reserve(8)
    w.view.setFloat64(w.pos, value, true)
    w.pos += 8
  }),
}

function writeU16(w: ByteWriter, value: number): void {
  w.reserve(2)
  w.view.setUint16(w.pos, value, true)
  w.pos += 2
}
