import { dtypeOf, isKilnError, KilnError, type DtypeName } from 'kiln-format'
import { dequantize, narrow, widen, type NumericTensor } from 'kiln-format/numeric'

/** What became of one vector; `expected` and `came` are about its first difference. */
export type VectorResult =
  | { readonly passed: true }
  | { readonly passed: false; readonly expected: string; readonly came: string }

type Line = Readonly<Record<string, unknown>>

/** The keys by which each kind of vector is known; what `op` says comes first. */
const KINDS: readonly { op: string; keys: readonly string[]; run: (line: Line) => VectorResult }[] = [
  { op: 'widen', keys: ['dtype', 'codes', 'f32'], run: runWiden },
  { op: 'narrow', keys: ['dtype', 'from', 'bits', 'mode', 'codes'], run: runNarrow },
  {
    op: 'dequantize',
    keys: ['dtype', 'shape', 'data', 'axis', 'group_size', 'scale_dtype', 'scale_shape', 'scale_data', 'f32'],
    run: runDequantize,
  },
  { op: 'ggml', keys: ['dtype', 'data', 'f32'], run: runGgml },
]

function kindOf(line: unknown): (typeof KINDS)[number] | undefined {
  if (typeof line !== 'object' || line === null) return undefined
  const op = (line as Line)['op']
  const has = (key: string): boolean => Object.hasOwn(line, key)
  return KINDS.find((kind) => (op === undefined || op === kind.op) && kind.keys.every(has))
}

/**
 * Whether a parsed line of JSON is one of the numeric vectors: widening or narrowing codes, dequantizing by links
 * or ggml's blocks. They are known by their keys; other keys are passed over.
 */
export function isNumericVector(line: unknown): boolean {
  return kindOf(line) !== undefined
}

/** Runs one numeric vector: everything but NaN is compared bit for bit. Never throws for what a line may hold. */
export function runNumericVector(line: unknown): VectorResult {
  const kind = kindOf(line)
  if (kind === undefined) return { passed: false, expected: 'a numeric vector', came: 'a line with other keys' }
  try {
    return kind.run(line as Line)
  } catch (error) {
    if (!isKilnError(error)) throw error
    return { passed: false, expected: `a result of ${kind.op}`, came: error.message }
  }
}

function runWiden(line: Line): VectorResult {
  const dtype = dtypeName(line, 'dtype')
  const bytes = pack(integers(line, 'codes'), dtypeOf(dtype).blockBits)
  return compare('f32', strings(line, 'f32'), bitsOf(widen({ dtype, shape: [integers(line, 'codes').length], bytes })))
}

function runNarrow(line: Line): VectorResult {
  const dtype = dtypeName(line, 'dtype')
  const mode = line['mode']
  if (mode !== 'saturate' && mode !== 'overflow') throw wrong('mode', "'saturate' or 'overflow'")
  const numbers = numbersOfBits(line)
  const expected = array(line, 'codes').map(String)
  const bytes = narrow(numbers, dtype, { mode })
  // Any NaN will do, so codes are told by what they stand for.
  const back = widen({ dtype, shape: [numbers.length], bytes }, 'f64')
  const codes = unpack(bytes, dtypeOf(dtype).blockBits, numbers.length)
  return compare('codes', expected, codes.map((code, i) => (Number.isNaN(back[i]) ? 'nan' : String(code))))
}

function runDequantize(line: Line): VectorResult {
  const outer = line['outer']
  return compare('f32', strings(line, 'f32'), bitsOf(dequantize({
    dtype: dtypeName(line, 'dtype'),
    shape: integers(line, 'shape'),
    bytes: bytesOf(line, 'data'),
    axis: integer(line['axis'], 'axis'),
    groupSize: integer(line['group_size'], 'group_size'),
    scale: {
      dtype: dtypeName(line, 'scale_dtype'),
      shape: integers(line, 'scale_shape'),
      bytes: bytesOf(line, 'scale_data'),
    },
    outer: outer === null || outer === undefined ? undefined : f32Tensor(outer),
  })))
}

function runGgml(line: Line): VectorResult {
  const expected = strings(line, 'f32')
  const tensor = { dtype: dtypeName(line, 'dtype'), shape: [expected.length], bytes: bytesOf(line, 'data') }
  return compare('f32', expected, bitsOf(dequantize(tensor)))
}

