import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const shared = process.env['KILN_SHARED'] ?? join(root, '../shared')

if (!existsSync(shared)) console.warn(`fixtures are not at ${shared}: converters are fuzzed with few seeds or none; set KILN_SHARED`)

/** Every case of the case files: `{ kind, name, hex?, schema?, text? }`. */
export const cases = ['kiln-pod', 'kiln-v2', 'frame', 'schema'].flatMap(
  (name) => JSON.parse(readFileSync(join(root, `spec/${name}-cases.json`), 'utf8')).cases,
)

/** The bytes of all cases of some kinds. */
export function bytesOfCases(...kinds) {
  return cases.filter(({ kind, hex }) => kinds.includes(kind) && hex !== undefined).map(({ hex }) => new Uint8Array(Buffer.from(hex, 'hex')))
}

/** Files of a folder of the fixtures that are not large, expectations left out; none where the fixtures are missing. */
export function fixtures(folder, most = 16_384) {
  const path = join(shared, 'fixtures', folder)
  if (!existsSync(path)) return []
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/(\.(expect|meta)\.json|MANIFEST\.tsv)$/.test(entry.name))
    .map((entry) => new Uint8Array(readFileSync(join(entry.parentPath ?? entry.path, entry.name))))
    .filter(({ length }) => length <= most)
}

/** The documents that golden modules are made of. */
export function documents() {
  const folder = join(root, 'packages/cli/test/gen/documents')
  return readdirSync(folder).map((name) => new Uint8Array(readFileSync(join(folder, name))))
}
