import { dtypes, elementCount, k, payloadLength } from 'kiln-format'

const numbers = [k.i8, k.u8, k.i16, k.u16, k.i32, k.u32, k.i64, k.u64, k.f16, k.bf16, k.f32, k.f64]
const keys = [k.string, k.bool, k.i8, k.u8, k.u16, k.i32, k.u32, k.i64, k.u64]
const names = ['id', 'class', 'constructor', 'toString', 'await', 'a-b', 'a.b', '1', 'length', '"q"', '`$(1)`', '*/', 'back\\slash', 'then']
const texts = ['', 'a', 'kiln', '\u0000', '\ufeffx', '\u00e9', 'e\u0301', '\u20ac\u{1f600}', '\ud7ff\ue000', 'long text '.repeat(9), '__proto__']

/** A schema of at most `depth` levels. */
export function makeSchema(random, depth) {
  switch (depth === 0 ? random.int(5) : random.int(13)) {
    case 0:
    case 1:
      return random.of(numbers)
    case 2:
      return k.string
    case 3:
      return random.of([k.bytes, k.bool])
    case 4:
      return random.chance(3) ? k.tensors : random.of(numbers)
    case 5:
      return k.list(random.of(numbers))
    case 6:
    case 7:
      return k.list(makeSchema(random, depth - 1))
    case 8:
      return k.dict(random.of(keys), makeSchema(random, depth - 1))
    case 9: {
      const some = makeSchema(random, depth - 1)
      return some.kind === 'option' ? some : k.option(some)
    }
    default: {
      const fields = new Map()
      for (let n = 1 + random.int(5); n > 0; n--) fields.set(random.chance(2) ? random.of(names) : `f${random.int(100)}`, makeSchema(random, depth - 1))
      return k.struct([...fields])
    }
  }
}

/** A value that a schema takes. */
export function makeValue(random, schema) {
  switch (schema.kind) {
    case 'bool':
      return random.chance(2)
    case 'f32':
      return Math.fround(random.of([0, -0, 1, -2.5, Infinity, -Infinity, NaN, 0.1]))
    case 'f64':
      return random.of([0, -0, 1, -2.5, 1e300, Infinity, NaN, 0.1])
    case 'i64':
      return random.of([0n, -1n, 2n ** 63n - 1n, -(2n ** 63n), 5, -7, 2 ** 53 - 1])
    case 'u64':
      return random.of([0n, 1n, 2n ** 64n - 1n, 2n ** 63n, 5, 2 ** 53 - 1])
    case 'string':
      return random.of(texts)
    case 'bytes':
      return random.bytes(random.int(30))
    case 'tensors':
      return makeTensors(random)
    case 'list':
      return Array.from({ length: random.chance(10) ? 100 : random.int(4) }, () => makeValue(random, schema.element))
    case 'dict': {
      const big = schema.key.kind === 'i64' || schema.key.kind === 'u64'
      const entry = () => {
        const key = makeValue(random, schema.key)
        return [big ? BigInt(key) : key, makeValue(random, schema.value)]
      }
      return new Map(Array.from({ length: random.int(4) }, entry))
    }
    case 'option':
      return random.chance(2) ? undefined : makeValue(random, schema.some)
    case 'struct':
      return Object.fromEntries(schema.names.map((name) => [name, makeValue(random, schema.fields[name])]))
    default: {
      const { low, high } = rangeOf(schema.kind)
      return random.of([low, high, 0, 1, Math.min(high, random.int(1000))])
    }
  }
}

function rangeOf(kind) {
  const bits = kind === 'f16' || kind === 'bf16' ? 16 : Number(kind.slice(1))
  return kind.startsWith('i') ? { low: -(2 ** (bits - 1)), high: 2 ** (bits - 1) - 1 } : { low: 0, high: 2 ** bits - 1 }
}

/** Up to five tensors of any dtype and shape, one of them perhaps with scales, some with checksums. */
export function makeTensors(random) {
  const tensors = Array.from({ length: random.int(4) }, (_, i) => {
    const dtype = random.of(dtypes)
    const shape = Array.from({ length: random.int(4) }, () => random.of([0, 1, 2, 3, 5]))
    if (dtype.foreign) shape.push(256 * random.int(2))
    return { name: random.chance(4) ? '' : `${random.of(texts)}${i}`, dtype: dtype.name, shape, data: random.bytes(payloadLength(dtype, shape)), checksum: random.chance(3) }
  })
  const data = tensors.find(({ shape }) => shape.length > 0)
  if (data === undefined || random.chance(2)) return tensors
  const axis = random.int(data.shape.length)
  const groupSize = 1 + random.int(4)
  const scales = [...data.shape]
  scales[axis] = Math.ceil(scales[axis] / groupSize)
  const outer = random.chance(2)
  const linked = tensors.map((t) => (t === data ? { ...t, scale: 'scale', axis, groupSize, ...(outer ? { outer: 'outer' } : {}) } : t))
  return [
    ...linked,
    { name: 'scale', dtype: 'e8m0', shape: scales, data: random.bytes(elementCount(scales)) },
    ...(outer ? [{ name: 'outer', dtype: 'f32', shape: [], data: random.bytes(4) }] : []),
  ]
}
