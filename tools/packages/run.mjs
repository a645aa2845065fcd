// The packages as they would be published: npm run packages. Needs them built; takes packages from the registry.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkBundles } from './checks/bundles.mjs'
import { checkCommand } from './checks/command.mjs'
import { checkContents } from './checks/contents.mjs'
import { checkImports } from './checks/imports.mjs'
import { checkLinters } from './checks/linters.mjs'
import { checkTypes } from './checks/types.mjs'
import { licencesOf, refused, sbomOf } from './licences.mjs'
import { packAll } from './pack.mjs'
import { makeProject } from './project.mjs'
import { expectNone, Report } from './report.mjs'
import { checkSizes, writeSizes } from './sizes.mjs'

const report = new Report()
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'kiln-packages-')))
try {
  const packed = await packAll(join(folder, 'tarballs'))
  const tarballs = Object.fromEntries(packed.map(({ name, tarball }) => [name, tarball]))
  const format = tarballs['kiln-format']

  report.section('Contents')
  await checkContents(report, packed)
  await checkLinters(report, packed)

  const projects = {
    format: await makeProject(join(folder, 'format'), { 'kiln-format': format }),
    all: await makeProject(join(folder, 'all'), tarballs),
    copies: await makeProject(join(folder, 'copies'), { 'kiln-first': format, 'kiln-second': format }),
  }
  report.section('Imports')
  await checkImports(report, projects)
  report.section('Types')
  await checkTypes(report, projects.all)
  report.section('Bundles')
  await checkBundles(report, projects.all)
  report.section('The command')
  await checkCommand(report, projects.all)

  report.section('Licences')
  const licences = licencesOf(await sbomOf(projects.all))
  for (const { name, version, licence } of licences) console.log(`      ${name} ${version}: ${licence}`)
  await report.check('licences that ask for no more than their notice', () => {
    expectNone(refused(licences).map(({ name, licence }) => `${name}: ${licence}`))
    return `${licences.length} packages`
  })

  report.section('Sizes')
  const sizes = await writeSizes()
  await checkSizes(report, sizes)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
report.end()
