// npm run mutation [-- FOLDER …] [--files GLOB,GLOB] [--force] [--write]: mutates folders of packages/kiln/src (all unless told), runs the tests that reach each mutant,
// and fails if one survives that survivors.json does not explain. --force forgets earlier results, --write puts the scores into SURVIVORS.md.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { folders } from './folders.mjs'
import { readReport, shownScore, unexplained } from './report.mjs'
import { writePage } from './page.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const root = join(here, '../..')
const stryker = join(here, 'node_modules/@stryker-mutator/core/bin/stryker.js')

/** Stryker 10 wants Node 22 or newer: this one, or the one that the tests of runtimes bring. */
function newNode() {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath
  const brought = join(root, `tools/runtimes/node_modules/node24-${process.platform}-${process.arch}/bin/node`)
  if (existsSync(brought)) return brought
  throw new Error('Stryker wants Node 22 or newer; run this with one, or npm --prefix tools/runtimes ci')
}

const { values, positionals } = parseArgs({ options: { force: { type: 'boolean' }, write: { type: 'boolean' }, files: { type: 'string', default: '**/*.ts' } }, allowPositionals: true })
// Changed code writes, renames and removes where it should not: as root one has put a file in the place of /dev/null.
const asked = positionals.length > 0 ? positionals : folders
if (asked.includes('node') && process.getuid?.() === 0) {
  console.log('node: not mutated as root, because what its mutants may do to files is not known')
}

for (const folder of asked.filter((name) => name !== 'node' || process.getuid?.() !== 0)) {
  const { status } = spawnSync(newNode(), [stryker, 'run', join(here, 'stryker.config.mjs'), ...(values.force ? ['--force'] : [])], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { KILN_SHARED: join(root, '../shared'), ...process.env, KILN_MUTATION_FOLDER: folder, KILN_MUTATION_FILES: values.files },
  })
  if (status !== 0) throw new Error(`Stryker ended with ${status} for ${folder}; its tests have to pass without mutants`)
  const report = readReport(folder)
  console.log(shownScore(folder, report))
  for (const { file, line, text, status: how } of unexplained(report)) {
    console.log(`  ${file}:${line} ${how}: ${text}`)
    process.exitCode = 1
  }
}
if (values.write) writePage()
