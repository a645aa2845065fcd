import {
  bytesSource, decode, DirectoryReader, formatHash, k, openDirectory, parseSchema, readDirectory, readFrameHeader, verifyDirectory,
  verifySource, type Schema,
} from 'kiln-format'
import type { BytesCase, SchemaCase } from './case.js'
import { checkEnds, checkReaders, type Expectation, type Report } from './check-bytes.js'
import { checkFrameWriters, checkWriters } from './check-writers.js'
import { directoryEngines, frameEngines, frozenEngines, type Reused } from './engines.js'
import { outcomeOf, shown, shownOutcome } from './outcome.js'

/** Runs all checks of a case; those that don't hold are reported. */
export async function runCase(subject: BytesCase | SchemaCase, reused: Reused, report: Report): Promise<void> {
  switch (subject.kind) {
    case 'frozen':
      return runFrozen(subject, subject.schema!, report)
    case 'directory':
      return runDirectory(subject, reused, report)
    case 'frame':
      return runFrame(subject, report)
    case 'schema':
      return runSchema(subject, report)
  }
}

async function runFrozen(subject: BytesCase, schema: Schema, report: Report): Promise<void> {
  const engines = frozenEngines(schema, subject.limits)
  const expectation: Expectation = { outcome: subject.expected, schema, framed: false }
  await checkReaders(subject, engines, expectation, report)
  if ('error' in subject.expected) return
  await checkWriters(subject, schema, subject.expected.value, report)
  if (subject.canonical) await checkEnds(subject, engines, expectation, report)
}

async function runDirectory(subject: BytesCase, reused: Reused, report: Report): Promise<void> {
  const { limits, bytes } = subject
  const engines = directoryEngines(limits, reused)
  const expectation: Expectation = { outcome: subject.expected, schema: k.tensors, framed: false }
  await checkReaders(subject, engines, expectation, report)
  if ('error' in subject.expected) return
  const verdict = async (check: string, expected: string | undefined, read: () => unknown): Promise<void> => {
    if (expected === undefined) return
    const came = await outcomeOf(read)
    const word = 'error' in came ? came.error : 'ok'
    if (word !== expected) report({ check, expected, came: word })
  }
  const strict = { limits, strict: true }
  await verdict('strict readDirectory', subject.strict, () => readDirectory(bytes, strict))
  await verdict('strict DirectoryReader', subject.strict, () => new DirectoryReader(strict).read(bytes))
  await verdict('strict decode of tensors', subject.strict, () => decode(k.tensors, bytes, strict))
  await verdict('verifyDirectory', subject.verify, () => verifyDirectory(bytes, { limits }))
  await verdict('verifySource', subject.verify, () => verifySource(bytesSource(bytes), { limits }))
  await verdict('strict openDirectory', subject.strict, () => openDirectory(bytesSource(bytes), strict))
  await checkWriters(subject, k.tensors, subject.expected.value, report)
  if (subject.canonical) await checkEnds(subject, engines, expectation, report)
}

async function runFrame(subject: BytesCase, report: Report): Promise<void> {
  const { expected, limits, bytes } = subject
  const engines = frameEngines(subject.schema, limits, bytes)
  if ('error' in expected) {
    await checkReaders(subject, engines, { outcome: expected, schema: k.bool, framed: false }, report)
    return
  }
  const schema = subject.schema ?? (await ownSchema(bytes, report))
  if (schema === undefined) return
  const value = { value: expected.value, schema: schema.text, ...(subject.flags === undefined ? {} : { flags: subject.flags }) }
  const expectation: Expectation = { outcome: { value }, schema, framed: true }
  await checkReaders(subject, engines, expectation, report)
  await checkFrameWriters(subject, schema, expected.value, report)
  if (subject.canonical) await checkEnds(subject, engines, expectation, report)
}

async function ownSchema(bytes: Uint8Array, report: Report): Promise<Schema | undefined> {
  const header = await outcomeOf(() => readFrameHeader(bytes).schema)
  if ('value' in header && header.value !== undefined) return header.value as Schema
  report({ check: 'readFrameHeader', expected: 'a frame with a schema of its own', came: shownOutcome(header) })
  return undefined
}

/** The schema built again from its parts, which must print alike. */
function rebuilt(schema: Schema): Schema {
  switch (schema.kind) {
    case 'list':
      return k.list(rebuilt(schema.element))
    case 'dict':
      return k.dict(schema.key, rebuilt(schema.value))
    case 'option':
      return k.option(rebuilt(schema.some))
    case 'struct':
      return k.struct(schema.names.map((name) => [name, rebuilt(schema.fields[name]!)] as const))
    default:
      return schema
  }
}

async function runSchema({ text, expected }: SchemaCase, report: Report): Promise<void> {
  const want = 'error' in expected ? expected.error : `${expected.canonical} ${expected.hash.toLowerCase()}`
  const readers: readonly [string, () => Schema][] = [
    ['parseSchema', () => parseSchema(text)],
    ['parseSchema of the canonical text', () => parseSchema(parseSchema(text).text)],
    ['builders', () => rebuilt(parseSchema(text))],
  ]
  for (const [check, read] of readers) {
    const came = await outcomeOf(() => {
      const schema = read()
      return `${schema.text} ${formatHash(schema.hash)}`
    })
    const got = 'error' in came ? came.error : (came.value as string)
    if (got !== want) report({ check, expected: shown(want), came: shown(got) })
  }
}
