import { expect, test } from 'vitest'
import {
  DirectoryReader,
  decode,
  decodeFrame,
  decodePrefix,
  encode,
  encodeDirectory,
  encodeFrame,
  encodeInto,
  encodeParts,
  encodedSize,
  formatHash,
  isKilnError,
  iterateFrames,
  parseSchema,
  readDirectory,
  readFrames,
  verifyDirectory,
  view,
  viewFrame,
  type DecodeOptions,
  type Schema,
} from 'kiln-format'
import type { Case } from '../build/case.js'
import { casesOf, everyCase } from './support/case-file.js'
import { bytesOf, fromCase, hexOf, tensorFromCase, tensorsToCase, toCase } from './support/library-values.js'
import { plain } from './support/plain.js'
import type { CaseTensor, CaseValue } from '../reference/case-values.js'

// Thousands of expected errors; making their stacks would take most of the time.
Error.stackTraceLimit = 1

/** What a reader gave: a value in the notation, or a code. */
type Result = { readonly value: CaseValue } | { readonly error: string }

function attempt(read: () => CaseValue): Result {
  try {
    return { value: read() }
  } catch (error) {
    if (isKilnError(error)) return { error: error.code }
    throw error
  }
}

function expected(entry: Case, schema: string): Result {
  return entry.error === undefined ? { value: plain(schema, entry.value!) } : { error: entry.error }
}

function optionsOf(entry: Case): DecodeOptions {
  return entry.caps === undefined ? {} : { limits: entry.caps }
}

/** Where bytes are put in a larger buffer, beside its front. Mutants of the library fall to one place as to four. */
const PLACES = process.env['KILN_MUTATION_FOLDER'] === undefined ? [0, 1, 4, 63] : [1]

/** Bytes inside a larger buffer whose other bytes are not zero. */
function placed(bytes: Uint8Array, at: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(bytes.length + at + 9).fill(0xa5)
  larger.set(bytes, at)
  return larger.subarray(at, at + bytes.length)
}

/** Names of what differs from the case, for one report over all cases. */
function differing(entry: Case, want: Result, results: { readonly [engine: string]: () => Result }): string[] {
  return Object.entries(results).flatMap(([engine, run]) => {
    const got = run()
    const same = JSON.stringify(got) === JSON.stringify(want)
    return same ? [] : [`${entry.name} by ${engine}: expected ${JSON.stringify(want)}, got ${JSON.stringify(got)}`]
  })
}

test('every reader of bodies gives what the cases say, at any place in memory', () => {
  const faults = everyCase()
    .filter((entry) => entry.kind === 'frozen')
    .flatMap((entry) => {
      const schema = parseSchema(entry.schema!)
      const bytes = bytesOf(entry.hex!)
      const options = optionsOf(entry)
      return PLACES.flatMap((at) => {
        const input = placed(bytes, at)
        return differing(entry, expected(entry, entry.schema!), {
          decode: () => attempt(() => toCase(schema, decode(schema, input, options))),
          view: () => attempt(() => toCase(schema, view(schema, input, options))),
          'decode with borrowed bytes': () =>
            attempt(() => toCase(schema, decode(schema, input, { ...options, bytes: 'borrow' }))),
        })
      })
    })
  expect(faults).toEqual([])
})

test('a prefix read stops where the value does', () => {
  const faults = everyCase()
    .filter((entry) => entry.kind === 'frozen' && entry.error !== 'TRAILING')
    .flatMap((entry) => {
      const schema = parseSchema(entry.schema!)
      const size = entry.hex!.length / 2
      const prefix = (hex: string, length: number): Result =>
        attempt(() => {
          const read = decodePrefix(schema, bytesOf(hex), optionsOf(entry))
          return read.length === length ? toCase(schema, read.value) : `${read.length} bytes of ${length}`
        })
      const more = entry.error === undefined ? { 'with more behind': () => prefix(`${entry.hex!}a55a`, size) } : {}
      return differing(entry, expected(entry, entry.schema!), { alone: () => prefix(entry.hex!, size), ...more })
    })
  expect(faults).toEqual([])
})

