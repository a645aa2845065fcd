import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'

interface Measured {
  readonly size: number
  readonly time: number
  readonly memory: number
}

const KINDS = [
  'list<string>', 'list<string>, cut', 'dict<string,u32>', 'structs, borrowed', 'structs in a frame with a checksum', 'a directory',
  'a directory, by all its names', 'structs of a bool', 'empty lists', 'empty dicts', 'a text', 'bytes', 'schema text',
]
// An object costs 48 to 64 bytes, and there are schemas by which one byte of input is one.
const OBJECTS = ['structs of a bool', 'empty lists', 'empty dicts']
// The collector copies what lives on, at every filling of its young space: how often, and on how many processors, depends on
// the machine, and took from 20 to 150 times as long for 16 times the structs. In a space for all of them it has no part.
const COLLECTOR = ['--expose-gc', '--single-threaded-gc', '--min-semi-space-size=128', '--max-semi-space-size=128']
// On a machine whose processors do other things large memory is dear now and then. What grows with the square does so each time.
const RUNS = 3
const MOST = 100

const ratioOf = (measured: readonly Measured[]): number => measured[2]!.time / measured[0]!.time

const results: Record<string, readonly Measured[]> = {}
beforeAll(async () => {
  const script = fileURLToPath(new URL('growth.mjs', import.meta.url))
  for (let run = 0; run < RUNS; run++) {
    const again = KINDS.filter((kind) => results[kind] === undefined || ratioOf(results[kind]) >= MOST)
    if (again.length === 0) break
    const { stdout } = await promisify(execFile)(process.execPath, [...COLLECTOR, script, ...again])
    Object.assign(results, JSON.parse(stdout))
  }
}, 300_000)

describe.each(KINDS)('%s', (kind) => {
  // Sizes are 1, 4 and 16. What grows with the square takes 256 times as long for the last, what grows with the length
  // 16 times; between them is room for caches that overflow, collections, and a machine that does other things.
  test('time grows with the input and no faster', () => {
    const [small, , large] = results[kind]!
    expect(large!.size / small!.size).toBeGreaterThan(15)
    expect(ratioOf(results[kind]!)).toBeLessThan(MOST)
  })

  // A string costs 12 to 40 bytes of the heap beside its text, an object with its fields some more.
  test('memory is a small multiple of the input', () => {
    const multiple = OBJECTS.includes(kind) ? 80 : 16
    for (const { size, memory } of results[kind]!) expect(memory).toBeLessThan(multiple * size + 200_000)
  })
})
