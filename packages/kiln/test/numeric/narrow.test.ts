import { expect, test } from 'vitest'
import type { DtypeName } from 'kiln-format'
import { codeOf, narrow, numberOf, widen } from 'kiln-format/numeric'
import { dtypeOf } from '../../src/tensors/dtypes.js'
import { withFloat16Array, withoutFloat16Array } from './float16-stand-in.js'
import { codeBits, definitions, elementsOf, isNanCode, ladder, neighbour, slowCode, slowNumber } from './slow-codes.js'
import { refuses } from './refuses.js'

const FLOATS = Object.keys(definitions).filter((dtype) => dtype !== 'f32') as DtypeName[]
const MODES = ['saturate', 'overflow'] as const

/** Codes of a payload, by DataView and by hand. */
function codesOf(bytes: Uint8Array, bits: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => {
    if (bits === 32) return new DataView(bytes.buffer, bytes.byteOffset).getUint32(i * 4, true)
    if (bits === 16) return bytes[i * 2]! + bytes[i * 2 + 1]! * 256
    let code = 0
    for (let bit = 0; bit < bits; bit++) {
      const at = i * bits + bit
      code += ((bytes[Math.floor(at / 8)]! >> at % 8) & 1) * 2 ** bit
    }
    return code
  })
}

function told(dtype: string, codes: number[]): (number | 'nan')[] {
  const { isNan } = definitions[dtype]!
  return codes.map((code) => (isNan(code) ? 'nan' : code))
}

/** Every number of a dtype and every middle between two, each with its neighbours among f64s, in both signs. */
function boundaries(dtype: string): Float64Array {
  const rungs = rungsOf(dtype)
  const points = new Set<number>()
  for (let i = 0; i + 1 < rungs.length; i++) {
    for (const point of [rungs[i]!, (rungs[i]! + rungs[i + 1]!) / 2]) {
      points.add(point)
      points.add(neighbour(point, 1))
      if (point > 0) points.add(neighbour(point, -1))
    }
  }
  const top = rungs[rungs.length - 1]!
  const beyond = [top, neighbour(top, -1), neighbour(top, 1), top * 1.5, top * 4, 1e300, Number.MAX_VALUE, Infinity]
  for (const point of beyond) points.add(point)
  for (const point of [Number.MIN_VALUE, 2 ** -1022, 1e-300, 2 ** -149, 2 ** -150]) points.add(point)
  return Float64Array.from([...points, ...[...points].map((point) => -point), NaN])
}

const ladders = new Map<string, number[]>()

function rungsOf(dtype: string): number[] {
  if (!ladders.has(dtype)) ladders.set(dtype, ladder(dtype))
  return ladders.get(dtype)!
}

/** Differences between what narrow gives and what the slow routine says, the first few. */
function faults(dtype: DtypeName, values: Float64Array | Float32Array, mode: (typeof MODES)[number]): string[] {
  const rungs = rungsOf(dtype)
  const hasNan = !dtype.startsWith('e')
  const asked = hasNan ? values : values.filter((value) => !Number.isNaN(value))
  const bytes = narrow(asked, dtype, { mode })
  const got = told(dtype, codesOf(bytes, codeBits[dtype]!, asked.length))
  const found: string[] = []
  asked.forEach((value, i) => {
    const want = slowCode(dtype, value, mode, rungs)
    if (got[i] !== want && found.length < 5) found.push(`${value} became ${got[i]}, not ${want}`)
  })
  return found
}

// Only f16 asks what the host has.
const HOSTS = { without: withoutFloat16Array, with: withFloat16Array }
const CASES = FLOATS.flatMap((dtype) => (dtype === 'f16' ? (['without', 'with'] as const) : (['without'] as const))
  .map((host) => [dtype, host] as const))

