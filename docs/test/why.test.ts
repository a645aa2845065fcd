import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { root } from './documents.js'

// The sizes in docs/why.md are those of docs/performance.md, which the benchmark writes; UPDATE=1 takes them over.
const PAGE = 'docs/why.md'
const CONTENDERS = new Map([
  ['Kiln', 'Kiln, generated'],
  ['protobuf', 'protobuf-es'],
  ['msgpack', '@msgpack/msgpack'],
  ['Arrow', 'apache-arrow'],
  ['safetensors', 'safetensors (reader and writer)'],
  ['JSON', 'JSON (bytes)'],
])
const WORKLOADS = ['An embedding of 768 f32', 'A record of 12 strings', '10,000 records', 'An inference request with two tensors, 196 KB', 'A directory of 1,000 tensors']

const performance = readFileSync(`${root}docs/performance.md`, 'utf8')

/** Bytes by contender; those that can't hold a workload aren't in its table. */
function bytesOf(workload: string): Map<string, number> {
  const [, section = ''] = performance.split(`\n### ${workload}\n`)
  return new Map([...section.split('\n## ')[0]!.split('\n### ')[0]!.matchAll(/^\| (.+?) +\| +(\d+) \|/gm)].map(([, name, bytes]) => [name!, Number(bytes)]))
}

const rows = WORKLOADS.map((workload) => {
  const bytes = bytesOf(workload)
  return [workload, ...[...CONTENDERS.values()].map((name) => bytes.get(name)?.toLocaleString('en') ?? '–')]
})
const table = [['', ...CONTENDERS.keys()], ['---', ...[...CONTENDERS].map(() => '---:')], ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')

test('every workload is in the benchmark, and Kiln in each', () => {
  for (const [workload, kiln] of rows) expect(kiln, workload).toMatch(/^\d/)
})

test('the sizes on the page are those that were measured', () => {
  const place = /(<!-- sizes -->\n)[^]*?(<!-- end -->)/
  const page = readFileSync(root + PAGE, 'utf8')
  expect(page).toMatch(place)
  const right = page.replace(place, (_, before: string, after: string) => `${before}\n${table}\n\n${after}`)
  if (process.env['UPDATE'] === '1') writeFileSync(root + PAGE, right)
  expect(readFileSync(root + PAGE, 'utf8')).toBe(right)
})
