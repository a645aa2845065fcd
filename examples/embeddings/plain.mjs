// The same without Kiln, for comparison: JSON, a line an embedding, and numpy's files, one for vectors and one for ids.
import { createReadStream } from 'node:fs'
import { appendFile, readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { openNpy, writeNpy } from 'kiln-convert'
import { bytesSource, encodeDirectory, openDirectory } from 'kiln-format'
import { fileSink } from 'kiln-format/node'
import { tensorsOf } from './directory.mjs'
import { DIMENSIONS } from './embeddings.mjs'

/** @typedef {import('./embeddings.mjs').Item} Item */

/**
 * @param {string} path
 * @param {Item[]} items
 */
export async function appendJson(path, items) {
  for (let at = 0; at < items.length; at += 1000) {
    const lines = items.slice(at, at + 1000).map(({ id, vector }) => `${JSON.stringify({ id, vector: [...vector] })}\n`)
    await appendFile(path, lines.join(''))
  }
}

/**
 * @param {string} path
 * @param {import('./nearest.mjs').Nearest} nearest
 */
export async function searchJson(path, nearest) {
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const { id, vector } = JSON.parse(line)
    nearest.look(id, Float32Array.from(vector))
  }
}

/**
 * @param {string} path of a folder
 * @param {Item[]} items
 */
export async function writeNpyPair(path, items) {
  const directory = await openDirectory(encodeDirectory(tensorsOf(items)))
  for (const { name, dtype, shape, byteLength } of directory) {
    const tensor = { name, dtype, shape, byteLength, chunks: () => directory.chunks(name) }
    await writeNpy(tensor, await fileSink(`${path}/${name}.npy`))
  }
}

/**
 * @param {string} path
 * @param {import('./nearest.mjs').Nearest} nearest
 */
export async function searchNpyPair(path, nearest) {
  const vectors = new Float32Array(await readNpy(`${path}/vectors.npy`))
  new Uint32Array(await readNpy(`${path}/ids.npy`)).forEach((id, i) => nearest.look(id, vectors, i * DIMENSIONS))
}

/** @param {string} path */
async function readNpy(path) {
  const { tensors } = await openNpy(bytesSource(await readFile(path)))
  const bytes = new Uint8Array(tensors[0]?.byteLength ?? 0)
  let at = 0
  for await (const piece of tensors[0]?.chunks() ?? []) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes.buffer
}
