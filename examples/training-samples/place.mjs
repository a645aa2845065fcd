import { urlSource } from 'kiln-format'
import { openFile } from 'kiln-format/node'

/**
 * A file of a dataset, which lies in a folder or behind a URL. What reads it need not know which.
 *
 * @param {string} place
 * @param {string} file
 * @returns {Promise<import('kiln-format').ByteSource>}
 */
export function openAt(place, file) {
  // A block's place is known, so that no bytes are asked for ahead but those that tell the size.
  if (/^https?:/.test(place)) return urlSource(`${place}/${encodeURIComponent(file)}`, { prefetch: 512 })
  return openFile(`${place}/${file}`)
}
