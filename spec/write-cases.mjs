// Writes the case files that spec/build states. Vite's loader runs the TypeScript; nothing is left behind.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { runnerImport } from 'vite'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const { module } = await runnerImport(here('build/files.ts'), { root: here('.'), configFile: false })
for (const { name, text } of module.caseFiles(readFileSync(here('SPEC.md'), 'utf8'))) writeFileSync(here(name), text)
