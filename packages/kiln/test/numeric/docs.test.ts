import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { format } from 'node:util'
import { afterAll, expect, test, vi } from 'vitest'

const page = fileURLToPath(new URL('../../../../docs/numeric.md', import.meta.url))
// In the package, so that what snippets import is found as from any other file of it.
const folder = fileURLToPath(new URL(`../../.tmp/docs-numeric-${process.pid}/`, import.meta.url))

const snippets = [...readFileSync(page, 'utf8').matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code!)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the page has snippets', () => {
  expect(snippets).toHaveLength(7)
})

/** What a snippet says that it prints: the comment behind each `console.log(…)`, and lines of comment after it. */
function promised(code: string): string[] {
  const found: string[] = []
  let follows: boolean = false
  for (const line of code.split('\n')) {
    const pattern = line.includes('console.log(') ? /\) \/\/ (.*)$/ : /^ *\/\/ (.*)$/
    const printed: RegExpExecArray | null = follows || line.includes('console.log(') ? pattern.exec(line) : null
    follows = printed !== null
    if (printed !== null) found.push(printed[1]!)
  }
  return found
}

test.each(snippets.map((code, i) => [i + 1, code] as const))('snippet %i prints what it says', async (number, code) => {
  const want = promised(code)
  expect(want.length).toBeGreaterThan(0)
  mkdirSync(folder, { recursive: true })
  const file = `${folder}${number}.ts`
  writeFileSync(file, code)
  const printed: string[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((...values) => void printed.push(format(...values)))
  try {
    await import(/* @vite-ignore */ file)
  } finally {
    log.mockRestore()
  }
  expect(printed.map((text) => text.replace(/\s+/g, ' '))).toEqual(want)
})
