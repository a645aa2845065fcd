// What the packages bring along, and under which licences: node tools/packages/licences.mjs [--sbom FILE].
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { packAll } from './pack.mjs'
import { makeProject } from './project.mjs'
import { expectNone } from './report.mjs'
import { npm } from './run-program.mjs'

/** Licences that ask for no more than their notice. */
const TAKEN = new Set([
  'Apache-2.0',
  'MIT',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  '(Apache-2.0 AND BSD-3-Clause)',
  'Apache-2.0 AND BSD-3-Clause',
])

/** The bill of materials of a project, in CycloneDX. */
export const sbomOf = async (project) =>
  JSON.parse(await npm(['sbom', '--omit', 'dev', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'], project))

/** Name, version and licence of all in it. */
export const licencesOf = (sbom) =>
  sbom.components
    .map(({ name, version, licenses = [] }) => ({
      name,
      version,
      licence:
        licenses.map((entry) => entry.expression ?? entry.license?.id ?? entry.license?.name ?? '?').join(', ') ||
        'none told',
    }))
    .sort((a, b) => a.name.localeCompare(b.name))

const refused = (licences) => licences.filter(({ licence }) => !TAKEN.has(licence))

/** Tells the licences of a project, and checks them. */
export async function checkLicences(report, project) {
  const licences = licencesOf(await sbomOf(project))
  for (const { name, version, licence } of licences) console.log(`      ${name} ${version}: ${licence}`)
  await report.check('licences that ask for no more than their notice', () => {
    expectNone(refused(licences).map(({ name, licence }) => `${name}: ${licence}`))
    return `${licences.length} packages`
  })
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const folder = mkdtempSync(join(tmpdir(), 'kiln-licences-'))
  try {
    const packed = await packAll(join(folder, 'tarballs'))
    const project = await makeProject(
      join(folder, 'all'),
      Object.fromEntries(packed.map(({ name, tarball }) => [name, tarball])),
    )
    const sbom = await sbomOf(project)
    const to = process.argv[2] === '--sbom' ? process.argv[3] : undefined
    if (to !== undefined) writeFileSync(to, `${JSON.stringify(sbom, null, 2)}\n`)
    for (const { name, version, licence } of licencesOf(sbom)) console.log(`${name} ${version}: ${licence}`)
    if (refused(licencesOf(sbom)).length > 0) process.exitCode = 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
