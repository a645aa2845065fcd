/** The part of Float16Array (ES2025; Node 24 and later) that Kiln uses. */
export interface Float16ArrayLike {
  set(values: ArrayLike<number>): void
}

/** Its constructor, for a view of 16-bit words. */
export type Float16ArrayType = new (buffer: ArrayBuffer, byteOffset: number, length: number) => Float16ArrayLike

/** The host's Float16Array, or undefined where it has none. Looked up at each call, since it may be patched in. */
export function hostFloat16Array(): Float16ArrayType | undefined {
  const type: unknown = (globalThis as { Float16Array?: unknown }).Float16Array
  return typeof type === 'function' ? (type as Float16ArrayType) : undefined
}
