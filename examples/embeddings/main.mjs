// node main.mjs [COUNT]: embeddings in five kinds of files, added to and searched; what each costs.
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { appendToDirectory, searchDirectory, writeToDirectory } from './directory.mjs'
import { Embedding, LabelledEmbedding, madeUp } from './embeddings.mjs'
import { appendFrames, searchFrames } from './frames.mjs'
import { Nearest } from './nearest.mjs'
import { appendJson, searchJson, searchNpyPair, writeNpyPair } from './plain.mjs'
import { EmbeddingStore } from './sqlite.mjs'

const count = Number(process.argv[2] ?? 100_000)
const folder = fileURLToPath(new URL('.tmp/', import.meta.url))
await rm(folder, { recursive: true, force: true })
await mkdir(join(folder, 'npy'), { recursive: true })
const at = (/** @type {string} */ name) => join(folder, name)

const items = madeUp(0, count)
// Those that are added later have a language too, where records can have more than one form.
const later = madeUp(count, count + count / 100)
const labelled = later.map((item) => ({ ...item, language: 'en' }))
const query = /** @type {Float32Array} */ (later[7]?.vector)

const store = new EmbeddingStore(at('embeddings.sqlite'))
/** @type {{ name: string, file: string, write(): unknown, append(): unknown, search(nearest: Nearest): unknown }[]} */
const ways = [
  {
    name: 'Kiln, a frame each',
    file: 'frames.kiln',
    write: () => appendFrames(at('frames.kiln'), Embedding, items),
    append: () => appendFrames(at('frames.kiln'), LabelledEmbedding, labelled),
    search: (nearest) => searchFrames(at('frames.kiln'), nearest),
  },
  {
    name: 'Kiln, a directory',
    file: 'directory.kiln',
    write: () => writeToDirectory(at('directory.kiln'), items),
    append: () => appendToDirectory(at('directory.kiln'), later),
    search: (nearest) => searchDirectory(at('directory.kiln'), nearest),
  },
  {
    name: 'SQLite, BLOBs of Kiln',
    file: 'embeddings.sqlite',
    write: () => store.insert(Embedding, items),
    append: () => store.insert(LabelledEmbedding, labelled),
    search: (nearest) => store.search(nearest),
  },
  {
    name: 'NPY',
    file: 'npy',
    write: () => writeNpyPair(at('npy'), items),
    append: () => writeNpyPair(at('npy'), [...items, ...later]),
    search: (nearest) => searchNpyPair(at('npy'), nearest),
  },
  {
    name: 'JSON, a line each',
    file: 'embeddings.jsonl',
    write: () => appendJson(at('embeddings.jsonl'), items),
    append: () => appendJson(at('embeddings.jsonl'), later),
    search: (nearest) => searchJson(at('embeddings.jsonl'), nearest),
  },
]

console.log(`${count.toLocaleString('en')} embeddings of 128 floats, then 1 % more; milliseconds\n`)
console.log('                           write    append    search         bytes')
/** @type {string | undefined} */
let expected
for (const { name, file, write, append, search } of ways) {
  const nearest = new Nearest(query)
  const times = [await timed(write), await timed(append), await timed(() => search(nearest))]
  const found = JSON.stringify(nearest.found)
  expected ??= found
  if (found !== expected) throw new Error(`${name} found others: ${found}`)
  const columns = times.map((time) => time.toFixed(0).padStart(9)).join(' ')
  console.log(`${name.padEnd(22)} ${columns} ${(await bytesOf(at(file))).toLocaleString('en').padStart(13)}`)
}
store.close()
console.log('\nAll found the same ten, with the same similarities, bit for bit:')
console.log(JSON.parse(expected ?? '[]').map(({ id = 0 }) => id).join(' '))

/** @param {() => unknown} task */
async function timed(task) {
  const start = performance.now()
  await task()
  return performance.now() - start
}

/** @param {string} path */
async function bytesOf(path) {
  const found = await stat(path)
  if (!found.isDirectory()) return found.size
  const sizes = await Promise.all((await readdir(path)).map(async (name) => (await stat(join(path, name))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}
