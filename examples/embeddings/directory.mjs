import { readFile } from 'node:fs/promises'
import { encodeDirectory, openDirectory, readDirectory, tensor, writeDirectory } from 'kiln-format'
import { fileSink, openFile } from 'kiln-format/node'
import { DIMENSIONS } from './embeddings.mjs'

/** @typedef {import('./embeddings.mjs').Item} Item */

/**
 * All vectors as one matrix, all ids beside it.
 *
 * @param {Item[]} items
 */
export function tensorsOf(items) {
  const vectors = new Float32Array(items.length * DIMENSIONS)
  items.forEach(({ vector }, i) => vectors.set(vector, i * DIMENSIONS))
  return [
    tensor('vectors', 'f32', [items.length, DIMENSIONS], vectors),
    tensor('ids', 'u32', [items.length], Uint32Array.from(items, ({ id }) => id)),
  ]
}

/**
 * @param {string} path
 * @param {Item[]} items
 */
export async function writeToDirectory(path, items) {
  await writeDirectory(await fileSink(path), tensorsOf(items))
}

/**
 * A directory is written once: to add to it is to write another, piece by piece, which then takes its place. Whoever
 * reads the file meanwhile sees the old one, whole.
 *
 * @param {string} path
 * @param {Item[]} items
 */
export async function appendToDirectory(path, items) {
  const old = await openDirectory(await openFile(path))
  const added = readDirectory(encodeDirectory(tensorsOf(items)))
  const joined = Array.from(old, ({ name, dtype, shape: [rows = 0, ...rest] }) => ({
    name,
    dtype,
    shape: [rows + items.length, ...rest],
    async *chunks() {
      yield* old.chunks(name)
      yield added.get(name).bytes
    },
  }))
  await writeDirectory(await fileSink(path), joined)
  await old.close()
}

/**
 * @param {string} path
 * @param {import('./nearest.mjs').Nearest} nearest
 */
export async function searchDirectory(path, nearest) {
  const directory = readDirectory(await readFile(path))
  const vectors = directory.get('vectors').borrow('f32')
  directory.get('ids').borrow('u32').forEach((id, i) => nearest.look(id, vectors, i * DIMENSIONS))
}
