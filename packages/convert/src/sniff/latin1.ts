/** At most the first 4,096 bytes as text of one byte a character: enough to look for words in. */
export function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes.subarray(0, 4096))
}
