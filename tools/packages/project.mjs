import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { npm } from './run-program.mjs'

/** An empty project with nothing but these dependencies (name to tarball) installed, scripts and all. */
export async function makeProject(folder, dependencies) {
  mkdirSync(folder, { recursive: true })
  const files = Object.fromEntries(Object.entries(dependencies).map(([name, tarball]) => [name, `file:${tarball}`]))
  const manifest = { name: 'an-empty-project', version: '1.0.0', private: true, type: 'module', dependencies: files }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, null, 2))
  await npm(['install', '--no-audit', '--no-fund'], folder)
  return folder
}
