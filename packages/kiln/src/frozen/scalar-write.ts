import type { ByteWriter } from '../bytes/writer.js'
import type { ScalarName } from '../schema/types.js'
import type { Write } from './codec.js'
import { checkBool, checkI64, checkU64, numberChecks as checks } from './scalar-checks.js'

function writeU16(w: ByteWriter, value: number): void {
  w.reserve(2)
  w.view.setUint16(w.pos, value, true)
  w.pos += 2
}

/** The writer of each scalar: a check and its bytes (FORMAT §2). */
export const scalarWrites: { readonly [N in ScalarName]: Write } = {
  bool(w, v) {
    const byte = checkBool(v)
    w.reserve(1)
    w.bytes[w.pos++] = byte
  },
  i8(w, v) {
    const value = checks.i8(v)
    w.reserve(1)
    w.view.setInt8(w.pos, value)
    w.pos += 1
  },
  u8(w, v) {
    const value = checks.u8(v)
    w.reserve(1)
    w.view.setUint8(w.pos, value)
    w.pos += 1
  },
  i16(w, v) {
    const value = checks.i16(v)
    w.reserve(2)
    w.view.setInt16(w.pos, value, true)
    w.pos += 2
  },
  u16(w, v) {
    writeU16(w, checks.u16(v))
  },
  i32(w, v) {
    const value = checks.i32(v)
    w.reserve(4)
    w.view.setInt32(w.pos, value, true)
    w.pos += 4
  },
  u32(w, v) {
    const value = checks.u32(v)
    w.reserve(4)
    w.view.setUint32(w.pos, value, true)
    w.pos += 4
  },
  i64(w, v) {
    const value = checkI64(v)
    w.reserve(8)
    w.view.setBigInt64(w.pos, value, true)
    w.pos += 8
  },
  u64(w, v) {
    const value = checkU64(v)
    w.reserve(8)
    w.view.setBigUint64(w.pos, value, true)
    w.pos += 8
  },
  f16(w, v) {
    writeU16(w, checks.f16(v))
  },
  bf16(w, v) {
    writeU16(w, checks.bf16(v))
  },
  f32(w, v) {
    const value = checks.f32(v)
    w.reserve(4)
    w.view.setFloat32(w.pos, value, true)
    w.pos += 4
  },
  f64(w, v) {
    const value = checks.f64(v)
    w.reserve(8)
    w.view.setFloat64(w.pos, value, true)
    w.pos += 8
  },
}
