import { readFileSync } from 'node:fs'
import { decode, encode, encodeDirectory, isKilnError, parseSchema, readDirectory, verifyDirectory, type Limits } from 'kiln-format'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bytesOf, hexOf } from '../support/hex.js'

// Each case once and quickly, by its code and its bytes; spec/test/library.test.ts has them at several places, by every reader, with values.
interface Case {
  readonly name: string
  readonly kind: 'frozen' | 'directory' | 'frame' | 'schema'
  readonly schema?: string
  readonly hex?: string
  readonly caps?: Partial<Limits>
  readonly error?: string
  readonly strict?: string
  readonly verify?: string
  readonly canonical?: boolean
}

function casesOf(file: string, kind: Case['kind']): readonly Case[] {
  const text = readFileSync(new URL(`../../../../spec/${file}`, import.meta.url), 'utf8')
  return (JSON.parse(text) as { cases: Case[] }).cases.filter((entry) => entry.kind === kind)
}

function code(run: () => unknown): string {
  try {
    run()
    return 'ok'
  } catch (error) {
    if (isKilnError(error)) return error.code
    throw error
  }
}

/** The first case that differs ends the test. */
function agree(name: string, got: unknown, want: unknown): void {
  if (String(got) !== String(want)) expect([name, got]).toEqual([name, want])
}

// Hundreds of expected errors; making their stacks would take most of the time.
const { stackTraceLimit } = Error
beforeAll(() => {
  Error.stackTraceLimit = 0
})
afterAll(() => {
  Error.stackTraceLimit = stackTraceLimit
})

test('directories are taken and refused as the cases say, and canonical ones written again', () => {
  for (const { name, hex, caps, error = 'ok', strict, verify, canonical } of casesOf('kiln-v2-cases.json', 'directory')) {
    const bytes = bytesOf(hex!)
    const options = caps === undefined ? {} : { limits: caps }
    const strictly = strict === undefined ? undefined : code(() => readDirectory(bytes, { ...options, strict: true }))
    const verified = verify === undefined ? undefined : code(() => verifyDirectory(bytes, options))
    agree(name, [code(() => readDirectory(bytes, options)), strictly, verified], [error, strict, verify])
    if (canonical === true && verify === 'ok') agree(name, hexOf(encodeDirectory(readDirectory(bytes, options))), hex)
  }
})

test.each(['kiln-pod-cases.json', 'kiln-v2-cases.json'])('values of %s are taken and refused, and canonical ones written again', (file) => {
  for (const { name, schema, hex, caps, error = 'ok', canonical } of casesOf(file, 'frozen')) {
    const type = parseSchema(schema!)
    const bytes = bytesOf(hex!)
    const options = caps === undefined ? {} : { limits: caps }
    agree(name, code(() => decode(type, bytes, options)), error)
    if (canonical === true) agree(name, hexOf(encode(type, decode(type, bytes, options) as never)), hex)
  }
})
