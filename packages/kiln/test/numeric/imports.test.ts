import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const source = fileURLToPath(new URL('../../src', import.meta.url))

/** The files that each source file takes anything from, types included, as paths from `src`. */
function imports(): Map<string, string[]> {
  const graph = new Map<string, string[]>()
  for (const name of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts')) continue
    const text = readFileSync(join(source, name), 'utf8')
    const found = [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*['"](\.[^'"]*)['"]/g)].map(([, path]) => path!)
    const fromSource = (path: string): string => relative(source, join(source, dirname(name), path))
    const withSlashes = (path: string): string => path.split(sep).join('/')
    graph.set(withSlashes(name), found.map((path) => withSlashes(fromSource(path)).replace(/\.js$/, '.ts')))
  }
  return graph
}

const graph = imports()

test('nothing outside of numeric imports it', () => {
  expect(graph.get('numeric/index.ts')).toContain('numeric/widen.ts')
  const outside = [...graph].filter(([file]) => !file.startsWith('numeric/'))
  expect(outside.length).toBeGreaterThan(30)
  for (const [file, imported] of outside) {
    expect(imported.filter((path) => path.startsWith('numeric/')), file).toEqual([])
  }
})

test("numeric's files import no barrel, and only files that are there", () => {
  for (const [file, imported] of graph) {
    if (!file.startsWith('numeric/')) continue
    expect(imported.filter((path) => !graph.has(path) || path.endsWith('index.ts')), file).toEqual([])
  }
})
