import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const here = dirname(fileURLToPath(import.meta.url))
export const root = dirname(dirname(here))

/** The packages that are published, in the order in which they depend on each other; by folder. */
export const published = ['kiln', 'convert', 'inspector', 'cli'].map((folder) => {
  const path = join(root, 'packages', folder)
  return { folder, path, manifest: JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) }
})

export const manifestOf = (name) => published.find(({ manifest }) => manifest.name === name).manifest

/** The names by which a package's entries are imported. */
export const entriesOf = (name) =>
  Object.keys(manifestOf(name).exports)
    .filter((path) => !path.endsWith('.json'))
    .map((path) => name + path.slice(1))
