import type { AnyArrays, NumberName, NumberValue, OwnArrays } from '../bytes/elements.js'
import type { OwnBytes } from '../bytes/host.js'
import type { NumberList } from '../frozen/number-list.js'
import type { Int64 } from '../limits/limits.js'
import type { Directory } from '../tensors/directory.js'
import type { TensorInput } from '../tensors/tensor-input.js'
import type { Bytes, Dict, Fields, List, Option, Scalar, ScalarName, Schema, Struct, Tensors, Text } from './types.js'

type ScalarValue<N extends ScalarName, I extends Int64> = N extends 'bool'
  ? boolean
  : N extends 'i64' | 'u64'
    ? I extends 'number' ? number : bigint
    : number

/**
 * The value that `decode` gives for a schema: bigint for 64-bit integers (number with
 * `{ int64: 'number' }`), typed arrays for lists of numbers, Map for dicts, undefined for an empty option.
 */
export type Infer<S extends Schema, I extends Int64 = 'bigint'> = Schema extends S
  ? unknown
  : S extends Scalar<infer N>
    ? ScalarValue<N, I>
    : S extends Text
      ? string
      : S extends Bytes
        ? OwnBytes
        : S extends Tensors
          ? Directory
          : S extends List<infer E>
            ? InferList<E, I>
            : S extends Dict<infer K, infer V>
              ? Map<Infer<K, I>, Infer<V, I>>
              : S extends Option<infer T>
                ? Infer<T, I> | undefined
                : S extends Struct<infer F>
                  ? InferStruct<F, I>
                  : never

type InferList<E extends Schema, I extends Int64> =
  E extends Scalar<infer N> ? (N extends NumberName ? OwnArrays[N] : boolean[]) : Infer<E, I>[]

type InferStruct<F extends Fields, I extends Int64> = { -readonly [N in keyof F]: Infer<F[N], I> }

/**
 * The value that `view` gives for a schema: as {@link Infer}, but lists of numbers and bytes point into
 * the input.
 */
export type Viewed<S extends Schema, I extends Int64 = 'bigint'> = Schema extends S
  ? unknown
  : S extends Bytes
    ? Uint8Array
    : S extends List<infer E>
      ? ViewedList<E, I>
      : S extends Dict<infer K, infer V>
        ? Map<Infer<K, I>, Viewed<V, I>>
        : S extends Option<infer T>
          ? Viewed<T, I> | undefined
          : S extends Struct<infer F>
            ? ViewedStruct<F, I>
            : Infer<S, I>

type ViewedList<E extends Schema, I extends Int64> =
  E extends Scalar<infer N> ? (N extends NumberName ? NumberList<N> : boolean[]) : Viewed<E, I>[]

type ViewedStruct<F extends Fields, I extends Int64> = { -readonly [N in keyof F]: Viewed<F[N], I> }

/**
 * What `encode` takes for a schema: safe integers or bigints for 64-bit integers, plain or typed arrays for
 * lists, a Map (or for string keys an object) for dicts, arrays of tensors for directories; undefined, null
 * or nothing at all for an empty option.
 */
export type Input<S extends Schema> = Schema extends S
  ? unknown
  : S extends Scalar<infer N>
    ? InputScalar<N>
    : S extends Text
      ? string
      : S extends Bytes
        ? ArrayBufferView | ArrayBufferLike
        : S extends Tensors
          ? Directory | readonly TensorInput[]
          : S extends List<infer E>
            ? InputList<E>
            : S extends Dict<infer K, infer V>
              ? InputDict<K, V>
              : S extends Option<infer T>
                ? Input<T> | null | undefined
                : S extends Struct<infer F>
                  ? InputStruct<F>
                  : never

type InputScalar<N extends ScalarName> = N extends 'bool' ? boolean : N extends 'i64' | 'u64' ? bigint | number : number

type InputList<E extends Schema> =
  E extends Scalar<infer N>
    ? N extends NumberName
      ? AnyArrays[N] | NumberList<N> | readonly (NumberValue<N> | number)[] | ArrayBufferView
      : readonly boolean[]
    : readonly Input<E>[]

type InputDict<K extends Schema, V extends Schema> = K extends Text
  ? ReadonlyMap<string, Input<V>> | { readonly [key: string]: Input<V> }
  : ReadonlyMap<Input<K>, Input<V>>

type OptionalNames<F extends Fields> = { [N in keyof F]: F[N] extends Option ? N : never }[keyof F]

type InputStruct<F extends Fields> = Flat<
  { readonly [N in Exclude<keyof F, OptionalNames<F>>]: Input<F[N]> } & {
    readonly [N in OptionalNames<F>]?: Input<F[N]>
  }
>

/** One object type instead of an intersection, for the tooltip. */
type Flat<T> = { [N in keyof T]: T[N] }