test.each(CASES)('%s at every boundary, %s Float16Array, from f64 and f32, in both modes', (dtype, host) => {
  const doubles = boundaries(dtype)
  const singles = Float32Array.from(doubles)
  HOSTS[host](() => {
    for (const mode of MODES) {
      expect(faults(dtype, doubles, mode)).toEqual([])
      expect(faults(dtype, singles, mode)).toEqual([])
      // Few at a time go another way than many.
      for (let i = 0; i < Math.min(doubles.length, 3000); i += 500) {
        expect(faults(dtype, doubles.slice(i, i + 500), mode)).toEqual([])
        expect(faults(dtype, singles.slice(i, i + 500), mode)).toEqual([])
      }
    }
  })
})

test.each(CASES)('%s: many numbers of all sizes, more than a block, %s Float16Array', (dtype, host) => {
  let state = 12_345
  const values = Float64Array.from({ length: 10_000 }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return (state / 2 ** 31 - 1) * 2 ** ((state % 300) - 150)
  })
  HOSTS[host](() => {
    for (const mode of MODES) {
      expect(faults(dtype, values, mode)).toEqual([])
      expect(faults(dtype, Float32Array.from(values), mode)).toEqual([])
    }
  })
})

test.each(Object.keys(codeBits).filter((dtype) => dtype !== 'f32') as DtypeName[])(
  '%s: narrow(widen(code)) is the code, for every code that is not NaN',
  (dtype) => {
    const bits = codeBits[dtype]!
    const codes = Array.from({ length: 2 ** bits }, (_, code) => code).filter((code) => !isNanCode(dtype, code))
    const tensor = { dtype, shape: [codes.length], bytes: elementsOf(codes, bits) }
    for (const mode of MODES) {
      // Infinity stays only by overflow.
      const isKept = (code: number): boolean => mode === 'overflow' || Number.isFinite(slowNumber(dtype, code))
      const kept = codes.map((code) => (isKept(code) ? code : code - 1))
      for (const width of ['f32', 'f64'] as const) {
        expect(codesOf(narrow(widen(tensor, width as 'f64'), dtype, { mode }), bits, codes.length)).toEqual(kept)
      }
      for (let i = 0; i < codes.length; i += 97) {
        expect(codeOf(dtype, numberOf(dtype, codes[i]!), { mode })).toBe(kept[i])
      }
    }
  },
)

// The boundaries that other projects have got wrong, as numbers that one can check on paper.
test.each([
  ['f16', 2 ** -25, 'overflow', 0x0000], ['f16', neighbour(2 ** -25, 1), 'overflow', 0x0001],
  ['f16', neighbour(65520, -1), 'overflow', 0x7bff], ['f16', 65520, 'overflow', 0x7c00],
  ['f16', 65520, 'saturate', 0x7bff],
  ['f16', -Infinity, 'overflow', 0xfc00], ['f16', -Infinity, 'saturate', 0xfbff], ['f16', -0, 'overflow', 0x8000],
  ['bf16', 1.005, 'overflow', 0x3f81], ['bf16', 1 + 2 ** -8, 'overflow', 0x3f80],
  ['bf16', 1 + 3 * 2 ** -8, 'overflow', 0x3f82],
  ['f8e4m3', 448, 'overflow', 0x7e], ['f8e4m3', 464, 'overflow', 0x7e], ['f8e4m3', neighbour(464, 1), 'saturate', 0x7e],
  ['f8e4m3', Infinity, 'saturate', 0x7e], ['f8e5m2', 61440, 'overflow', 0x7c], ['f8e5m2', 61440, 'saturate', 0x7b],
  ['f8e4m3fnuz', -0, 'overflow', 0x00], ['f8e4m3fnuz', -(2 ** -12), 'overflow', 0x00],
  ['f8e4m3fnuz', 1e9, 'overflow', 0x80],
  ['e8m0', 1.5, 'overflow', 128], ['e8m0', neighbour(1.5, -1), 'overflow', 127], ['e8m0', 0, 'saturate', 0],
  ['e8m0', 0, 'overflow', 255], ['e8m0', -1, 'saturate', 0], ['e8m0', 1e-300, 'overflow', 0],
  ['e8m0', 1e300, 'saturate', 254],
  ['e8m0', 1e300, 'overflow', 255], ['e8m0', NaN, 'saturate', 255],
  ['e2m1', 1e9, 'overflow', 7], ['e2m1', -0.25, 'overflow', 8], ['e2m1', 2.5, 'overflow', 4],
  ['e2m1', 5, 'overflow', 6],
  ['i4', 7.5, 'overflow', 7], ['i4', -8.5, 'overflow', 8], ['i4', 0.5, 'overflow', 0], ['i4', 1.5, 'overflow', 2],
  ['u8', -3, 'overflow', 0], ['u8', 255.5, 'saturate', 255], ['i8', -Infinity, 'saturate', 128],
  ['i16', -1.5, 'saturate', 65534],
  ['u1', 0.5, 'saturate', 0], ['u1', 0.75, 'saturate', 1], ['i2', -1, 'saturate', 3],
  ['u16', 65534.5, 'saturate', 65534],
] as const)('%s of %d by %s is code %i', (dtype, value, mode, code) => {
  expect(codeOf(dtype, value, { mode })).toBe(code)
})

