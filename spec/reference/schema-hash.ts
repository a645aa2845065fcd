import { encodeUtf8 } from './utf8.js'
import type { Schema } from './schema-tree.js'

/** The tokens of a type (FORMAT §3, Hash). Put together they are its canonical text. */
export function tokensOf(schema: Schema): string[] {
  switch (schema.kind) {
    case 'word':
      return [schema.word]
    case 'list':
      return ['list<', ...tokensOf(schema.element), '>']
    case 'dict':
      return ['dict<', ...tokensOf(schema.key), ',', ...tokensOf(schema.value), '>']
    case 'option':
      return ['option<', ...tokensOf(schema.inner), '>']
    case 'struct':
      return ['struct{', ...schema.fields.flatMap((f) => [f.name, ':', ...tokensOf(f.type), ',']), '}']
  }
}

/** The canonical text: every token, nothing between. */
export function canonicalText(schema: Schema): string {
  return tokensOf(schema).join('')
}

/** FNV-1a 64 over the tokens, each closed as if a zero byte followed it. */
export function hashOf(schema: Schema): bigint {
  let hash = 0xcbf29ce484222325n
  for (const token of tokensOf(schema)) {
    for (const byte of [...encodeUtf8(token), 0]) {
      hash ^= BigInt(byte)
      hash = (hash * 0x100000001b3n) % 2n ** 64n
    }
  }
  return hash
}
