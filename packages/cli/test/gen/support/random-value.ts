import { tensor, type Schema, type TensorInput } from 'kiln-format'
import type { Random } from './random.js'

const ranges: Readonly<Record<string, readonly [number, number]>> = {
  i8: [-128, 127],
  u8: [0, 255],
  i16: [-32768, 32767],
  u16: [0, 65535],
  i32: [-(2 ** 31), 2 ** 31 - 1],
  u32: [0, 2 ** 32 - 1],
  f16: [0, 65535],
  bf16: [0, 65535],
}
const floats = [0, -0, 1, -2.5, 1e300, 1e-300, Infinity, -Infinity, NaN, 0.1]
const texts = ['', 'a', 'plain', 'é', '日本語', '\u{1f600}', '\u0000', '\ufeff', 'x'.repeat(40), 'ü'.repeat(33)]

/** A value that a schema takes, in one of the forms that it can be given in. */
export function randomValue(random: Random, schema: Schema): unknown {
  switch (schema.kind) {
    case 'bool':
      return random.chance(2)
    case 'f64':
      return random.of(floats)
    case 'f32':
      return Math.fround(random.of(floats.filter((f) => Math.abs(f) !== 1e300)))
    case 'i64':
      return random.of([0n, -1n, 2n ** 63n - 1n, -(2n ** 63n), 5, -7, 2 ** 53 - 1, BigInt(random.int(1000))])
    case 'u64':
      return random.of([0n, 1n, 2n ** 64n - 1n, 5, 2 ** 53 - 1, BigInt(random.int(1000))])
    case 'string':
      return random.chance(100) ? 'y'.repeat(5000) : random.of(texts)
    case 'bytes':
      return random.bytes(random.chance(20) ? 2000 : random.int(9))
    case 'tensors':
      return tensors(random)
    case 'list':
      return listValue(random, schema.element)
    case 'dict':
      return dictValue(random, schema.key, schema.value)
    case 'option':
      return random.of([undefined, null, 0]) === 0 ? randomValue(random, schema.some) : random.of([undefined, null])
    case 'struct': {
      const value: Record<string, unknown> = {}
      for (const name of schema.names) {
        const field = randomValue(random, schema.fields[name]!)
        if (field !== undefined || random.chance(2)) value[name] = field
      }
      return value
    }
    default:
      return integer(random, schema.kind)
  }
}

function integer(random: Random, kind: string): number {
  const [low, high] = ranges[kind]!
  return random.of([low, high, 0, 1, Math.min(high, random.int(1000))])
}

const arrays: Readonly<Record<string, { from(values: never[]): unknown }>> = {
  i8: Int8Array,
  u8: Uint8Array,
  i16: Int16Array,
  u16: Uint16Array,
  i32: Int32Array,
  u32: Uint32Array,
  i64: BigInt64Array,
  u64: BigUint64Array,
  f16: Uint16Array,
  bf16: Uint16Array,
  f32: Float32Array,
  f64: Float64Array,
} as never

function listValue(random: Random, element: Schema): unknown {
  const length = random.chance(20) && arrays[element.kind] !== undefined ? 300 : random.int(4)
  const values = Array.from({ length }, () => randomValue(random, element))
  const array = arrays[element.kind]
  if (array === undefined || random.chance(2)) return values
  const big = element.kind === 'i64' || element.kind === 'u64'
  return array.from((big ? values.map((value) => BigInt(value as number)) : values) as never[])
}

function dictValue(random: Random, key: Schema, value: Schema): unknown {
  const map = new Map<unknown, unknown>()
  for (let n = random.int(5); n > 0; n--) {
    const entryKey = randomValue(random, key)
    map.set(
      key.kind === 'i64' || key.kind === 'u64' ? BigInt(entryKey as number) : entryKey,
      randomValue(random, value),
    )
  }
  if (key.kind === 'string' && random.chance(3)) return Object.fromEntries(map)
  return map
}

function tensors(random: Random): TensorInput[] {
  const list: TensorInput[] = []
  for (let n = random.int(4); n > 0; n--) {
    const length = random.of([0, 1, 3, 70])
    list.push(
      tensor(random.chance(3) ? '' : `t${n}`, 'f32', [length], new Float32Array(random.bytes(length * 4).buffer), {
        checksum: random.chance(2),
      }),
    )
  }
  return list
}

const wrong = [
  undefined,
  null,
  'text',
  -1,
  1e10,
  3.5,
  {},
  [],
  '\ud800',
  new Map(),
  2n ** 70n,
  true,
  () => 1,
  new Uint8Array(3),
  [[1]],
]

/** A value that differs in one place, which a writer may refuse. */
export function spoiled(random: Random, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || random.chance(6))
    return random.of(wrong)
  if (Array.isArray(value)) {
    const at = random.int(value.length + 1)
    return value.length === 0 ? random.of(wrong) : value.map((item, i) => (i === at ? spoiled(random, item) : item))
  }
  if (value instanceof Map) {
    const at = random.int(value.size + 1)
    return new Map(
      [...value].map(([key, item], i) =>
        i !== at ? [key, item] : random.chance(2) ? [random.of(wrong), item] : [key, spoiled(random, item)],
      ),
    )
  }
  const names = Object.keys(value)
  const name = names.length === 0 ? undefined : random.of(names)
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) =>
      key !== name ? [[key, item]] : random.chance(5) ? [] : [[key, spoiled(random, item)]],
    ),
  )
}
