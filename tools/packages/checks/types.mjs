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
// Neither DOM nor Node: those who have one of them are no worse off, which one program each shows.
const consumer = { file: 'consumer.ts', lib: ['es2022'], types: [] }
const others = [
  { file: 'node-consumer.ts', lib: ['es2022'], types: ['node'], typeRoots: [join(here, 'node_modules/@types')] },
  { file: 'page-consumer.ts', lib: ['es2022', 'dom', 'dom.iterable'], types: [] },
]

/** Programs with the packages' types, by old and new compilers, with the libraries' own declarations checked. */
export async function checkTypes(report, project) {
  for (const file of [consumer.file, ...others.map((other) => other.file), 'require-consumer.cts']) {
    copyFileSync(join(here, 'programs', file), join(project, file))
  }
  for (const compiler of compilers) {
    for (const resolution of resolutions) {
      await report.check(`TypeScript ${compiler}, moduleResolution ${resolution.moduleResolution}`, () =>
        compile(compiler, project, consumer, resolution),
      )
    }
    for (const other of others) {
      await report.check(`TypeScript ${compiler}, ${other.file}`, () =>
        compile(compiler, project, other, resolutions[1]),
      )
    }
  }
  for (const compiler of compilers.slice(2)) {
    await report.check(`TypeScript ${compiler}: require of ESM with its types`, () =>
      compile(
        compiler,
        project,
        { ...consumer, file: 'require-consumer.cts', verbatimModuleSyntax: false },
        resolutions[1],
      ),
    )
  }
}

async function compile(compiler, project, { file, ...own }, resolution) {
  const folder = join(project, '.types')
  mkdirSync(folder, { recursive: true })
  const config = join(folder, 'tsconfig.json')
  writeFileSync(
    config,
    JSON.stringify({ compilerOptions: { ...strict, ...resolution, ...own }, files: [join(project, file)] }),
  )
  const tsc = join(here, 'node_modules', `typescript-${compiler}`, 'bin/tsc')
  try {
    await runProgram(process.execPath, [tsc, '-p', config], project)
  } catch (error) {
    throw Object.assign(new Error(`${file} does not compile`), { stdout: error.stdout, stderr: error.stderr })
  }
}