test('every reader of directories gives what the cases say, one reader for all of them too', () => {
  const reused = new DirectoryReader()
  const faults = casesOf('kiln-v2-cases.json')
    .filter((entry) => entry.kind === 'directory')
    .flatMap((entry) => {
      const bytes = bytesOf(entry.hex!)
      const options = optionsOf(entry)
      const field = parseSchema('tensors')
      return PLACES.flatMap((at) => {
        const input = placed(bytes, at)
        return differing(entry, expected(entry, 'tensors'), {
          readDirectory: () => attempt(() => tensorsToCase(readDirectory(input, options))),
          DirectoryReader: () => attempt(() => tensorsToCase(new DirectoryReader(options).read(input))),
          // A reader's caps are given once; cases with caps of their own have one each, above.
          ...(entry.caps === undefined
            ? { 'reused DirectoryReader': () => attempt(() => tensorsToCase(reused.read(input))) }
            : {}),
          'decode as a field': () => attempt(() => toCase(field, decode(field, input, options))),
          'view as a field': () => attempt(() => toCase(field, view(field, input, options))),
        })
      })
    })
  expect(faults).toEqual([])
})

test('strict reading and verifying say what the cases say', () => {
  const code = (run: () => unknown): string => {
    const result = attempt(() => {
      run()
      return 'ok'
    })
    return 'error' in result ? result.error : 'ok'
  }
  const field = parseSchema('tensors')
  const faults = casesOf('kiln-v2-cases.json')
    .filter((entry) => entry.strict !== undefined)
    .flatMap((entry) => {
      const input = placed(bytesOf(entry.hex!), 3)
      const options = optionsOf(entry)
      const strict = { ...options, strict: true }
      const strictly = [
        code(() => readDirectory(input, strict)),
        code(() => new DirectoryReader(strict).read(input)),
        code(() => decode(field, input, strict)),
        code(() => view(field, input, strict)),
      ]
      const verified = code(() => verifyDirectory(input, options))
      const same = strictly.every((said) => said === entry.strict) && verified === entry.verify
      return same
        ? []
        : [`${entry.name}: strict ${strictly.join()} for ${entry.strict!}, verify ${verified} for ${entry.verify!}`]
    })
  expect(faults).toEqual([])
})

function schemaOf(entry: Case): Schema | undefined {
  return typeof entry.schema === 'string' ? parseSchema(entry.schema) : undefined
}

test('every reader of frames gives what the cases say, at any place in memory', () => {
  const faults = everyCase()
    .filter((entry) => entry.kind === 'frame')
    .flatMap((entry) => {
      const schema = schemaOf(entry)
      const bytes = bytesOf(entry.hex!)
      const options = optionsOf(entry)
      const flagged = (frame: { schema: Schema; value: unknown; flags: number }): CaseValue => {
        if (frame.flags !== entry.flags) throw new Error(`${entry.name}: the flags are ${frame.flags}`)
        return toCase(frame.schema, frame.value)
      }
      const want = entry.error === undefined ? { value: plainFrame(entry) } : { error: entry.error }
      return PLACES.flatMap((at) => {
        const input = placed(bytes, at)
        return differing(entry, want, {
          decodeFrame: () =>
            attempt(() =>
              flagged(
                schema === undefined ? decodeFrame(input, undefined, options) : decodeFrame(input, schema, options),
              ),
            ),
          viewFrame: () =>
            attempt(() =>
              flagged(schema === undefined ? viewFrame(input, undefined, options) : viewFrame(input, schema, options)),
            ),
          // With more behind it the frame is the first of several.
          ...(entry.error === 'TRAILING' || bytes.length === 0
            ? {}
            : {
                iterateFrames: () =>
                  attempt(() =>
                    flagged(
                      (schema === undefined
                        ? iterateFrames(input, undefined, options)
                        : iterateFrames(input, schema, options)
                      ).next().value!,
                    ),
                  ),
              }),
        })
      })
    })
  expect(faults).toEqual([])
})

/** The text of the schema by which the value of a frame case reads. */
function frameSchema(entry: Case): string {
  if (typeof entry.schema === 'string') return entry.schema
  return decodeFrame(bytesOf(entry.hex!)).schema.text
}

function plainFrame(entry: Case): CaseValue {
  return plain(frameSchema(entry), entry.value!)
}

