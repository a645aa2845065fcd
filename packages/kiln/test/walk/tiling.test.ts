import { readFileSync } from 'node:fs'
import { parseSchema, type Limits } from 'kiln-format'
import { walk, walkSource, type Span, type WalkOptions } from 'kiln-format/walk'
import { describe, expect, test } from 'vitest'
import { bytesOf } from '../support/hex.js'
import { randomSource } from '../support/random.js'

interface Case {
  readonly name: string
  readonly kind: 'frozen' | 'directory' | 'frame' | 'schema'
  readonly schema?: string | null
  readonly hex?: string
  readonly caps?: Partial<Limits>
  readonly error?: string
}

function casesOf(file: string): readonly Case[] {
  const text = readFileSync(new URL(`../../../../spec/${file}`, import.meta.url), 'utf8')
  return (JSON.parse(text) as { cases: Case[] }).cases.filter((entry) => entry.kind !== 'schema')
}

const cases = ['kiln-pod-cases.json', 'kiln-v2-cases.json', 'frame-cases.json'].flatMap(casesOf)

function optionsOf({ kind, schema, caps }: Case): WalkOptions {
  const limits = caps === undefined ? {} : { limits: caps }
  const given = typeof schema === 'string' ? parseSchema(schema) : undefined
  if (kind === 'frozen') return { as: given, ...limits }
  if (kind === 'directory') return { as: 'directory', ...limits }
  return { as: 'frame', schemas: given, ...limits }
}

/** What is wrong with the spans as a tiling of so many bytes, or an empty text. */
function untiled(spans: readonly Span[], size: number): string {
  let end = 0
  for (const span of spans) {
    if (span.offset !== end || span.length < 0)
      return `${JSON.stringify(span.path)} begins at ${span.offset}, not ${end}`
    end += span.length
    if (span.rule === '') return `the span at ${span.offset} has no rule`
  }
  return end === size ? '' : `the spans end at ${end} of ${size}`
}

function faultsOf(spans: readonly Span[]): readonly (string | undefined)[] {
  return spans.filter((span) => span.kind === 'error').map((span) => span.fault?.code)
}

/** Everything of a span that does not depend on how it was read. */
function facts(spans: readonly Span[]): readonly unknown[] {
  return spans.map(({ offset, length, path, kind, fault }) => [offset, length, path, kind, fault])
}

async function lazily(bytes: Uint8Array, options: WalkOptions): Promise<Span[]> {
  const spans: Span[] = []
  const source = {
    size: bytes.length,
    label: 'bytes',
    read: async (offset: number, length: number) => bytes.slice(offset, offset + length),
  }
  for await (const span of walkSource(source, options)) spans.push(span)
  return spans
}

describe('spans tile the input and name the first failing check', () => {
  test.each(cases)('$name', async (entry) => {
    const bytes = bytesOf(entry.hex ?? '')
    const options = optionsOf(entry)
    const spans = [...walk(bytes, options)]
    expect(untiled(spans, bytes.length)).toBe('')
    expect(faultsOf(spans)).toEqual(entry.error === undefined ? [] : [entry.error])
    const ends = spans.filter((span) => span.kind === 'error' || span.kind === 'rest')
    expect(spans.slice(spans.length - ends.length)).toEqual(ends)
    // A source's checksum is not compared: its body is not read as a whole.
    if (entry.error !== 'CHECKSUM') expect(facts(await lazily(bytes, options))).toEqual(facts(spans))
    for (const depth of [0, 1, 2, 3]) {
      const coarse = [...walk(bytes, { ...options, depth })]
      expect(untiled(coarse, bytes.length)).toBe('')
      expect(faultsOf(coarse)).toEqual(faultsOf(spans))
      expect(coarse.length).toBeLessThanOrEqual(spans.length + 1)
    }
  })
})

test('changed bytes, prefixes and longer inputs tile too, whatever the bytes', () => {
  const next = randomSource(20261130)
  const random = { below: (limit: number): number => next() % limit }
  const broken: string[] = []
  for (const entry of cases) {
    const bytes = bytesOf(entry.hex ?? '')
    // The two of 65 KiB differ from the rest in their length only, and take as long as a thousand others.
    if (bytes.length > 4096) continue
    const options = optionsOf(entry)
    for (let round = 0; round < 5; round++) {
      let changed = bytes.slice()
      if (round < 3 && bytes.length > 0) changed[random.below(bytes.length)] = random.below(256)
      else if (round < 4) changed = bytes.slice(0, random.below(bytes.length + 1))
      else changed = Uint8Array.of(...bytes, random.below(256))
      const depth = round % 2 === 0 ? Infinity : 2
      const wrong = untiled([...walk(changed, { ...options, depth })], changed.length)
      if (wrong !== '') broken.push(`${entry.name}: ${wrong}`)
    }
  }
  expect(broken).toEqual([])
})

test('a range gives the spans that touch it and no others', () => {
  const broken: string[] = []
  for (const [i, entry] of cases.entries()) {
    const bytes = bytesOf(entry.hex ?? '')
    if (bytes.length > 4096) continue
    const options = optionsOf(entry)
    const all = [...walk(bytes, options)]
    const ranges = [
      [0, 1],
      [3, 70],
      [64, 128],
      [190, 200],
      [bytes.length - 1, bytes.length],
    ] as const
    for (const [from, to] of [ranges[i % 5]!, ranges[(i + 2) % 5]!]) {
      const want = all.filter(
        ({ offset, length }) => offset < to && (length === 0 ? offset >= from : offset + length > from),
      )
      const got = [...walk(bytes, { ...options, from, to })]
      if (JSON.stringify(facts(got)) !== JSON.stringify(facts(want))) broken.push(`${entry.name} from ${from} to ${to}`)
    }
  }
  expect(broken).toEqual([])
})
