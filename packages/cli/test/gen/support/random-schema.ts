import { k, type KeySchema, type Schema } from 'kiln-format'
import type { Random } from './random.js'

const scalars = [k.bool, k.i8, k.u8, k.i16, k.u16, k.i32, k.u32, k.i64, k.u64, k.f16, k.bf16, k.f32, k.f64]
const keys: KeySchema[] = [k.string, k.string, k.bool, k.i8, k.u8, k.i16, k.u16, k.i32, k.u32, k.i64, k.u64]
const names = [
  'id',
  'name',
  'value',
  'class',
  'constructor',
  'toString',
  'hasOwnProperty',
  'await',
  'arguments',
  'eval',
  'yield',
  'let',
  'static',
  'default',
  'a-b',
  'a.b',
  '1',
  '42',
  'x',
  'r',
  'w',
  'at',
  'at2',
  'field',
  'error',
  'own',
  'value',
  'count',
  'i',
  'list',
  'key',
  'item',
  'entries',
  'take',
  'readString',
  'f32List',
  'rootText',
  'rootRun',
  'undefined',
  'Map',
  "it's",
  '"quoted"',
  '`tick$(1)`',
  'back\\slash',
  '*/',
  '//',
  '/*',
  '$',
  '_',
  '(',
  ']',
  ';',
  '=',
  'package',
  'inherited',
  'then',
  'length',
  'a b'.replace(' ', '_'),
]

/** A schema with every kind of type in it, hostile names too. */
export function randomSchema(random: Random, depth = 3): Schema {
  const kind = depth === 0 ? random.int(5) : random.int(13)
  switch (kind) {
    case 0:
    case 1:
      return random.of(scalars)
    case 2:
      return k.string
    case 3:
      return k.bytes
    case 4:
      return random.chance(3) ? k.tensors : random.of(scalars)
    case 5:
      return k.list(random.of(scalars))
    case 6:
    case 7:
      return k.list(randomSchema(random, depth - 1))
    case 8:
      return k.dict(random.of(keys), randomSchema(random, depth - 1))
    case 9: {
      const some = randomSchema(random, depth - 1)
      return some.kind === 'option' ? some : k.option(some)
    }
    default:
      return randomStruct(random, depth - 1)
  }
}

export function randomStruct(random: Random, depth: number): Schema {
  const fields = new Map<string, Schema>()
  for (let n = 1 + random.int(7); n > 0; n--) {
    const name = random.chance(2) ? random.of(names) : `f${random.int(100)}`
    fields.set(name, randomSchema(random, depth))
  }
  return k.struct([...fields])
}
