import { describe } from '../bytes/input.js'
import { KilnError } from '../errors/kiln-error.js'
import type { ScalarName } from '../schema/types.js'

/** Throws unless the value can be written as this scalar; what comes back is a value that a DataView takes. */
export type CheckScalar = (value: unknown) => number

/** The smallest and the largest value of the integers that are numbers in JavaScript. */
const integerRanges = {
  i8: [-128, 127],
  u8: [0, 255],
  i16: [-32768, 32767],
  u16: [0, 65535],
  i32: [-(2 ** 31), 2 ** 31 - 1],
  u32: [0, 2 ** 32 - 1],
  f16: [0, 65535],
  bf16: [0, 65535],
} as const

/** The ranges of the 64-bit integers, which are bigints or safe integers. */
const bigRanges = {
  i64: [-(2n ** 63n), 2n ** 63n - 1n],
  u64: [0n, 2n ** 64n - 1n],
} as const

function wrong(name: string, want: string, value: unknown): KilnError {
  const hint = typeof value === 'number' && (name === 'f16' || name === 'bf16') ? '; kiln-format/numeric narrows floats to codes' : ''
  return new KilnError('TYPE', `${name} takes ${want}, got ${describe(value)}${hint}`)
}

function integerCheck(name: keyof typeof integerRanges): CheckScalar {
  const [low, high] = integerRanges[name]
  const what = name === 'f16' || name === 'bf16' ? 'its 16-bit code, an integer' : 'an integer'
  return (value) => {
    if (typeof value === 'number' && value >= low && value <= high && Number.isInteger(value)) return value
    throw wrong(name, `${what} from ${low} to ${high}`, value)
  }
}

function wrongInt64(name: 'i64' | 'u64', value: unknown): KilnError {
  const [low, high] = bigRanges[name]
  return wrong(name, `a bigint from ${low} to ${high} or a safe integer`, value)
}

/** Checks an `i64`: a bigint in range, or a safe integer. Cutting to 64 bits and comparing takes a quarter of two comparisons. */
export function checkI64(value: unknown): bigint {
  if (typeof value === 'bigint') {
    if (BigInt.asIntN(64, value) === value) return value
  } else if (Number.isSafeInteger(value)) return BigInt(value as number)
  throw wrongInt64('i64', value)
}

/** Checks a `u64`: a bigint in range, or a safe integer that is not negative. */
export function checkU64(value: unknown): bigint {
  if (typeof value === 'bigint') {
    if (BigInt.asUintN(64, value) === value) return value
  } else if (Number.isSafeInteger(value) && (value as number) >= 0) return BigInt(value as number)
  throw wrongInt64('u64', value)
}

/** Checks a 64-bit integer of either type. */
export function checkInt64(name: 'i64' | 'u64', value: unknown): bigint {
  return name === 'i64' ? checkI64(value) : checkU64(value)
}

function checkF64(value: unknown): number {
  if (typeof value === 'number') return value
  throw wrong('f64', 'a number', value)
}

function checkF32(value: unknown): number {
  if (typeof value !== 'number') throw wrong('f32', 'a number', value)
  // What rounds to an infinity without being one is out of the type's range.
  if (Number.isFinite(value) && !Number.isFinite(Math.fround(value))) throw wrong('f32', 'a number within ±3.4028235e38', value)
  return value
}

/** The check of each fixed-width number that is a number in JavaScript. */
export const numberChecks: { readonly [N in Exclude<ScalarName, 'bool' | 'i64' | 'u64'>]: CheckScalar } = {
  i8: /* @__PURE__ */ integerCheck('i8'),
  u8: /* @__PURE__ */ integerCheck('u8'),
  i16: /* @__PURE__ */ integerCheck('i16'),
  u16: /* @__PURE__ */ integerCheck('u16'),
  i32: /* @__PURE__ */ integerCheck('i32'),
  u32: /* @__PURE__ */ integerCheck('u32'),
  f16: /* @__PURE__ */ integerCheck('f16'),
  bf16: /* @__PURE__ */ integerCheck('bf16'),
  f32: checkF32,
  f64: checkF64,
}

/** Throws unless the value is a boolean; gives the byte that is written for it. */
export function checkBool(value: unknown): 0 | 1 {
  if (typeof value !== 'boolean') throw wrong('bool', 'true or false', value)
  return value ? 1 : 0
}
