import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const shared = process.env['KILN_SHARED'] ?? fileURLToPath(new URL('../../../../../shared', import.meta.url))
const root = join(shared, 'fixtures')

/** Whether the fixtures are there; tests that need them say that they are skipped where they are not. */
export const hasFixtures = existsSync(root)
if (!hasFixtures) console.warn(`fixtures are not at ${root}: tests of them are skipped; set KILN_SHARED`)

/** A tensor as a `.expect.json` has it. */
export interface ExpectedTensor {
  readonly name: string
  readonly dtype: string
  readonly shape: readonly number[]
  readonly byte_length: number
  readonly sha256: string
  readonly native_dtype: string | number
  readonly [other: string]: unknown
}

/** A line of a folder's manifest, with what stands beside the file. */
export interface Fixture {
  readonly file: string
  readonly note: string
  readonly bytes: Uint8Array
  readonly expect: readonly ExpectedTensor[] | undefined
  readonly meta: Readonly<Record<string, unknown>> | undefined
}

/** Every file of a folder by its manifest, in its order; a file that is not in the manifest is an error. */
export function fixturesOf(folder: string): Fixture[] {
  if (!hasFixtures) return []
  const [, ...lines] = readFileSync(join(root, folder, 'MANIFEST.tsv'), 'utf8')
    .trimEnd()
    .split('\n')
  const listed = new Set(lines.map((line) => line.split('\t')[0]))
  for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name).slice(join(root, folder).length + 1)
    const beside = /\.(expect|meta)\.json$|^MANIFEST\.tsv$/.test(file)
    if (entry.isFile() && !beside && !listed.has(file)) throw new Error(`${file} is not in the manifest of ${folder}`)
  }
  return lines.map((line) => {
    const [file = '', , sha, , , note = ''] = line.split('\t')
    const path = join(root, folder, file)
    const bytes = new Uint8Array(readFileSync(path))
    if (sha256(bytes) !== sha) throw new Error(`${path} is not the file of its manifest`)
    return {
      file,
      note,
      bytes,
      expect: beside(`${path}.expect.json`) as readonly ExpectedTensor[] | undefined,
      meta: beside(`${path}.meta.json`) as Readonly<Record<string, unknown>> | undefined,
    }
  })
}

/** JSON beside a file, if there is some. Integers of 16 digits and more come as bigints. */
function beside(path: string): unknown {
  if (!existsSync(path)) return undefined
  const text = readFileSync(path, 'utf8').replace(/(^|[\s:[,])(-?\d{16,})(?=[\s,\]}])/gm, '$1{"$$big":"$2"}')
  return JSON.parse(text, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && '$big' in value ? BigInt(value.$big as string) : value,
  )
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
