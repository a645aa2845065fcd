import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as kiln from 'kiln-format'
import * as node from 'kiln-format/node'
import * as numeric from 'kiln-format/numeric'
import * as walk from 'kiln-format/walk'

const folder = new URL('.', import.meta.url)
const rows = readdirSync(folder)
  .map((name) => readFileSync(new URL(name, folder), 'utf8'))
  .join('\n')

/** What is made to be thrown, not to be called with what programs have. */
const OTHERS = ['KilnError']

test('each function and class that can be imported is misused in some row', () => {
  const callable = [kiln, node, numeric, walk].flatMap((entry) =>
    Object.entries(entry).flatMap(([name, value]) => (typeof value === 'function' ? [name] : [])),
  )
  expect(callable.filter((name) => !new RegExp(`\\b${name}\\(`).test(rows))).toEqual(OTHERS)
})
