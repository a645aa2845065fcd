/** The types whose name is the whole type (FORMAT §3). */
export type Word =
  | 'bool'
  | 'i8'
  | 'u8'
  | 'i16'
  | 'u16'
  | 'i32'
  | 'u32'
  | 'i64'
  | 'u64'
  | 'f16'
  | 'bf16'
  | 'f32'
  | 'f64'
  | 'string'
  | 'bytes'
  | 'tensors'

export interface Field {
  readonly name: string
  readonly type: Schema
}

export type Schema =
  | { readonly kind: 'word'; readonly word: Word }
  | { readonly kind: 'list'; readonly element: Schema }
  | { readonly kind: 'dict'; readonly key: Schema; readonly value: Schema }
  | { readonly kind: 'option'; readonly inner: Schema }
  | { readonly kind: 'struct'; readonly fields: readonly Field[] }

/** Bytes of each number; what is not in here is no fixed-width number (bool is none). */
export const NUMBER_WIDTH: ReadonlyMap<string, number> = new Map([
  ['i8', 1],
  ['u8', 1],
  ['i16', 2],
  ['u16', 2],
  ['i32', 4],
  ['u32', 4],
  ['i64', 8],
  ['u64', 8],
  ['f16', 2],
  ['bf16', 2],
  ['f32', 4],
  ['f64', 8],
])

/** What may be a dict's key. */
export const KEY_WORDS: ReadonlySet<string> = new Set([
  'string',
  'bool',
  'i8',
  'u8',
  'i16',
  'u16',
  'i32',
  'u32',
  'i64',
  'u64',
])

const OTHER_WORDS: ReadonlySet<string> = new Set(['bool', 'string', 'bytes', 'tensors'])

export function isWord(text: string): text is Word {
  return NUMBER_WIDTH.has(text) || OTHER_WORDS.has(text)
}

/** The width of a fixed-width number, or undefined for any other type. */
export function numberWidth(schema: Schema): number | undefined {
  return schema.kind === 'word' ? NUMBER_WIDTH.get(schema.word) : undefined
}

/** The fewest bytes that a value takes (the table of FORMAT §2). */
export function minSize(schema: Schema): bigint {
  switch (schema.kind) {
    case 'word': {
      if (schema.word === 'bool') return 1n
      if (schema.word === 'string' || schema.word === 'bytes') return 4n
      if (schema.word === 'tensors') return 64n
      return BigInt(NUMBER_WIDTH.get(schema.word)!)
    }
    case 'list':
    case 'dict':
      return 4n
    case 'option':
      return 1n
    case 'struct':
      return schema.fields.reduce((sum, field) => sum + minSize(field.type), 0n)
  }
}