test('a number beside a tie is rounded once, not by way of f32', () => {
  // f32 can't tell these from the tie itself, which goes down to even.
  const above = 1 + 2 ** -8 + 2 ** -40
  const below = 1 + 3 * 2 ** -8 - 2 ** -40
  expect([Math.fround(above), Math.fround(below)]).toEqual([1 + 2 ** -8, 1 + 3 * 2 ** -8])
  expect(codeOf('bf16', above, { mode: 'overflow' })).toBe(0x3f81)
  expect(codeOf('bf16', below, { mode: 'overflow' })).toBe(0x3f81)
  expect(codeOf('bf16', -above, { mode: 'overflow' })).toBe(0xbf81)
})

const WITHOUT_NAN = ['e3m2', 'e2m3', 'e2m1', 'i8', 'u2', 'i4', 'u32', 'i64'] as const

test.each(WITHOUT_NAN)('a NaN in %s is refused or named', (dtype) => {
  const values = Float64Array.of(1, NaN, 1)
  for (const array of [values, Float32Array.from(values), [...values]]) {
    const message = `TYPE at [1]: ${dtype} has no NaN; pass nan: 'zero' or 'max' to say what it becomes`
    refuses(() => narrow(array, dtype, { mode: 'saturate' }), message)
  }
  refuses(() => narrow([NaN], dtype, { mode: 'overflow', firstIndex: 70 }), 'TYPE at [70]')
  const many = new Float32Array(9000)
  many[8500] = NaN
  refuses(() => narrow(many, dtype, { mode: 'saturate' }), 'TYPE at [8500]')
  const bits = dtypeOf(dtype).blockBits
  const most = { e3m2: 28, e2m3: 7.5, e2m1: 6, i8: 127, u2: 3, i4: 7, u32: 2 ** 32 - 1, i64: 2 ** 63 }[dtype]
  for (const [nan, value] of [['zero', 0], ['max', most]] as const) {
    const bytes = narrow(values, dtype, { mode: 'saturate', nan })
    expect(bytes.length).toBe(Math.ceil((3 * bits) / 8))
    expect([...widen({ dtype, shape: [3], bytes }, 'f64', { inexact: 'nearest' })]).toEqual([1, value, 1])
    many.fill(1).fill(NaN, 8500, 8501)
    const long = narrow(many, dtype, { mode: 'saturate', nan })
    expect(widen({ dtype, shape: [9000], bytes: long }, 'f64', { inexact: 'nearest' })[8500]).toBe(value)
  }
})

