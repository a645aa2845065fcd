import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { here } from '../paths.mjs'
import { runProgram } from '../run-program.mjs'

const compilers = ['5.4', '5.6', '5.9', '6', '7']
const resolutions = [
  { moduleResolution: 'node16', module: 'node16' },
  { moduleResolution: 'nodenext', module: 'nodenext' },
  { moduleResolution: 'bundler', module: 'esnext' },
]
const strict = {
  target: 'es2022',
  strict: true,
  noEmit: true,
  skipLibCheck: false,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
}
// Neither DOM nor Node: those who have one of them are no worse off.
const programs = {
  'consumer.ts': { lib: ['es2022'], types: [] },
  'node-consumer.ts': { lib: ['es2022'], types: ['node'], typeRoots: [join(here, 'node_modules/@types')] },
  'page-consumer.ts': { lib: ['es2022', 'dom', 'dom.iterable'], types: [] },
}

/** Programs with the packages' types, by old and new compilers, with the libraries' own declarations checked. */
export async function checkTypes(report, project) {
  for (const name of Object.keys(programs)) copyFileSync(join(here, 'programs', name), join(project, name))
  copyFileSync(join(here, 'programs/require-consumer.cts'), join(project, 'require-consumer.cts'))
  for (const compiler of compilers) {
    for (const resolution of resolutions) {
      await report.check(`TypeScript ${compiler}, moduleResolution ${resolution.moduleResolution}`, async () => {
        for (const [file, own] of Object.entries(programs))
          await compile(compiler, project, file, { ...strict, ...resolution, ...own })
      })
    }
  }
  for (const compiler of compilers.slice(2)) {
    await report.check(`TypeScript ${compiler}: require of ESM with its types`, () =>
      compile(compiler, project, 'require-consumer.cts', {
        ...strict,
        verbatimModuleSyntax: false,
        module: 'nodenext',
        moduleResolution: 'nodenext',
        lib: ['es2022'],
        types: [],
      }),
    )
  }
}

async function compile(compiler, project, file, compilerOptions) {
  const folder = join(project, '.types')
  mkdirSync(folder, { recursive: true })
  const config = join(folder, 'tsconfig.json')
  writeFileSync(config, JSON.stringify({ compilerOptions, files: [join(project, file)] }))
  const tsc = join(here, 'node_modules', `typescript-${compiler}`, 'bin/tsc')
  try {
    await runProgram(process.execPath, [tsc, '-p', config], project)
  } catch (error) {
    throw Object.assign(new Error(`${file} does not compile`), { stdout: error.stdout, stderr: error.stderr })
  }
}
