/** Whether slices, one behind the other, are these bytes. */
export function sameBytes(parts: readonly Uint8Array[], bytes: Uint8Array): boolean {
  let at = 0
  for (const part of parts) {
    if (Buffer.compare(part, bytes.subarray(at, at + part.length)) !== 0) return false
    at += part.length
  }
  return at === bytes.length
}
