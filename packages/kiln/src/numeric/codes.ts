/**
 * Elements narrower than a byte (FORMAT §4, Dtypes): element i of b bits is bits i*b and up of the payload,
 * counted from the low bit of byte 0. Positions are split by division, since i*b may be over 2^32.
 */

/** The code of one element of 1, 2, 4, 6 or 8 bits. */
export function codeAt(bytes: Uint8Array, bits: number, index: number): number {
  const position = index * bits
  const byte = Math.floor(position / 8)
  const shift = position % 8
  const low = bytes[byte]! >> shift
  // Only 6-bit elements run over into the next byte.
  const code = shift + bits > 8 ? low | (bytes[byte + 1]! << (8 - shift)) : low
  return code & (2 ** bits - 1)
}

/** The codes of the first `count` elements, one a byte. */
export function unpackCodes(bytes: Uint8Array, bits: number, count: number, codes: Uint8Array): void {
  for (let i = 0; i < count; i++) codes[i] = codeAt(bytes, bits, i)
}

/**
 * Packs codes of 1, 2, 4 or 6 bits from the start of `bytes` on; the unused bits of the last byte are 0.
 * A run that others follow has to end at a byte's end, which a multiple of 8 codes always does.
 */
export function packCodes(codes: Uint8Array, bits: number, count: number, bytes: Uint8Array): void {
  if (bits === 4 && count % 2 === 0) return packPairs(codes, count, bytes)
  let held = 0
  let heldBits = 0
  let at = 0
  for (let i = 0; i < count; i++) {
    held |= codes[i]! << heldBits
    heldBits += bits
    while (heldBits >= 8) {
      bytes[at++] = held & 0xff
      held >>>= 8
      heldBits -= 8
    }
  }
  if (heldBits > 0) bytes[at] = held
}

// The most frequent case, without bits held over.
function packPairs(codes: Uint8Array, count: number, bytes: Uint8Array): void {
  for (let i = 0, at = 0; i < count; i += 2, at++) bytes[at] = codes[i]! | (codes[i + 1]! << 4)
}
