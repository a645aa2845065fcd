import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { runCases, type CaseResult } from '../../src/conformance/run.js'
import { kiln, kilnJson } from '../support/in-process.js'

async function results(text: string): Promise<CaseResult[]> {
  const all: CaseResult[] = []
  for await (const result of runCases(text)) all.push(result)
  return all
}

async function checksOf(one: unknown): Promise<string[]> {
  const [result] = await results(JSON.stringify(one))
  return result!.mismatches.map(({ check }) => check)
}

for (const file of ['kiln-pod-cases.json', 'kiln-v2-cases.json', 'frame-cases.json', 'schema-cases.json']) {
  test(`all of spec/${file} holds`, async () => {
    const { code, stdout } = await kiln(['conformance', fileURLToPath(new URL(`../../../../spec/${file}`, import.meta.url))])
    expect({ code, failures: stdout.match(/^FAIL.*/gm) }).toEqual({ code: 0, failures: null })
    expect(Number(/^(\d+) passed, 0 failed\n$/.exec(stdout)?.[1])).toBeGreaterThan(50)
  })
}

const list = { name: 'a', kind: 'frozen', schema: 'list<f32>', hex: '020000000000803f000000c0', value: { count: 2, hex: '0000803f000000c0' }, canonical: true }

test('a case that holds passes, in capitals too', async () => {
  expect(await checksOf(list)).toEqual([])
  expect(await checksOf({ ...list, hex: list.hex.toUpperCase(), value: { count: 2, hex: '0000803F000000C0' } })).toEqual([])
})

test('another value, another code and another kind of outcome are told from all readers', async () => {
  expect(await checksOf({ ...list, value: { count: 2, hex: '0000803f000000c1' }, canonical: false })).toEqual(
    ['decode', 'view', 'compiled decode, bytes borrowed', 'decodePrefix'])
  const expectsError = { name: 'a', kind: 'frozen', schema: 'list<f32>', hex: list.hex, error: 'EOF' }
  expect(await checksOf(expectsError)).toHaveLength(4)
  expect(await checksOf({ ...expectsError, hex: '02', error: 'TYPE' })).toHaveLength(4)
  expect(await checksOf({ ...expectsError, hex: '02' })).toEqual([])
})

test('a canonical case that is not what a writer writes fails', async () => {
  // A valid directory with a larger alignment, said to be canonical.
  const cases = JSON.parse(readFileSync(fileURLToPath(new URL('../../../../spec/kiln-v2-cases.json', import.meta.url)), 'utf8')) as {
    cases: { strict?: string; canonical?: boolean; value?: unknown }[]
  }
  const loose = cases.cases.find(({ strict, value }) => strict === 'TYPE' && value !== undefined)
  expect(loose).toBeDefined()
  expect(await checksOf({ ...loose, canonical: true })).toContain('encode')
  expect(await checksOf({ ...loose, strict: 'ok' })).toContain('strict readDirectory')
  expect(await checksOf({ ...loose, verify: 'CHECKSUM' })).toContain('verifyDirectory')
})

test('a scalar NaN is any NaN, but in a list the bits count', async () => {
  const scalar = { name: 'a', kind: 'frozen', schema: 'f32', hex: '0100c07f', value: { bits: 'ffc12345' } }
  expect(await checksOf(scalar)).toEqual([])
  expect(await checksOf({ ...scalar, value: { bits: '7f800000' } })).not.toEqual([])
  const listed = { ...list, hex: '010000000100c07f', value: { count: 1, hex: '0000c07f' }, canonical: false }
  expect(await checksOf(listed)).not.toEqual([])
  const word = { name: 'a', kind: 'frozen', schema: 'struct{bits:string,}', hex: '080000003766633030303031', value: { bits: '7fc00000' } }
  expect(await checksOf(word)).not.toEqual([])
})

test('schema cases compare canonical text and hash', async () => {
  const one = { name: 'a', kind: 'schema', text: 'struct { id : i64 , batch : tensors }', canonical: 'struct{id:i64,batch:tensors,}', hash: '0xe58aadc7552f0d82' }
  expect(await checksOf(one)).toEqual([])
  expect(await checksOf({ ...one, hash: '0xe58aadc7552f0d83' })).toEqual(['parseSchema', 'parseSchema of the canonical text', 'builders'])
  expect(await checksOf({ name: 'a', kind: 'schema', text: 'u9', error: 'SCHEMA' })).toEqual([])
})

test('numeric vectors are known by their keys, among cases too', async () => {
  const vector = { op: 'widen', dtype: 'f8e4m3', codes: [56, 127], f32: ['3f800000', 'nan'], note: 'x' }
  const text = [list, vector, { ...vector, f32: ['3f800001', 'nan'] }].map((one) => JSON.stringify(one)).join('\n')
  expect((await results(text)).map(({ mismatches }) => mismatches.length)).toEqual([0, 0, 1])
})

test('what is no case fails and the rest runs', async () => {
  const lines = [JSON.stringify(list), 'no json', '[1]', '', JSON.stringify({ name: 'odd', kind: 'other' }), JSON.stringify({ ...list, hex: 'zz' }), JSON.stringify(list)]
  const all = await results(lines.join('\r\n'))
  expect(all.map(({ name, mismatches }) => [name, mismatches[0]?.came.replace(/:.*/, '')])).toEqual([
    ['a', undefined],
    ['line 2', 'no JSON'],
    ['line 3', 'a case is a JSON object'],
    ['odd', 'kind is "other"; frozen, directory, frame and schema are known'],
    ['a', 'hex'],
    ['a', undefined],
  ])
})

test('a file of another format fails, and one without cases is no success', async () => {
  expect((await kiln(['conformance', '-'], { stdin: '{"format":"kiln-cases/2","cases":[{"name":"a"}]}' })).stdout).toMatch(/kiln-cases\/1.*\n0 passed, 1 failed\n$/s)
  for (const stdin of ['{"format":"kiln-cases/1","cases":[]}', '\n\n']) {
    const { code, stdout } = await kiln(['conformance', '-'], { stdin })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '0 passed, 0 failed\n' })
  }
})

test('failures are named with what was expected and what came', async () => {
  const text = JSON.stringify({ ...list, value: { count: 2, hex: '0000803f000000c1' }, canonical: false })
  const { code, stdout } = await kiln(['conformance', '-'], { stdin: text })
  expect(code).toBe(1)
  expect(stdout).toContain('FAIL standard input: a (decode): expected hex is 0000803f000000c1, came hex is 0000803f000000c0\n')
  expect(stdout.endsWith('\n0 passed, 1 failed\n')).toBe(true)
  const document = await kilnJson<{ passed: number; failed: number }>(['conformance', '-'], { stdin: JSON.stringify(list) })
  expect(document).toEqual({ passed: 1, failed: 0, failures: [] })
})
