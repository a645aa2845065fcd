import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from './documents.js'

// docs/comparison.md says of each cell what it means and where that comes from. The tables of the README and of the page are
// made of what stands there in bold; UPDATE=1 writes them anew.
const PAGE = 'docs/comparison.md'
const FORMATS = ['Kiln', 'safetensors', 'GGUF', 'protobuf', 'msgpack', 'Arrow']
const TABLE = /^(?:TABLE|\| \| Kiln \| safetensors .*\n(?:\|.*\n?)+)/m

interface Cell {
  readonly row: string
  readonly format: string
  readonly cell: string
  /** What is said of it, on one line. */
  readonly text: string
}

function rowsOf(page: string): { name: string; cells: Cell[] }[] {
  return page.split(/^## /m).slice(1).map((section) => {
    const [name = '', ...lines] = section.split('\n')
    const cells = lines.join('\n').split(/^- /m).slice(1).map((bullet): Cell => {
      const line = bullet.replace(/\s+/g, ' ').trim()
      const [, format = '', cell = '', text = ''] = /^\*\*(\w+): (.+?)\.\*\* (.+)$/.exec(line) ?? []
      return { row: name, format, cell, text }
    })
    return { name, cells }
  })
}

const page = readFileSync(root + PAGE, 'utf8')
const rows = rowsOf(page)
const cells = rows.flatMap((row) => row.cells)
const table = [['', ...FORMATS], FORMATS.concat('').map(() => '---'), ...rows.map(({ name, cells }) => [name, ...cells.map(({ cell }) => cell)])]
  .map((row) => `|${row.map((cell) => (cell === '' ? ' ' : ` ${cell} `)).join('|')}|\n`)
  .join('')

/** The tests that a text names: “title” in [`file`](path). */
function testsOf(text: string): { title: string; path: string }[] {
  return [...text.matchAll(/“([^”]+)” in \[`[^`]+`\]\(([^)]+)\)/g)].map(([, title, path]) => ({
    title: title!, path: posix.join(posix.dirname(PAGE), path!),
  }))
}

const sources = (text: string): string[] => [...text.matchAll(/\]\((https:[^)]+)\)/g)].map(([, href]) => href!)
const pages = (text: string): string[] => [...text.matchAll(/\]\(((?:guides\/)?[\w-]+\.md)(?:#[\w-]+)?\)/g)].map(([, path]) => path!)

test('there is a cell for each format in each row, in order', () => {
  expect(rows.length).toBe(11)
  for (const { name, cells } of rows) expect(cells.map(({ format }) => format), name).toEqual(FORMATS)
})

test.each(['README.md', PAGE])('the table of %s says what the page says', (path) => {
  const before = readFileSync(root + path, 'utf8')
  expect(before).toMatch(TABLE)
  if (process.env['UPDATE'] === '1') writeFileSync(root + path, before.replace(TABLE, table))
  expect(TABLE.exec(readFileSync(root + path, 'utf8'))?.[0]).toBe(table)
})

describe.each(cells)('$row, $format: $cell', ({ format, text }) => {
  test(format === 'Kiln' ? 'a test or a page is named' : 'a source or a test is named', () => {
    const named = [...testsOf(text), ...(format === 'Kiln' ? pages(text) : sources(text))]
    expect(named.length).toBeGreaterThan(0)
  })

  test.each(testsOf(text))('“$title” is in $path', ({ title, path }) => {
    expect(existsSync(root + path)).toBe(true)
    expect(readFileSync(root + path, 'utf8')).toContain(title)
  })
})

test('a test that is named is found, over the end of a line too', () => {
  expect(cells.flatMap(({ text }) => testsOf(text)).length).toBe(page.match(/“/g)?.length)
})
