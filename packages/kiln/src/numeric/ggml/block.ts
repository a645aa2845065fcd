import { f32BitsOfCodes } from '../widen-tables.js'

/**
 * Dequantizes one block: from `bytes` at `at` into `target` at `to`. Every step of ggml's reference is rounded
 * to f32; in these types each product and each sum before the last is exact in f32 as it is, so the one
 * rounding is that of the store into `target`.
 */
export type BlockReader = (bytes: Uint8Array, at: number, target: Float32Array, to: number) => void

let halves: Float32Array | undefined

/** The f16 at a byte offset. */
export function halfAt(bytes: Uint8Array, at: number): number {
  halves ??= new Float32Array(f32BitsOfCodes('f16').buffer)
  return halves[bytes[at]! | (bytes[at + 1]! << 8)]!
}

/** The unsigned 16-bit word at a byte offset. */
export function wordAt(bytes: Uint8Array, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8)
}

/** The signed byte at an offset. */
export function signedAt(bytes: Uint8Array, at: number): number {
  return (bytes[at]! << 24) >> 24
}
