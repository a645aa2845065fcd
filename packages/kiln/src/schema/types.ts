/** The scalars of fixed width (FORMAT §2). `f16` and `bf16` are their 16 bits, never widened. */
export type ScalarName =
  | 'bool' | 'i8' | 'u8' | 'i16' | 'u16' | 'i32' | 'u32' | 'i64' | 'u64' | 'f16' | 'bf16' | 'f32' | 'f64'

/** The scalars that a dict can have as keys, beside `string`. */
export type KeyScalarName = 'bool' | 'i8' | 'u8' | 'i16' | 'u16' | 'i32' | 'u32' | 'i64' | 'u64'

/** What every schema has: schemas are frozen plain objects, and two that print alike are interchangeable. */
export interface SchemaFacts {
  /** Canonical text (FORMAT §3). */
  readonly text: string
  /** FNV-1a 64 over the text's tokens (FORMAT §3). */
  readonly hash: bigint
  /** Levels of `list`, `dict`, `option` and `struct`; 0 for any other type, at most 64. */
  readonly depth: number
}

/** A scalar of fixed width: a bool or a number. */
export interface Scalar<N extends ScalarName = ScalarName> extends SchemaFacts {
  readonly kind: N
}
/** `string`: UTF-8 behind a length. */
export interface Text extends SchemaFacts {
  readonly kind: 'string'
}
/** `bytes`: any bytes behind a length. */
export interface Bytes extends SchemaFacts {
  readonly kind: 'bytes'
}
/** A tensor directory as a value. */
export interface Tensors extends SchemaFacts {
  readonly kind: 'tensors'
}
/** `list<element>`: a count and the elements. */
export interface List<E extends Schema = Schema> extends SchemaFacts {
  readonly kind: 'list'
  readonly element: E
}
/** `dict<key,value>`: a count, and keys and values in turn, in the order in which they were written. */
export interface Dict<K extends KeySchema = KeySchema, V extends Schema = Schema> extends SchemaFacts {
  readonly kind: 'dict'
  readonly key: K
  readonly value: V
}
/** `option<some>`: a value or nothing. Never straight in another option. */
export interface Option<T extends Schema = Schema> extends SchemaFacts {
  readonly kind: 'option'
  readonly some: T
}
/** `struct{…}`: fields in order, at least one. */
export interface Struct<F extends Fields = Fields> extends SchemaFacts {
  readonly kind: 'struct'
  /** The fields' names in order, which an object with names such as `1` can't tell. */
  readonly names: readonly string[]
  /** The fields' schemas by name, in an object without a prototype. */
  readonly fields: F
}

/** The fields of a struct, by name. */
export interface Fields {
  readonly [name: string]: Schema
}

/** What a dict can have as its key. */
export type KeySchema = Scalar<KeyScalarName> | Text

/** The description of a Frozen value, made by the builders of `k` or by `parseSchema`. */
export type Schema = Scalar | Text | Bytes | Tensors | List | Dict | Option | Struct
