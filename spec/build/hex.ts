/**
 * Bytes as lower-case hex text, which is what case files hold: joining is `+`, and a builder reads
 * like the table of the format that it follows.
 */
export type Hex = string

type Int = number | bigint

/** `width` little-endian bytes; a negative number in two's complement. */
function le(value: Int, width: number): Hex {
  const digits = BigInt.asUintN(8 * width, BigInt(value)).toString(16).padStart(2 * width, '0')
  return digits.match(/../g)!.reverse().join('')
}

export const u8 = (value: Int): Hex => le(value, 1)
export const u16 = (value: Int): Hex => le(value, 2)
export const u32 = (value: Int): Hex => le(value, 4)
export const u64 = (value: Int): Hex => le(value, 8)

/** Hex as people write it, with spaces. */
export function raw(hex: string): Hex {
  const packed = hex.replaceAll(' ', '')
  if (!/^([0-9a-f]{2})*$/.test(packed)) throw new Error(`not hex: ${hex}`)
  return packed
}

/** IEEE bits, most significant digit first, as the bytes that stand in a file. */
export function bits(digits: string): Hex {
  return digits.match(/../g)!.reverse().join('')
}

/** The UTF-8 of a text, without a length. */
export function utf8(text: string): Hex {
  return Buffer.from(text, 'utf8').toString('hex')
}

/** A Frozen string: its length in bytes, then UTF-8. */
export function str(text: string): Hex {
  return u32(size(utf8(text))) + utf8(text)
}

/** A Frozen string of given bytes, UTF-8 or not. */
export function strOf(hex: Hex): Hex {
  return u32(size(hex)) + hex
}

export function size(hex: Hex): number {
  return hex.length / 2
}

export function zeros(count: number): Hex {
  return '00'.repeat(count)
}

export function align64(n: number): number {
  return Math.ceil(n / 64) * 64
}

/** Zeros up to the next multiple of 64. */
export function padded64(hex: Hex): Hex {
  return hex + zeros(align64(size(hex)) - size(hex))
}

/** `hex` with other bytes at a place. */
export function patched(hex: Hex, offset: number, bytes: Hex): Hex {
  if (offset + size(bytes) > size(hex)) throw new Error('a patch past the end')
  return hex.slice(0, 2 * offset) + bytes + hex.slice(2 * offset + bytes.length)
}

/** The first `count` bytes. */
export function first(hex: Hex, count: number): Hex {
  return hex.slice(0, 2 * count)
}
