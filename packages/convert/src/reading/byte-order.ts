/** Whether this machine's typed arrays are little-endian, as Kiln's payloads are. */
export const hostIsLittleEndian: boolean = new Uint8Array(Uint16Array.of(1).buffer, 0, 1)[0] === 1

/**
 * Turns round the bytes of each number in place. `width` is the bytes of one number (1, 2, 4 or 8),
 * and `bytes` is a whole count of them, the caller's own: never what a source gave.
 */
export function swapNumbers(bytes: Uint8Array, width: number): void {
  if (width < 2) return
  if (width === 2) {
    for (let i = 0; i < bytes.length; i += 2) {
      const first = bytes[i]!
      bytes[i] = bytes[i + 1]!
      bytes[i + 1] = first
    }
    return
  }
  for (let i = 0; i < bytes.length; i += width) {
    for (let low = i, high = i + width - 1; low < high; low++, high--) {
      const first = bytes[low]!
      bytes[low] = bytes[high]!
      bytes[high] = first
    }
  }
}
