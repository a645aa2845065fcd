import type { AnyArrays, NumberName, NumberValue } from '../bytes/elements.js'
import type { NumberList } from '../frozen/number-list.js'
import type { Directory } from '../tensors/directory.js'
import type { TensorInput } from '../tensors/tensor-input.js'

/** What is taken for a list of fixed-width numbers. */
export type NumbersInput<N extends NumberName> =
  AnyArrays[N] | NumberList<N> | readonly (NumberValue<N> | number)[] | ArrayBufferView

/** What is taken for a dict with text as its keys. */
export type DictInput<V> = ReadonlyMap<string, V> | { readonly [key: string]: V }

/** What is taken for a directory of tensors. */
export type TensorsInput = Directory | readonly TensorInput[]
