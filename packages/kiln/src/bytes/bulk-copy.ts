import { littleEndian } from './host.js'

/** Bytes of an element that is copied as one. */
export type Width = 1 | 2 | 4 | 8

/**
 * Copies elements of `width` bytes between Kiln's little-endian order and this machine's, in either
 * direction (FORMAT §2, Lists of fixed-width numbers). On a little-endian host that is one `set`; on
 * a big-endian one the bytes of each element are swapped on the way. `target` has room for `source`,
 * whose length is a multiple of `width`; neither needs to be aligned.
 *
 * `hostIsLittleEndian` is for tests, which run both ways on one machine.
 */
export function bulkCopy(
  target: Uint8Array,
  source: Uint8Array,
  width: Width,
  hostIsLittleEndian: boolean = littleEndian,
): void {
  if (hostIsLittleEndian || width === 1) {
    target.set(source)
    return
  }
  for (let i = 0; i < source.length; i += width) {
    for (let j = 0; j < width; j++) target[i + j] = source[i + width - 1 - j]!
  }
}