test('f32, f64 and 64-bit integers', () => {
  const values = [1.1, -0, 1e39, -Infinity, NaN]
  const f32 = (mode: 'saturate' | 'overflow') => [...new Float32Array(narrow(values, 'f32', { mode }).buffer)]
  const max = (2 - 2 ** -23) * 2 ** 127
  expect(f32('overflow')).toEqual([Math.fround(1.1), -0, Infinity, -Infinity, NaN])
  expect(f32('saturate')).toEqual([Math.fround(1.1), -0, max, -max, NaN])
  const f64 = (mode: 'saturate' | 'overflow') => [...new Float64Array(narrow(values, 'f64', { mode }).buffer)]
  expect(f64('overflow')).toEqual(values)
  expect(f64('saturate')).toEqual([1.1, -0, 1e39, -Number.MAX_VALUE, NaN])
  const integers = [-1.5, 2.5, 2 ** 53 + 2, 2 ** 51 + 0.5, 1e30, -1e30]
  expect([...new BigInt64Array(narrow(integers, 'i64', { mode: 'saturate' }).buffer)]).toEqual([
    -2n, 2n, 2n ** 53n + 2n, 2n ** 51n, 2n ** 63n - 1n, -(2n ** 63n),
  ])
  expect([...new BigUint64Array(narrow(integers, 'u64', { mode: 'overflow' }).buffer)]).toEqual([
    0n, 2n, 2n ** 53n + 2n, 2n ** 51n, 2n ** 64n - 1n, 0n,
  ])
})

test('unused bits of the last byte are 0, and only the payload of a target is written', () => {
  expect([...narrow([-1, -1, -1], 'i4', { mode: 'saturate' })]).toEqual([0xff, 0x0f])
  expect([...narrow([-1], 'i2', { mode: 'saturate' })]).toEqual([0x03])
  expect([...narrow([1, 1, 1, 1, 1, 1, 1, 1, 1], 'u1', { mode: 'saturate' })]).toEqual([0xff, 0x01])
  const just = new Uint8Array(4)
  expect(narrow([1, 2], 'f16', { mode: 'saturate', target: just }).buffer).toBe(just.buffer)
  const room = new Uint8Array(9).fill(0xaa)
  const written = narrow([1, 2], 'f16', { mode: 'saturate', target: room.subarray(3) })
  expect([written.byteOffset, written.length]).toEqual([3, 4])
  expect([...room]).toEqual([0xaa, 0xaa, 0xaa, 0x00, 0x3c, 0x00, 0x40, 0xaa, 0xaa])
})

test('numbers come from any array of numbers', () => {
  for (const values of [[1, 2, 3], Int8Array.of(1, 2, 3), Uint32Array.of(1, 2, 3), Uint8ClampedArray.of(1, 2, 3)]) {
    expect([...narrow(values, 'e2m1', { mode: 'saturate' })]).toEqual([0x42, 0x05])
  }
  const wrong: [unknown, string][] = [
    [BigInt64Array.of(1n), "numbers can't come from a BigInt64Array"],
    [['1'], 'TYPE at [0]: this is no number but string'],
    [new DataView(new ArrayBuffer(8)), "numbers can't come from a DataView"],
    [{ length: 1, 0: 1 }, 'numbers are a typed array or an array of numbers'],
    [undefined, 'numbers are a typed array or an array of numbers'],
  ]
  for (const [values, message] of wrong) {
    refuses(() => narrow(values as number[], 'f16', { mode: 'saturate' }), message)
  }
})

test('what narrow refuses', () => {
  for (const dtype of ['bool', 'c64', 'c128', 'ggml_q4_0'] as const) {
    refuses(() => narrow([], dtype, { mode: 'saturate' }), `TYPE: numbers can't be narrowed to ${dtype}`)
    // Not that the target is too short.
    const target = new Uint8Array(0)
    refuses(() => narrow([1, 2], dtype, { mode: 'saturate', target }), `TYPE: numbers can't be narrowed to ${dtype}`)
  }
  const options: [object | undefined, string][] = [
    [undefined, "mode is 'saturate' or 'overflow', not undefined"],
    [{}, "mode is 'saturate' or 'overflow', not undefined"],
    [{ mode: 'saturate', nan: 'keep' }, "nan is 'refuse', 'zero' or 'max', not \"keep\""],
    [{ mode: 'saturate', target: new Uint8Array(3) }, 'at least 4 bytes, for f16'],
    [{ mode: 'saturate', target: new Uint16Array(9) }, 'the target is to be a Uint8Array'],
  ]
  for (const [wrong, message] of options) {
    refuses(() => narrow([1, 2], 'f16', wrong as { mode: 'saturate' }), message)
  }
  refuses(() => codeOf('f32', 1, { mode: 'saturate' }), 'f32 has no codes of up to 16 bits; use narrow')
})
