import { openDirectory } from 'kiln-format'
import { openFile } from 'kiln-format/node'
import { mkdtemp, readFile, rm, stat, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { appendToDirectory, searchDirectory, writeToDirectory } from './directory.mjs'
import { DIMENSIONS, Embedding, LabelledEmbedding, madeUp } from './embeddings.mjs'
import { appendFrames, cutTornFrame, searchFrames } from './frames.mjs'
import { Nearest } from './nearest.mjs'
import { appendJson, searchJson, searchNpyPair, writeNpyPair } from './plain.mjs'

// All of it but SQLite, whose package is not the root's: check.mjs has that, and the full size.

const items = madeUp(0, 500)
const later = madeUp(500, 550)
const labelled = later.map((item) => ({ ...item, language: 'en' }))
const query = later[7]!.vector

/** The nearest of some embeddings by sorting all of them. */
function nearestOf(all: readonly { id: number; vector: Float32Array }[]): { id: number; similarity: number }[] {
  return all
    .map(({ id, vector }) => ({ id, similarity: vector.reduce((sum, value, i) => sum + value * query[i]!, 0) }))
    .sort((a, b) => b.similarity - a.similarity)
    .slice(0, 10)
}

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kiln-embeddings-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function found(search: (path: string, nearest: Nearest) => Promise<void>, path: string): Promise<Nearest['found']> {
  const nearest = new Nearest(query)
  await search(path, nearest)
  return nearest.found
}

test('embeddings have length 1 and are the same in every run', () => {
  for (const { vector } of items) expect(vector.reduce((sum, value) => sum + value * value, 0)).toBeCloseTo(1, 6)
  expect(madeUp(7, 8)[0]!.vector).toEqual(items[7]!.vector)
  expect(nearestOf([...items, ...later])[0]).toMatchObject({ id: 507 })
})

describe('frames', () => {
  test('are 552 bytes each, added to at the end, and searched where they lie', async () => {
    const path = join(folder, 'frames.kiln')
    await appendFrames(path, Embedding, items)
    const before = await readFile(path)
    expect(before).toHaveLength(500 * 552)
    expect(await found(searchFrames, path)).toEqual(nearestOf(items))

    await appendFrames(path, LabelledEmbedding, labelled)
    const after = await readFile(path)
    expect(after.subarray(0, before.length).equals(before)).toBe(true)
    expect(await found(searchFrames, path)).toEqual(nearestOf([...items, ...later]))
  })

  test('an append that was cut off is an error with the place, and can be cut away', async () => {
    const path = join(folder, 'frames.kiln')
    await appendFrames(path, Embedding, items)
    for (const missing of [1, 519, 521, 551]) {
      await truncate(path, 500 * 552 - missing)
      await expect(found(searchFrames, path)).rejects.toMatchObject({ code: 'EOF' })
      await cutTornFrame(path)
      expect((await stat(path)).size).toBe(499 * 552)
      await cutTornFrame(path)
      expect((await stat(path)).size).toBe(499 * 552)
      await appendFrames(path, Embedding, [items[499]!])
      expect(await found(searchFrames, path)).toEqual(nearestOf(items))
    }
  })
})

test('a directory is one matrix, which an append replaces by a longer one', async () => {
  const path = join(folder, 'directory.kiln')
  await writeToDirectory(path, items)
  expect(await found(searchDirectory, path)).toEqual(nearestOf(items))
  await appendToDirectory(path, later)
  expect(await found(searchDirectory, path)).toEqual(nearestOf([...items, ...later]))

  await using directory = await openDirectory(await openFile(path))
  expect(directory.get('vectors')).toMatchObject({ dtype: 'f32', shape: [550, DIMENSIONS] })
  expect((await directory.slice('vectors', 507, 508)).copy('f32')).toEqual(query)
})

test('NPY and JSON hold the same', async () => {
  const lines = join(folder, 'embeddings.jsonl')
  await appendJson(lines, items)
  await appendJson(lines, later)
  expect(await found(searchJson, lines)).toEqual(nearestOf([...items, ...later]))
  await writeNpyPair(folder, [...items, ...later])
  expect(await found(searchNpyPair, folder)).toEqual(nearestOf([...items, ...later]))
  expect((await stat(join(folder, 'vectors.npy'))).size).toBe(128 + 550 * 512)
})
