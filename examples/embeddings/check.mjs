// The example at its full size, and SQLite: `npm test` here.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import Database from 'better-sqlite3'
import { k } from 'kiln-format'
import { Embedding, LabelledEmbedding, madeUp } from './embeddings.mjs'
import { Nearest } from './nearest.mjs'
import { EmbeddingStore } from './sqlite.mjs'

const root = fileURLToPath(new URL('.', import.meta.url))

test('100,000 embeddings: sizes are what they are, and all files give the same ten', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['main.mjs'], { cwd: root })
  console.log(stdout)
  const sizes = Object.fromEntries(
    [...stdout.matchAll(/^(\S.*?) {2,}\d+ +\d+ +\d+ +([\d,]+)$/gm)].map(([, name, bytes]) => [name, Number(bytes?.replaceAll(',', ''))]),
  )
  assert.equal(sizes['Kiln, a frame each'], 100_000 * 552 + 1000 * 558)
  assert.equal(sizes['Kiln, a directory'], 384 + 101_000 * (512 + 4))
  assert.equal(sizes['NPY'], 2 * 128 + 101_000 * (512 + 4))
  assert.match(stdout, /bit for bit:\n100007( \d+){9}\n/)
})

test('a row of SQLite is read by the schema that it was written with', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'kiln-embeddings-'))
  context.after(() => rm(folder, { recursive: true }))
  const path = join(folder, 'embeddings.sqlite')
  const [first, second] = madeUp(1, 3)
  assert(first && second)
  let store = new EmbeddingStore(path)
  store.insert(Embedding, [first])
  store.close()
  store = new EmbeddingStore(path)
  store.insert(LabelledEmbedding, [{ ...second, language: 'de' }])
  assert.deepEqual(store.get(1), first)
  assert.deepEqual(store.get(2), { ...second, language: 'de' })
  assert.equal(store.get(3), undefined)
  const nearest = new Nearest(second.vector)
  store.search(nearest)
  assert.deepEqual(nearest.found.map(({ id }) => id), [2, 1])

  store.insert(k.struct({ id: k.u32 }), [{ id: 3 }])
  assert.throws(() => store.get(3), /the rows of struct{id:u32,} are no embeddings/)
  store.close()

  const database = new Database(path)
  assert.deepEqual(database.prepare('SELECT text FROM schemas ORDER BY text').pluck().all(), [
    'struct{id:u32,}', LabelledEmbedding.text, Embedding.text,
  ])
  assert.equal(database.prepare('SELECT length(value) FROM embeddings WHERE id = 1').pluck().get(), 520)
  database.pragma('foreign_keys = off')
  database.prepare('DELETE FROM schemas WHERE text = ?').run(Embedding.text)
  database.close()
  store = new EmbeddingStore(path)
  assert.throws(() => store.get(1), /the schema 0xe8e4b1d9dd967b29 is not in the table/)
  store.close()
})
