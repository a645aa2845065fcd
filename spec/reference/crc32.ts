/** CRC-32 of zip and PNG: polynomial EDB88320 reflected, start and end inverted. One bit at a time. */
export function crc32(bytes: Uint8Array): bigint {
  let crc = 0xffffffffn
  for (const byte of bytes) {
    crc ^= BigInt(byte)
    for (let bit = 0; bit < 8; bit++) crc = crc % 2n === 1n ? (crc / 2n) ^ 0xedb88320n : crc / 2n
  }
  return crc ^ 0xffffffffn
}
