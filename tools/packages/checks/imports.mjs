import { copyFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { nodes } from '../nodes.mjs'
import { here } from '../paths.mjs'
import { runProgram } from '../run-program.mjs'

const program = (project, name) => {
  copyFileSync(join(here, 'programs', name), join(project, name))
  return name
}

async function expectPrinted(binary, file, project, want) {
  const printed = (await runProgram(binary, [file], project)).trim()
  if (printed !== want) throw new Error(`printed ${printed}, not ${want}`)
}

/** The packages are used by programs in empty projects. */
export async function checkImports(report, projects) {
  await report.check('kiln-format brings nothing else along', () => {
    const found = readdirSync(join(projects.format, 'node_modules')).filter((name) => !name.startsWith('.'))
    if (found.join() !== 'kiln-format') throw new Error(`installed: ${found.join(', ')}`)
  })
  for (const { name, binary } of nodes()) {
    await report.check(`${name}: import`, () =>
      expectPrinted(binary, program(projects.all, 'import.mjs'), projects.all, 'all as written'),
    )
    await report.check(`${name}: require of ESM`, () =>
      expectPrinted(binary, program(projects.all, 'require.cjs'), projects.all, 'all as written'),
    )
    await report.check(`${name}: two copies in one process`, () =>
      expectPrinted(binary, program(projects.copies, 'copies.mjs'), projects.copies, 'each knows the other'),
    )
  }
}