function compare(what: string, expected: readonly string[], came: readonly string[]): VectorResult {
  if (expected.length !== came.length) {
    return { passed: false, expected: `${expected.length} of ${what}`, came: `${came.length}` }
  }
  const at = came.findIndex((value, i) => value !== expected[i])
  return at < 0 ? { passed: true } : { passed: false, expected: `${what}[${at}] ${expected[at]}`, came: `${came[at]}` }
}

function bitsOf(values: Float32Array): string[] {
  const view = new DataView(values.buffer, values.byteOffset, values.byteLength)
  return Array.from(values, (value, i) => (Number.isNaN(value) ? 'nan' : hex(view.getUint32(i * 4, true), 8)))
}

function hex(word: number, digits: number): string {
  return word.toString(16).padStart(digits, '0')
}

/** A payload of codes (FORMAT, Dtypes): an element's bits from the low ones up, then the next element's. */
function pack(codes: readonly number[], bits: number): Uint8Array {
  const bytes = new Uint8Array(Math.ceil((codes.length * bits) / 8))
  codes.forEach((code, i) => {
    for (let bit = 0; bit < bits; bit++) {
      const at = i * bits + bit
      if (Math.floor(code / 2 ** bit) % 2 === 1) bytes[Math.floor(at / 8)]! += 2 ** (at % 8)
    }
  })
  return bytes
}

function unpack(bytes: Uint8Array, bits: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => {
    let code = 0
    for (let bit = 0; bit < bits; bit++) {
      const at = i * bits + bit
      if (Math.floor(bytes[Math.floor(at / 8)]! / 2 ** (at % 8)) % 2 === 1) code += 2 ** bit
    }
    return code
  })
}

function numbersOfBits(line: Line): Float32Array | Float64Array {
  const from = line['from']
  if (from !== 'f32' && from !== 'f64') throw wrong('from', "'f32' or 'f64'")
  const bits = strings(line, 'bits')
  const width = from === 'f32' ? 4 : 8
  const view = new DataView(new ArrayBuffer(bits.length * width))
  bits.forEach((word, i) => {
    if (!/^[0-9a-f]+$/i.test(word) || word.length !== width * 2) throw wrong('bits', `${width * 2} hex digits each`)
    if (from === 'f32') view.setUint32(i * 4, Number.parseInt(word, 16))
    else view.setBigUint64(i * 8, BigInt(`0x${word}`))
  })
  if (from === 'f32') return Float32Array.from(bits, (_, i) => view.getFloat32(i * 4))
  return Float64Array.from(bits, (_, i) => view.getFloat64(i * 8))
}

function f32Tensor(bits: unknown): NumericTensor {
  if (typeof bits !== 'string' || !/^[0-9a-f]{8}$/i.test(bits)) throw wrong('outer', 'null or 8 hex digits')
  return { dtype: 'f32', shape: [], bytes: pack([Number.parseInt(bits, 16)], 32) }
}

function bytesOf(line: Line, key: string): Uint8Array {
  const text = line[key]
  if (typeof text !== 'string' || !/^([0-9a-f]{2})*$/i.test(text)) throw wrong(key, 'bytes in hex')
  return Uint8Array.from({ length: text.length / 2 }, (_, i) => Number.parseInt(text.slice(i * 2, i * 2 + 2), 16))
}

function dtypeName(line: Line, key: string): DtypeName {
  const name = line[key]
  if (typeof name !== 'string') throw wrong(key, "a dtype's name")
  return dtypeOf(name).name
}

function array(line: Line, key: string): readonly unknown[] {
  const value = line[key]
  if (!Array.isArray(value)) throw wrong(key, 'an array')
  return value
}

function strings(line: Line, key: string): string[] {
  return array(line, key).map((value) => (typeof value === 'string' ? value.toLowerCase() : String(value)))
}

function integers(line: Line, key: string): number[] {
  return array(line, key).map((value) => integer(value, key))
}

function integer(value: unknown, key: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw wrong(key, 'integers from 0 on')
  return value
}

function wrong(key: string, want: string): KilnError {
  return new KilnError('TYPE', `this has to be ${want}`).within(key)
}
