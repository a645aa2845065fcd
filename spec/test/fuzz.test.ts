import { expect, test, vi } from 'vitest'
import { encode, encodeDirectory, encodeFrame, parseSchema, type Schema as LibrarySchema } from 'kiln-format'
import { fromHex, toHex } from '../reference/bytes.js'
import { writeDirectory } from '../reference/directory-write.js'
import { writeFrame } from '../reference/frame-write.js'
import { writeFrozen } from '../reference/frozen-write.js'
import { type Outcome, type ReadCase, outcomeOf } from '../reference/run-case.js'
import { canonicalText } from '../reference/schema-hash.js'
import { parseSchemaBytes, parseSchemaText } from '../reference/schema-text.js'
import { everyCase } from './support/case-file.js'
import { libraryOutcome } from './support/library-outcome.js'
import { fromCase, hexOf, tensorFromCase } from './support/library-values.js'
import { mutated } from './support/mutate.js'
import { plain, plainOf } from './support/plain.js'
import { Random } from './support/random.js'
import { randomSchema, randomTensors, randomValue } from './support/random-values.js'

// Thousands of expected errors; making their stacks would take most of the time.
Error.stackTraceLimit = 1

const SEED = Number(process.env['KILN_FUZZ_SEED'] ?? 20261130)
/** For a long run by hand. */
const TIMES = Number(process.env['KILN_FUZZ_TIMES'] ?? 1)
vi.setConfig({ testTimeout: 60_000 * TIMES })

/** Counts from 1 to `count`, or for about three seconds where the machine is slow; a few hundred it always is. */
function* rounds(count: number): Generator<number, undefined> {
  const end = performance.now() + 3000 * TIMES
  for (let done = 1; done <= count * TIMES; done++) {
    yield done
    if (done >= 300 && performance.now() > end) break
  }
  return undefined
}

/** An outcome as text; of scalar NaNs only that they are. */
function said(entry: ReadCase, outcome: Outcome): string {
  if (outcome.value === undefined || entry.kind === 'schema') return JSON.stringify(outcome)
  const schema = entry.kind === 'directory' ? undefined : (entry.schema ?? ownSchema(entry))
  const value = schema === undefined ? outcome.value : plain(schema, outcome.value)
  const hasNan = JSON.stringify(value).includes('"bits":"nan"')
  return JSON.stringify({ ...outcome, value, ...(hasNan ? { rewritten: 'open' } : {}) })
}

/** The schema in the header of a frame that reads. */
function ownSchema(entry: ReadCase): string {
  const frame = fromHex(entry.hex!)
  const room = frame.slice(32, frame[8]! + 256 * frame[9]!)
  return canonicalText(parseSchemaBytes(room.filter((byte) => byte !== 0)))
}

/** Asks both; gives a line if they differ, with what it takes to try it again. */
function difference(entry: ReadCase): string[] {
  const [reference, library] = [outcomeOf(entry), libraryOutcome(entry)]
  // The library's values have scalar NaNs made plain already.
  const [a, b] = [said(entry, reference), library.value === undefined ? said(entry, library) : saidPlain(library)]
  return a === b ? [] : [`${JSON.stringify(entry)}: the reference ${a.slice(0, 300)}, the library ${b.slice(0, 300)}`]
}

function saidPlain(outcome: Outcome): string {
  const hasNan = JSON.stringify(outcome.value).includes('"bits":"nan"')
  return JSON.stringify({ ...outcome, ...(hasNan ? { rewritten: 'open' } : {}) })
}

test('on damaged cases the library says what the reference says', () => {
  const random = new Random(SEED)
  const cases = everyCase().filter((entry) => entry.kind !== 'schema' && entry.hex!.length < 4000)
  const faults: string[] = []
  let [tried, read] = [0, 0]
  for (tried of rounds(8_000)) {
    const { kind, schema, hex, caps } = random.of(cases)
    const damaged = toHex(mutated(random, fromHex(hex!)))
    const entry: ReadCase = {
      kind,
      hex: damaged,
      ...(schema === undefined ? {} : { schema }),
      ...(caps === undefined || random.chance(2) ? {} : { caps }),
    }
    faults.push(...difference(entry))
    if (outcomeOf(entry).error === undefined) read += 1
  }
  expect(faults).toEqual([])
  // Damage that leaves a value is rare, and must be there.
  expect(read / tried).toBeGreaterThan(0.03)
})

