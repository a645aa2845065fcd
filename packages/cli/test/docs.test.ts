import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { cliPage } from '../src/help-text.js'
import { createProgram } from '../src/program.js'
import { openTerminal } from '../src/terminal/terminal.js'

const path = fileURLToPath(new URL('../../../docs/cli.md', import.meta.url))

test('docs/cli.md is what --help prints; UPDATE=1 writes it anew', async () => {
  const program = await createProgram(openTerminal(process, {}), '0.0.0')
  const page = cliPage(program)
  if (process.env['UPDATE'] === '1') {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, page)
  }
  expect(existsSync(path), `${path} is missing; run with UPDATE=1`).toBe(true)
  expect(page).toBe(readFileSync(path, 'utf8'))
})

test('every command has an example and --json', async () => {
  const program = await createProgram(openTerminal(process, {}), '0.0.0')
  const page = cliPage(program)
  const sections = page.split(/^##+ /m).slice(2)
  expect(sections.length).toBeGreaterThan(12)
  for (const section of sections) {
    expect(section).toMatch(/Examples?:\n {2}\$ kiln /)
    if (!/^kiln (meta)?\n/.test(section)) expect(section).toContain('--json')
  }
})
