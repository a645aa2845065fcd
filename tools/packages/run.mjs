// The packages as they would be published: npm run packages [-- SECTION...]. Needs them built; takes packages from the
// registry. Sections are the names below; all of them if none is named.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkBundles } from './checks/bundles.mjs'
import { checkCommand } from './checks/command.mjs'
import { checkContents } from './checks/contents.mjs'
import { checkImports } from './checks/imports.mjs'
import { checkLinters } from './checks/linters.mjs'
import { checkTypes } from './checks/types.mjs'
import { checkLicences } from './licences.mjs'
import { packAll } from './pack.mjs'
import { makeProject } from './project.mjs'
import { Report } from './report.mjs'
import { checkSizes, writeSizes } from './sizes.mjs'

const sections = {
  contents: ({ packed }) => checkContents(report, packed),
  linters: ({ packed }) => checkLinters(report, packed),
  imports: ({ projects }) => checkImports(report, projects),
  types: ({ projects }) => checkTypes(report, projects.all),
  bundles: ({ projects }) => checkBundles(report, projects.all),
  command: ({ projects }) => checkCommand(report, projects.all),
  licences: ({ projects }) => checkLicences(report, projects.all),
  sizes: async () => checkSizes(report, await writeSizes()),
}
const named = process.argv.slice(2)
const unknown = named.filter((name) => !Object.hasOwn(sections, name))
if (unknown.length > 0) {
  console.error(`no section is called ${unknown.join(', ')}; there are ${Object.keys(sections).join(', ')}`)
  process.exit(2)
}

const report = new Report()
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'kiln-packages-')))
try {
  const packed = await packAll(join(folder, 'tarballs'))
  const tarballs = Object.fromEntries(packed.map(({ name, tarball }) => [name, tarball]))
  const format = tarballs['kiln-format']
  const projects = {
    format: await makeProject(join(folder, 'format'), { 'kiln-format': format }),
    all: await makeProject(join(folder, 'all'), tarballs),
    copies: await makeProject(join(folder, 'copies'), { 'kiln-first': format, 'kiln-second': format }),
  }
  for (const name of named.length > 0 ? named : Object.keys(sections)) {
    report.section(name)
    await sections[name]({ packed, projects })
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
report.end()
