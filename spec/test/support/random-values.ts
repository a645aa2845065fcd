import type { CaseTensor, CaseValue } from '../../reference/case-values.js'
import { DTYPES, elementsOf, payloadBytes } from '../../reference/dtypes.js'
import { KEY_WORDS, NUMBER_WIDTH, type Field, type Schema, type Word } from '../../reference/schema-tree.js'
import type { Random } from './random.js'

const WORDS: readonly Word[] = [
  'bool',
  'i8',
  'u8',
  'i16',
  'u16',
  'i32',
  'u32',
  'i64',
  'u64',
  'f16',
  'bf16',
  'f32',
  'f64',
  'string',
  'bytes',
  'tensors',
]

/** A schema of at most `depth` levels. */
export function randomSchema(random: Random, depth: number, inOption = false): Schema {
  const kind = depth === 0 ? 'word' : random.of(['word', 'list', 'list', 'dict', 'option', 'struct', 'struct'] as const)
  switch (kind) {
    case 'word':
      return { kind, word: random.of(WORDS) }
    case 'list':
      return { kind, element: randomSchema(random, depth - 1) }
    case 'dict':
      return {
        kind,
        key: { kind: 'word', word: random.of([...KEY_WORDS]) as Word },
        value: randomSchema(random, depth - 1),
      }
    case 'option':
      return inOption ? randomSchema(random, depth - 1, true) : { kind, inner: randomSchema(random, depth - 1, true) }
    case 'struct': {
      const fields: Field[] = random.many(3, (i) => ({
        name: `${random.of(NAMES)}${i}`,
        type: randomSchema(random, depth - 1),
      }))
      return { kind, fields: [{ name: 'z', type: randomSchema(random, depth - 1) }, ...fields] }
    }
  }
}

const NAMES = ['a', 'B', '_', '!', 'id', 'constructor', '1', 'u8', 'list', '"x']
const TEXTS = [
  '',
  'a',
  'kiln',
  '\u0000',
  '\ufeffx',
  '\u00e9',
  'e\u0301',
  '\u20ac\u{1f600}',
  '\ud7ff\ue000',
  'long text '.repeat(9),
]

/** A value of the schema, in the notation of the case files. */
export function randomValue(random: Random, schema: Schema): CaseValue {
  switch (schema.kind) {
    case 'word':
      return randomWord(random, schema.word)
    case 'list': {
      const width = schema.element.kind === 'word' ? NUMBER_WIDTH.get(schema.element.word) : undefined
      if (width === undefined) return random.many(3, () => randomValue(random, schema.element))
      const count = random.below(5)
      return { count, hex: random.hex(count * width) }
    }
    case 'dict': {
      const entries = new Map(
        random.many(3, () => [randomValue(random, schema.key), randomValue(random, schema.value)]),
      )
      return [...entries]
    }
    case 'option':
      return random.chance(3) ? null : randomValue(random, schema.inner)
    case 'struct':
      return Object.fromEntries(schema.fields.map(({ name, type }) => [name, randomValue(random, type)]))
  }
}

function randomWord(random: Random, word: Word): CaseValue {
  switch (word) {
    case 'bool':
      return random.chance(2)
    case 'string':
      return random.of(TEXTS) + random.of(TEXTS)
    case 'bytes':
      return { hex: random.hex(random.below(20)) }
    case 'tensors':
      return randomTensors(random)
    case 'f32':
      return { bits: random.of(['80000000', '3f800000', '7f800000', '00000001', '7fc00000', random.hex(4)]) }
    case 'f64':
      return { bits: random.of(['8000000000000000', '3ff0000000000000', '7ff8000000000000', random.hex(8)]) }
    default: {
      const width = NUMBER_WIDTH.get(word)!
      const bits = random.of([
        0n,
        1n,
        2n ** BigInt(8 * width) - 1n,
        2n ** BigInt(8 * width - 1),
        BigInt(`0x${random.hex(width)}`),
      ])
      const number = word.startsWith('i') ? BigInt.asIntN(8 * width, bits) : bits
      return width === 8 ? number.toString() : Number(number)
    }
  }
}

/** Up to five tensors, some of them quantized, all good. */
export function randomTensors(random: Random): CaseTensor[] {
  const tensors: CaseTensor[] = random.many(3, (i) => {
    const dtype = random.of(DTYPES)
    const shape = random.many(3, () => random.of([0, 1, 2, 3, 5]))
    if (dtype.elements > 1n) shape.push(Number(dtype.elements) * random.below(3))
    return {
      name: random.chance(4) ? '' : `${random.of(TEXTS)}${i}`,
      dtype: dtype.name,
      shape: shape.map(String),
      data: random.hex(Number(payloadBytes(dtype, shape.map(BigInt)))),
      scheme: 0,
      quant_axis: 0xffff,
      group_size: 0,
      scale_index: 0xffffffff,
      outer_index: 0xffffffff,
      checksum: random.chance(3) ? 0 : null,
    }
  })
  const data = tensors.findIndex((tensor) => tensor.shape.length > 0)
  return data === -1 || random.chance(2) ? tensors : quantized(random, tensors, data)
}

/** The tensors with the links of one of them, and what it links to. */
function quantized(random: Random, tensors: readonly CaseTensor[], index: number): CaseTensor[] {
  const data = tensors[index]!
  const axis = random.below(data.shape.length)
  const groupSize = 1 + random.below(4)
  const shape = data.shape.map(BigInt)
  const groups = (shape[axis]! + BigInt(groupSize) - 1n) / BigInt(groupSize)
  const scales = groups * elementsOf(shape.filter((_, i) => i !== axis))
  const withOuter = random.chance(2)
  const linked: CaseTensor = {
    ...data,
    scheme: withOuter ? 2 : 1,
    quant_axis: axis,
    group_size: groupSize,
    scale_index: tensors.length,
    outer_index: withOuter ? tensors.length + 1 : 0xffffffff,
  }
  const none = {
    scheme: 0,
    quant_axis: 0xffff,
    group_size: 0,
    scale_index: 0xffffffff,
    outer_index: 0xffffffff,
    checksum: null,
  }
  const scale = { ...none, name: 'scale', dtype: 'e8m0', shape: [scales.toString()], data: random.hex(Number(scales)) }
  const outer = { ...none, name: 'outer', dtype: 'f32', shape: random.of([[], ['1'], ['1', '1']]), data: random.hex(4) }
  return [...tensors.map((tensor, i) => (i === index ? linked : tensor)), scale, ...(withOuter ? [outer] : [])]
}
