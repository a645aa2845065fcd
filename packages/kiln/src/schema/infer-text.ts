import type { Bytes, Dict, KeySchema, List, Option, Scalar, ScalarName, Schema, Struct, Tensors, Text } from './types.js'

/**
 * The schema type of a literal text: `ParsedSchema<'list<f32>'>` is `List<Scalar<'f32'>>`. For text that
 * is not known at compile time it is `Schema`; for text that can't be a schema it is `never`.
 */
export type ParsedSchema<T extends string> = string extends T ? Schema : Whole<Type<Tight<T>>>

type Whole<R> = R extends [infer S extends Schema, ''] ? S : never

/** The text without white space. */
type Tight<T extends string> = T extends `${infer A} ${infer B}`
  ? Tight<`${A}${B}`>
  : T extends `${infer A}\n${infer B}`
    ? Tight<`${A}${B}`>
    : T extends `${infer A}\t${infer B}`
      ? Tight<`${A}${B}`>
      : T extends `${infer A}\r${infer B}`
        ? Tight<`${A}${B}`>
        : T

/** A type at the front of the text, as a pair of its schema and the text behind it. */
type Type<T extends string> = T extends `list<${infer R}`
  ? AsList<Type<R>>
  : T extends `option<${infer R}`
    ? AsOption<Type<R>>
    : T extends `dict<${infer R}`
      ? AsDict<Type<R>>
      : T extends `struct{${infer R}`
        ? FieldsOf<R, unknown>
        : T extends `string${infer R}`
          ? [Text, R]
          : T extends `bytes${infer R}`
            ? [Bytes, R]
            : T extends `tensors${infer R}`
              ? [Tensors, R]
              : AsScalar<T, ScalarName>

type AsScalar<T extends string, N extends ScalarName> = N extends N
  ? T extends `${N}${infer R}`
    ? [Scalar<N>, R]
    : never
  : never

type AsList<P> = P extends [infer E extends Schema, `>${infer R}`] ? [List<E>, R] : never

type AsOption<P> = P extends [infer S extends Schema, `>${infer R}`] ? [Option<S>, R] : never

type AsDict<P> = P extends [infer K extends KeySchema, `,${infer R}`] ? AsDictValue<K, Type<R>> : never

type AsDictValue<K extends KeySchema, P> = P extends [infer V extends Schema, `>${infer R}`] ? [Dict<K, V>, R] : never

type FieldsOf<T extends string, Seen> = T extends `}${infer R}`
  ? [Struct<Flat<Seen>>, R]
  : T extends `${infer Name}:${infer R}`
    ? NextField<Name, Type<R>, Seen>
    : never

type NextField<Name extends string, P, Seen> = P extends [infer S extends Schema, infer R extends string]
  ? R extends `,${infer More}`
    ? FieldsOf<More, Seen & { readonly [N in Name]: S }>
    : R extends `}${string}`
      ? FieldsOf<R, Seen & { readonly [N in Name]: S }>
      : never
  : never

/** One object type instead of an intersection, for the tooltip. */
type Flat<F> = { readonly [N in keyof F]: F[N] extends Schema ? F[N] : never }
