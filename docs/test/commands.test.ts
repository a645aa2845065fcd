import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { blocksOf, pages, root } from './documents.js'

// docs/cli.md is what --help prints, which a test of the command holds.
const help = readFileSync(`${root}docs/cli.md`, 'utf8')
const sections = new Map(help.split(/^##+ (?=kiln)/m).slice(1).map((section) => [section.slice(0, section.indexOf('\n')), section]))

interface Call {
  readonly at: string
  readonly command: string
  readonly flags: readonly string[]
}

/** The calls of kiln in the pages' blocks of shell. */
const calls: Call[] = pages()
  .filter((page) => page !== 'docs/cli.md')
  .flatMap((page) => blocksOf(page).filter(({ language }) => language === 'sh').flatMap(({ line, text }) =>
    text.split('\n').flatMap((row, i) => {
      const [, words] = /\bkiln (.*?)(?: #.*)?$/.exec(row) ?? []
      if (words === undefined || !/^(\$ |npx |kiln )/.test(row)) return []
      const [first = '', second = ''] = words.split(' ')
      const command = sections.has(`kiln ${first} ${second}`) ? `kiln ${first} ${second}` : `kiln ${first}`
      return [{ at: `${page}:${line + i}`, command, flags: words.match(/(?<= )--?[a-z][a-z-]*/g) ?? [] }]
    })))

test('pages call the command', () => {
  expect(calls.length).toBeGreaterThan(5)
  expect(sections.size).toBeGreaterThan(12)
})

test.each(calls)('$at: $command is there, with its flags', ({ command, flags }) => {
  const section = sections.get(command)
  expect(section, command).toBeDefined()
  for (const flag of flags) expect(section).toMatch(new RegExp(`^ +(-\\w, )?${flag}\\b|^ +${flag},`, 'm'))
})