test('frames out of a stream give what the cases say, in chunks of any size', async () => {
  const faults: string[] = []
  for (const entry of everyCase()) {
    // An empty stream holds no frame, and what follows a frame of a stream is the next one.
    if (entry.kind !== 'frame' || entry.hex === '' || entry.error === 'TRAILING') continue
    const bytes = bytesOf(entry.hex!)
    const options = { limits: { body: Infinity, ...entry.caps } }
    const want = entry.error === undefined ? { value: plainFrame(entry) } : { error: entry.error }
    for (const size of bytes.length > 1000 ? [4096] : [1, 7, 64]) {
      const chunks: Uint8Array[] = []
      for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size))
      const schema = schemaOf(entry)
      const frames = schema === undefined ? readFrames(chunks, undefined, options) : readFrames(chunks, schema, options)
      let got: Result
      try {
        const frame = (await frames.next()).value!
        got = { value: toCase(frame.schema, frame.value) }
      } catch (error) {
        if (!isKilnError(error)) throw error
        got = { error: error.code }
      }
      await frames.return(undefined)
      faults.push(...differing(entry, want, { [`chunks of ${size}`]: () => got }))
    }
  }
  expect(faults).toEqual([])
})

test('schema texts are parsed, printed and hashed as the cases say', () => {
  const faults = casesOf('schema-cases.json').flatMap((entry) => {
    const want =
      entry.error === undefined
        ? { value: { canonical: entry.canonical as string, hash: entry.hash! } }
        : { error: entry.error }
    return differing(entry, want, {
      parseSchema: () =>
        attempt(() => {
          const schema = parseSchema(entry.text!) as Schema
          return { canonical: schema.text, hash: formatHash(schema.hash) }
        }),
    })
  })
  expect(faults).toEqual([])
})

/** Every way to write a value, and what each wrote. */
function written(entry: Case): { readonly [way: string]: string } {
  const value = entry.value!
  if (entry.kind === 'directory') {
    return { encodeDirectory: hexOf(encodeDirectory((value as unknown as CaseTensor[]).map(tensorFromCase))) }
  }
  const schema = parseSchema(entry.kind === 'frame' ? frameSchema(entry) : entry.schema!) as Schema
  const input = fromCase(schema, value) as never
  if (entry.kind === 'frame') {
    return {
      encodeFrame: hexOf(encodeFrame(schema, input, { schema: entry.flags! % 2 === 1, checksum: entry.flags! >= 2 })),
    }
  }
  const size = encodedSize(schema, input)
  const target = new Uint8Array(size + 20).fill(0xa5)
  const into = encodeInto(schema, input, target.subarray(7, 7 + size + 3))
  if (into !== size) throw new Error(`${entry.name}: ${size} bytes said beforehand, ${into} written`)
  if (target.some((byte, i) => byte !== 0xa5 && (i < 7 || i >= 7 + size)))
    throw new Error(`${entry.name}: written outside the target`)
  return {
    encode: hexOf(encode(schema, input)),
    encodeInto: hexOf(target.subarray(7, 7 + size)),
    encodeParts: encodeParts(schema, input).map(hexOf).join(''),
  }
}

test('writers give the bytes of canonical cases, and the size beforehand', () => {
  const faults = everyCase()
    .filter((entry) => entry.value !== undefined)
    .flatMap((entry) => {
      const bytes = written(entry)
      const all = Object.values(bytes)
      if (entry.canonical === true) {
        return Object.entries(bytes).flatMap(([way, hex]) =>
          hex === entry.hex ? [] : [`${entry.name} by ${way}: ${hex}`],
        )
      }
      return all.every((hex) => hex === all[0]) ? [] : [`${entry.name}: its writers differ`]
    })
  expect(faults).toEqual([])
})

test('values that were read are written again as they were', () => {
  const faults = everyCase()
    .filter((entry) => entry.canonical === true && entry.kind !== 'schema')
    .flatMap((entry) => {
      const bytes = bytesOf(entry.hex!)
      const again: { [way: string]: () => Uint8Array } = {}
      if (entry.kind === 'directory') {
        again['encodeDirectory'] = () => encodeDirectory(readDirectory(bytes, optionsOf(entry)))
      } else if (entry.kind === 'frame') {
        const frame = decodeFrame(bytes, schemaOf(entry)!, optionsOf(entry))
        again['encodeFrame'] = () =>
          encodeFrame(frame.schema, frame.value as never, { schema: frame.flags % 2 === 1, checksum: frame.flags >= 2 })
      } else {
        const schema = parseSchema(entry.schema!) as Schema
        again['encode of decode'] = () => encode(schema, decode(schema, bytes, optionsOf(entry)) as never)
        again['encode of view'] = () => encode(schema, view(schema, bytes, optionsOf(entry)) as never)
      }
      return Object.entries(again).flatMap(([way, run]) =>
        hexOf(run()) === entry.hex ? [] : [`${entry.name} by ${way}`],
      )
    })
  expect(faults).toEqual([])
})
