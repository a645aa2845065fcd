import type { ByteReader } from '../bytes/reader.js'
import { BlockDirectory } from '../tensors/directory.js'
import { directoryInputs } from '../tensors/encode-directory.js'
import { HEADER_SIZE } from '../tensors/header.js'
import { writeDirectory } from '../tensors/write.js'
import type { TypeCodec } from './codec.js'

function readBlock(r: ByteReader, ownTable: boolean): BlockDirectory {
  const directory = new BlockDirectory()
  r.pos += directory.load(r.bytes, r.view, r.pos, r.end - r.pos, r.settings, { ownTable, unstable: r.unstable })
  return directory
}

/** `tensors`: one directory block; the next field starts where it ends (FORMAT §4 step 8). */
export const tensorsCodec: TypeCodec = {
  minSize: HEADER_SIZE,
  read: (r) => readBlock(r, true),
  view: (r) => readBlock(r, false),
  write: (w, value) => writeDirectory(w, directoryInputs(value)),
}
