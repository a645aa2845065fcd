import { isBuffer } from '../bytes/input.js'
import type { ByteInput } from '../frozen/decode.js'
import { blobSource, isBlobLike, type BlobLike } from './blob-source.js'
import { bytesSource } from './bytes-source.js'
import { checkSource } from './check-source.js'
import type { ByteSource } from './source.js'

/** What can be opened: a source, a Blob or File, or bytes. */
export type SourceInput = ByteSource | BlobLike | ByteInput

/** Whatever was given, as a source; anything else is `TYPE`. */
export function sourceOf(input: SourceInput): ByteSource {
  if (ArrayBuffer.isView(input) || isBuffer(input)) return bytesSource(input)
  if (isBlobLike(input)) return blobSource(input)
  checkSource(input)
  return input
}
