import { appendFile, readFile, truncate } from 'node:fs/promises'
import { encodeFrame, framesOf, isKilnError, readFrameHeader, viewFrame } from 'kiln-format'
import { openFile } from 'kiln-format/node'
import { Embedding, LabelledEmbedding } from './embeddings.mjs'

// How many frames are put together for one write.
const BATCH = 1000

/**
 * Adds embeddings to the end of a file: a frame each, and nothing of the file is read or moved. A new file begins so too.
 *
 * @template {import('kiln-format').Schema} S
 * @param {string} path
 * @param {S} schema
 * @param {import('kiln-format').Input<S>[]} items
 */
export async function appendFrames(path, schema, items) {
  for (let at = 0; at < items.length; at += BATCH) {
    await appendFile(path, Buffer.concat(items.slice(at, at + BATCH).map((item) => encodeFrame(schema, item))))
  }
}

/**
 * Goes through a whole file. No vector is copied: each is looked at where it lies in the file's bytes.
 *
 * @param {string} path
 * @param {import('./nearest.mjs').Nearest} nearest
 */
export async function searchFrames(path, nearest) {
  const bytes = await readFile(path)
  for (let at = 0; at < bytes.length;) {
    const { headerSize, bodyLength } = readFrameHeader(bytes.subarray(at))
    const end = at + headerSize + bodyLength
    const { vector, id } = viewFrame(bytes.subarray(at, end), [Embedding, LabelledEmbedding]).value
    // Behind a frame with text of any length the next one may lie askew for floats.
    nearest.look(id, vector.aligned ? vector.borrow() : vector.copy())
    at = end
  }
}

/**
 * Cuts away what an append has left behind that was itself cut off, by a crash or a full disk. Only heads are read.
 *
 * @param {string} path
 */
export async function cutTornFrame(path) {
  const source = await openFile(path)
  try {
    const frames = framesOf(source, [Embedding, LabelledEmbedding])
    while (!(await frames.next()).done);
  } catch (error) {
    // The error says where the last whole frame ends.
    if (!isKilnError(error) || error.code !== 'EOF') throw error
    await truncate(path, error.offset)
  } finally {
    await source.close()
  }
}
