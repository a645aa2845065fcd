import type { ByteReader } from '../bytes/reader.js'
import type { ByteWriter } from '../bytes/writer.js'
import { BlockDirectory, type Directory } from '../tensors/directory.js'
import { directoryInputs } from '../tensors/encode-directory.js'
import { writeDirectory } from '../tensors/write.js'

function readBlock(r: ByteReader, ownTable: boolean): BlockDirectory {
  const directory = new BlockDirectory()
  r.pos += directory.load(r.bytes, r.view, r.pos, r.end - r.pos, r.settings, { ownTable, unstable: r.unstable })
  return directory
}

/**
 * Reads `tensors`, one directory block; the next field starts where it ends (FORMAT §4 step 8). The table is copied,
 * tensors' payloads stay in the input.
 */
export function readTensors(r: ByteReader): Directory {
  return readBlock(r, true)
}

/** Reads a directory where it lies. */
export function viewTensors(r: ByteReader): Directory {
  return readBlock(r, false)
}

/** Writes a directory as a field: the canonical block. What is neither a directory nor tensors is `TYPE`. */
export function writeTensors(w: ByteWriter, value: unknown): void {
  writeDirectory(w, directoryInputs(value))
}
