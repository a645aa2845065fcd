import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const shared = process.env['KILN_SHARED'] ?? fileURLToPath(new URL('../../../../../shared', import.meta.url))
export const fixtures = join(shared, 'fixtures')

/** Whether the fixtures are there; tests that need them say that they are skipped where they are not. */
export const hasFixtures = existsSync(fixtures)
if (!hasFixtures) console.warn(`fixtures are not at ${fixtures}: tests of them are skipped; set KILN_SHARED`)

/** What a fixture's `.expect.json` says of a tensor. */
export interface ExpectedTensor {
  readonly name: string
  readonly dtype: string
  readonly shape: readonly number[]
  readonly byte_length: number
  readonly sha256: string
}

export interface Fixture {
  readonly file: string
  readonly path: string
  /** Undefined where the file is to be refused. */
  readonly expected: readonly ExpectedTensor[] | undefined
}

/** The files of a folder that are models, by its manifest. */
export function fixturesOf(folder: string): Fixture[] {
  if (!hasFixtures) return []
  const [, ...lines] = readFileSync(join(fixtures, folder, 'MANIFEST.tsv'), 'utf8').trimEnd().split('\n')
  return lines
    .map((line) => line.split('\t'))
    .filter((cells) => !(cells[5] ?? '').startsWith('external data of'))
    .map(([file = '']) => {
      const path = join(fixtures, folder, file)
      const expected = existsSync(`${path}.expect.json`)
        ? (JSON.parse(readFileSync(`${path}.expect.json`, 'utf8')) as ExpectedTensor[])
        : undefined
      const readable = expected?.filter(({ dtype }) => dtype !== 'string')
      return { file, path, expected: readable === undefined || (readable.length === 0 && expected?.length !== 0) ? undefined : readable }
    })
}
