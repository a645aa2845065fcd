import { fromHex, joined, uintBytes } from './bytes.js'
import type { CaseValue } from './case-values.js'
import { writeDirectory } from './directory-write.js'
import { must } from './error.js'
import { NUMBER_WIDTH, type Schema, type Word, numberWidth } from './schema-tree.js'
import { encodeUtf8 } from './utf8.js'

/** The bytes of a value (FORMAT §2). */
export function writeFrozen(schema: Schema, value: CaseValue): Uint8Array {
  switch (schema.kind) {
    case 'word':
      return writeWord(schema.word, value)
    case 'list': {
      const width = numberWidth(schema.element)
      if (width !== undefined) {
        const data = fromHex(textOf(value, 'hex'))
        must(property(value, 'count') === data.length / width, 'TYPE', 'a list whose count is not its data')
        return joined([countBytes(data.length / width), data])
      }
      must(Array.isArray(value), 'TYPE', 'a list is an array')
      const elements = value as readonly CaseValue[]
      return joined([countBytes(elements.length), ...elements.map((item) => writeFrozen(schema.element, item))])
    }
    case 'dict': {
      must(Array.isArray(value), 'TYPE', 'a dict is an array of pairs')
      const pairs = value as readonly (readonly [CaseValue, CaseValue])[]
      must(new Set(pairs.map(([key]) => key)).size === pairs.length, 'TYPE', 'a key stands twice')
      const entries = pairs.flatMap(([k, v]) => [writeFrozen(schema.key, k), writeFrozen(schema.value, v)])
      return joined([countBytes(pairs.length), ...entries])
    }
    case 'option':
      return value === null ? uintBytes(0n, 1) : joined([uintBytes(1n, 1), writeFrozen(schema.inner, value)])
    case 'struct':
      return joined(schema.fields.map((field) => writeFrozen(field.type, property(value, field.name))))
  }
}

function countBytes(count: number): Uint8Array {
  must(count < 2 ** 32, 'LIMIT', 'a count over u32')
  return uintBytes(BigInt(count), 4)
}

function property(value: CaseValue, name: string): CaseValue {
  must(typeof value === 'object' && value !== null && Object.hasOwn(value, name), 'TYPE', `${name} is missing`)
  return (value as { readonly [key: string]: CaseValue })[name]!
}

function textOf(value: CaseValue, name: string): string {
  const text = property(value, name)
  must(typeof text === 'string', 'TYPE', `${name} is a string`)
  return text
}

function writeWord(word: Word, value: CaseValue): Uint8Array {
  switch (word) {
    case 'bool':
      must(typeof value === 'boolean', 'TYPE', 'a bool is true or false')
      return uintBytes(value ? 1n : 0n, 1)
    case 'string': {
      must(typeof value === 'string', 'TYPE', 'a string is a string')
      const text = encodeUtf8(value)
      return joined([countBytes(text.length), text])
    }
    case 'bytes': {
      const data = fromHex(textOf(value, 'hex'))
      return joined([countBytes(data.length), data])
    }
    case 'f32':
      return uintBytes(bitsOf(value, 8), 4)
    case 'f64':
      return uintBytes(bitsOf(value, 16), 8)
    case 'tensors':
      return writeDirectory(value)
    case 'i64':
    case 'u64':
      must(typeof value === 'string' && /^(0|-?[1-9][0-9]*)$/.test(value), 'TYPE', 'a decimal string')
      return integerBytes(word, BigInt(value))
    default:
      must(typeof value === 'number' && Number.isInteger(value), 'TYPE', 'an integer')
      return integerBytes(word, BigInt(value))
  }
}

function bitsOf(value: CaseValue, digits: number): bigint {
  const bits = textOf(value, 'bits')
  must(bits.length === digits && /^[0-9a-f]+$/.test(bits), 'TYPE', `bits are ${digits} hex digits`)
  return BigInt(`0x${bits}`)
}

function integerBytes(word: Word, value: bigint): Uint8Array {
  const width = NUMBER_WIDTH.get(word)!
  const range = 2n ** BigInt(8 * width)
  const isSigned = word.startsWith('i')
  const least = isSigned ? -range / 2n : 0n
  must(value >= least && value < least + range, 'TYPE', `${value} is out of the range of ${word}`)
  return uintBytes(value < 0n ? value + range : value, width)
}
