import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import ts from 'typescript'
import { afterAll, describe, expect, test } from 'vitest'
import { blocksOf, pages, root, type Block } from './documents.js'

// Every block of TypeScript on every page is a program by itself: it is type-checked against the built packages, and run
// in an empty folder. What a line prints is what the comment behind it says: `console.log(x) // 7`.
const folder = join(root, 'docs/.tmp/snippets')
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })

interface Program extends Block {
  readonly file: string
}
const programs: Program[] = pages().flatMap((page) =>
  blocksOf(page)
    .filter(({ language }) => language === 'ts' || language.startsWith('ts '))
    .map((block) => {
      const file = join(folder, `${page.replace(/[^a-z0-9]+/gi, '-')}-${block.line}.ts`)
      writeFileSync(file, `${block.text}\nexport {}\n`)
      return { ...block, file }
    }),
)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('there are snippets to check', () => {
  expect(programs.length).toBeGreaterThan(0)
  expect(programs.some(({ page }) => page === 'README.md')).toBe(true)
})

test('every snippet passes the compiler, strict, with the types that users get', () => {
  const program = ts.createProgram(programs.map(({ file }) => file), {
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts', 'lib.esnext.disposable.d.ts'],
    types: ['node'],
    // Node runs them with their types stripped, as docs/start.md says.
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
    noEmit: true,
    skipLibCheck: true,
  })
  const faults = ts.getPreEmitDiagnostics(program).map((diagnostic) => {
    const at = programs.find(({ file }) => file === diagnostic.file?.fileName)
    const line = diagnostic.file?.getLineAndCharacterOfPosition(diagnostic.start ?? 0).line ?? 0
    return `${at?.page ?? diagnostic.file?.fileName}:${(at?.line ?? 1) + line}: ${ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n')}`
  })
  expect(faults).toEqual([])
})

/**
 * What the comments of a program say that it prints, line by line; undefined where there is none. A call that prints more
 * than once has the other lines as comments right below it.
 */
function saidToPrint(text: string): string[] {
  const said: string[] = []
  let printing = false
  for (const line of text.split('\n')) {
    const first = /\bconsole\.log\(.*\) \/\/ (.*)$/.exec(line)?.[1]
    const more: string | undefined = printing ? /^\s*\/\/ (.*)$/.exec(line)?.[1] : undefined
    const printed: string | undefined = first ?? more
    printing = printed !== undefined
    if (printed !== undefined) said.push(printed)
  }
  return said
}

const runnable = programs.filter(({ language }) => language === 'ts')
describe.each([...new Set(runnable.map(({ page }) => page))])('%s', (page) => {
  test.each(runnable.filter((program) => program.page === page).map((program) => [program.line, program] as const))(
    'line %d',
    async (_, { file, text }) => {
      const before = process.cwd()
      const own = mkdtempSync(join(tmpdir(), 'kiln-snippet-'))
      const printed: string[] = []
      const log = console.log
      process.chdir(own)
      console.log = (...values: unknown[]) => {
        printed.push(values.map((value) => (typeof value === 'string' ? value : inspect(value, { breakLength: Infinity }))).join(' '))
      }
      try {
        await import(/* @vite-ignore */ pathToFileURL(file).href)
      } finally {
        console.log = log
        process.chdir(before)
        rmSync(own, { recursive: true, force: true })
      }
      const said = saidToPrint(text)
      if (said.length > 0) expect(printed).toEqual(said)
    },
  )
})

test('commands of npm that a page names are there', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
  for (const page of ['CONTRIBUTING.md', 'SECURITY.md', ...pages()].filter((path) => existsSync(join(root, path)))) {
    for (const [, name] of readFileSync(join(root, page), 'utf8').matchAll(/npm run ([a-z:-]+)(?![a-z:-]| -w)/g)) {
      expect(Object.keys(scripts), `${page} names npm run ${name}`).toContain(name)
    }
  }
})