test('random values are written and read the same, and damaged bodies refused the same', () => {
  const random = new Random(SEED + 1)
  const faults: string[] = []
  for (const _ of rounds(1_200)) {
    const schema = randomSchema(random, 4)
    const value = randomValue(random, schema)
    const text = canonicalText(schema)
    const library = parseSchema(text) as LibrarySchema
    const bytes = writeFrozen(schema, value)
    if (!JSON.stringify(plainOf(schema, value)).includes('"nan"')) {
      const hex = hexOf(encode(library, fromCase(library, value) as never))
      if (hex !== toHex(bytes)) faults.push(`${text} ${JSON.stringify(value)}: the library writes ${hex}`)
    }
    faults.push(...difference({ kind: 'frozen', schema: text, hex: toHex(bytes) }))
    for (let j = 0; j < 3; j++)
      faults.push(...difference({ kind: 'frozen', schema: text, hex: toHex(mutated(random, bytes)) }))
  }
  expect(faults).toEqual([])
})

test('random directories are written and read the same, and damaged ones refused the same', () => {
  const random = new Random(SEED + 2)
  const faults: string[] = []
  for (const _ of rounds(800)) {
    const tensors = randomTensors(random)
    const bytes = writeDirectory(tensors)
    const hex = hexOf(encodeDirectory(tensors.map(tensorFromCase)))
    if (hex !== toHex(bytes)) faults.push(`${JSON.stringify(tensors)}: the library writes ${hex}`)
    faults.push(...difference({ kind: 'directory', hex: toHex(bytes) }))
    for (let j = 0; j < 3; j++) faults.push(...difference({ kind: 'directory', hex: toHex(mutated(random, bytes)) }))
  }
  expect(faults).toEqual([])
})

test('random frames are written and read the same, and damaged ones refused the same', () => {
  const random = new Random(SEED + 3)
  const faults: string[] = []
  for (const _ of rounds(1_000)) {
    const schema = randomSchema(random, 3)
    const text = canonicalText(schema)
    const value = randomValue(random, schema)
    const flags = random.below(4)
    const bytes = writeFrame(schema, value, flags)
    const library = parseSchema(text) as LibrarySchema
    if (!JSON.stringify(plainOf(schema, value)).includes('"nan"')) {
      const options = { schema: flags % 2 === 1, checksum: flags >= 2 }
      const hex = hexOf(encodeFrame(library, fromCase(library, value) as never, options))
      if (hex !== toHex(bytes)) faults.push(`${text} ${JSON.stringify(value)}: the library writes ${hex}`)
    }
    const caller = random.of([text, text, null, 'u8'])
    const caps = random.chance(4) ? { caps: { body: random.below(200) } } : {}
    for (const input of [bytes, mutated(random, bytes), mutated(random, bytes)]) {
      faults.push(...difference({ kind: 'frame', schema: caller, hex: toHex(input), ...caps }))
    }
  }
  expect(faults).toEqual([])
})

test('schema texts are taken and refused the same', () => {
  const random = new Random(SEED + 4)
  const pieces = [
    'list<',
    'dict<',
    'option<',
    'struct{',
    '>',
    '}',
    ',',
    ':',
    ' ',
    '\n',
    'u8',
    'string',
    'tensors',
    'f32',
    'a',
    '__proto__',
    'list',
    'dict<u8,',
    '\u00e9',
    '\u00a0',
    '<',
    '{',
  ]
  const faults: string[] = []
  let [tried, read] = [0, 0]
  for (tried of rounds(6_000)) {
    let text = random.chance(3)
      ? random.many(8, () => random.of(pieces)).join('')
      : canonicalText(randomSchema(random, 4))
    for (let j = random.below(4); j > 0; j--) {
      const at = random.below(text.length + 1)
      text = text.slice(0, at) + random.of(['', ' ', random.of(pieces)]) + text.slice(at + random.below(2))
    }
    if (random.chance(8)) text = 'list<'.repeat(58 + random.below(8)) + text
    const entry: ReadCase = { kind: 'schema', text }
    faults.push(...difference(entry))
    if (outcomeOf(entry).error === undefined) {
      read += 1
      const again = canonicalText(parseSchemaText(canonicalText(parseSchemaText(text))))
      if (again !== canonicalText(parseSchemaText(text))) faults.push(`${text} is printed another way the second time`)
    }
  }
  expect(faults).toEqual([])
  expect(read / tried).toBeGreaterThan(0.2)
})
