// The case files on every runtime: npm run runtimes. Needs the built packages; writes docs/runtimes.md.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startChromium } from './chromium.mjs'
import { hosts } from './hosts.mjs'
import { modules, root } from './paths.mjs'
import { binaryOf, programs, runProgram, versionOf } from './programs.mjs'
import { pageOf } from './report.mjs'

const missing = Object.values(modules).filter((path) => !existsSync(join(root, path)))
if (missing.length > 0) {
  console.error(`not built: ${missing.join(', ')}; run "npm run build" first`)
  process.exit(1)
}

/** A row: a runtime on each kind of host, one after the other, each in a process or page of its own. */
async function rowOf(name, version, runOn) {
  const cells = []
  for (const host of hosts) {
    const outcome = await runOn(host)
    cells.push(outcome)
    const said = outcome.error ?? `${outcome.passed} hold, ${outcome.failed} do not`
    console.log(`${name} ${version}, ${host}: ${said}`)
    for (const failure of outcome.failures ?? []) console.log(`  ${failure}`)
    if (outcome.files !== undefined) console.log(`  files: ${outcome.files}`)
  }
  return { name, version, cells }
}

const rows = []
for (const program of programs) {
  const binary = binaryOf(program)
  if (binary === undefined)
    rows.push({ name: program.name, absent: `no binary of it for ${process.platform} ${process.arch}` })
  else rows.push(await rowOf(program.name, await versionOf(binary), (host) => runProgram(program, binary, host)))
}

const pages = [
  ['Chromium, a page', 'page.html'],
  ['Chromium, a Worker', 'launcher.html'],
]
const browser = await startChromium()
for (const [name, page] of pages) {
  if (browser === undefined)
    rows.push({ name, absent: 'no Chromium or Chrome is installed; KILN_CHROMIUM may name one' })
  else rows.push(await rowOf(name, browser.version, (host) => browser.run(page, host)))
}
await browser?.close()

writeFileSync(join(root, 'docs/runtimes.md'), pageOf(rows))
const faulty = rows.filter(({ cells = [] }) =>
  cells.some((cell) => cell.error !== undefined || cell.failed > 0 || cell.files !== undefined),
)
const absent = rows.filter((row) => row.absent !== undefined)
for (const row of absent) console.log(`${row.name}: not run, ${row.absent}`)
console.log(
  `${rows.length - faulty.length - absent.length} runtimes hold, ${faulty.length} do not, ${absent.length} were not run; docs/runtimes.md is written`,
)
if (faulty.length > 0) process.exitCode = 1
