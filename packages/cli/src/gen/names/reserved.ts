/** Words of the language, and names that strict code can't bind. */
export const RESERVED_WORDS: ReadonlySet<string> = new Set(
  `abstract any arguments as asserts async await bigint boolean break case catch class const constructor continue
  debugger declare default delete do else enum eval export extends false finally for from function get global
  globalThis if implements import in infer instanceof interface intrinsic is keyof let module namespace never new null
  number object of out override package private protected public readonly require return satisfies set static string
  super switch symbol this throw true try type typeof undefined unique unknown using var void while with yield
  Infinity NaN`.split(/\s+/),
)

/**
 * Types of the language, which every program has. One of a document's that had such a name would hide it in the
 * module, and in every module that imports it. Those of browsers alone, such as Request, are free.
 */
export const GLOBAL_TYPES: ReadonlySet<string> = new Set(
  `AggregateError Array ArrayBuffer ArrayBufferLike ArrayBufferView ArrayLike AsyncGenerator AsyncIterable
  AsyncIterableIterator AsyncIterator Atomics Awaited BigInt BigInt64Array BigUint64Array Boolean Capitalize
  ConcatArray DataView Date Error EvalError Exclude Extract Float16Array Float32Array
  Float64Array Function Generator InstanceType Int16Array Int32Array Int8Array Intl Iterable
  IterableIterator Iterator JSON Lowercase Map Math NoInfer NonNullable Number Object Omit OmitThisParameter
  Parameters Partial Pick Promise PromiseLike PropertyDescriptor PropertyKey Proxy RangeError Readonly ReadonlyArray
  ReadonlyMap ReadonlySet Record ReferenceError Reflect RegExp Required ReturnType Set
  SharedArrayBuffer String Symbol SyntaxError ThisType TypeError URIError Uint16Array Uint32Array Uint8Array
  Uint8ClampedArray Uncapitalize Uppercase WeakMap WeakRef WeakSet `.split(/\s+/),
)
