// npm run mutation [-- FOLDER …] [--files GLOB,GLOB] [--force] [--write]: mutates folders of packages/kiln/src (all unless told), runs the tests that reach each mutant,
// keeps what it found of each file in scores/, and fails if a mutant survives that survivors.json does not explain. --force forgets earlier results; --write
// makes SURVIVORS.md of the scores, and does nothing else where no folder is named.
import { spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { folders } from './folders.mjs'
import { compare, readReport, shownScore } from './report.mjs'
import { explainedInVain, record, scoresOf } from './scores.mjs'
import { writePage } from './page.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const root = join(here, '../..')
const stryker = join(here, 'node_modules/@stryker-mutator/core/bin/stryker.js')

const NOBODY = 65_534
const isNew = Number(process.versions.node.split('.')[0]) >= 22

/** Stryker 10 wants Node 22 or newer: the one that the tests of runtimes bring, unless this is one. */
function newNode() {
  const brought = join(root, `tools/runtimes/node_modules/node24-${process.platform}-${process.arch}/bin/node`)
  if (existsSync(brought)) return brought
  throw new Error('Stryker wants Node 22 or newer; run this with one, or npm --prefix tools/runtimes ci')
}

function main() {
  const { values, positionals } = parseArgs({ options: { force: { type: 'boolean' }, write: { type: 'boolean' }, files: { type: 'string', default: '**/*.ts' } }, allowPositionals: true })
  const asked = positionals.length > 0 ? positionals : values.write ? [] : folders
  for (const folder of asked) mutate(folder, values)
  if (values.write) {
    writePage()
    for (const text of explainedInVain()) console.log(`explained in vain: ${text}`)
  }
}

function mutate(folder, { files, force }) {
  const own = join(here, '.tmp', folder)
  mkdirSync(own, { recursive: true })
  // Changed code writes, renames and removes where it should not: as root one has put a file in the place of /dev/null. Nobody has this folder alone.
  const harmless = folder === 'node' && process.getuid?.() === 0
  if (harmless) chownSync(own, NOBODY, NOBODY)
  const { status } = spawnSync(process.execPath, [stryker, 'run', join(here, 'stryker.config.mjs'), ...(force ? ['--force'] : [])], {
    cwd: root,
    ...(harmless ? { uid: NOBODY, gid: NOBODY } : {}),
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { KILN_SHARED: join(root, '../shared'), ...process.env, ...(harmless ? { HOME: own, TMPDIR: own } : {}), KILN_MUTATION_FOLDER: folder, KILN_MUTATION_FILES: files },
  })
  if (status !== 0) throw new Error(`Stryker ended with ${status} for ${folder}; its tests have to pass without mutants`)
  const measured = record(folder, files.split(','), readReport(folder))
  const { counts, missing } = scoresOf(folder)
  console.log(shownScore(folder, counts))
  if (missing.length > 0) console.log(`  never measured: ${missing.join(', ')}`)
  for (const entry of measured) {
    const { open, stale } = compare(entry)
    for (const { line, status: how, text } of open) console.log(`  ${entry.file}:${line} ${how}: ${text}`)
    for (const text of stale) console.log(`  ${entry.file} explained in vain: ${text}`)
    if (open.length > 0) process.exitCode = 1
  }
}

if (isNew) main()
else process.exitCode = spawnSync(newNode(), process.argv.slice(1), { stdio: 'inherit' }).status ?? 1
