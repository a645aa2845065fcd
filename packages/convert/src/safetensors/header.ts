import { JsonReader } from '../json/json-reader.js'
import { quoted } from '../text/quoted.js'

/** A tensor of a header, as it stands there; numbers over 2^53 − 1 are bigints. */
export interface HeaderEntry {
  readonly name: string
  readonly dtype: string
  readonly shape: readonly (number | bigint)[]
  /** Bytes from the start of the payloads. */
  readonly start: number | bigint
  readonly end: number | bigint
  /** Fields that the format doesn't have. */
  readonly extra: readonly string[]
}

/** A header, read but not yet checked against the file. */
export interface Header {
  readonly metadata: ReadonlyMap<string, string>
  /** In the order of the header. */
  readonly entries: readonly HeaderEntry[]
}

/** Bytes before the header: its length, 64 bits. */
export const HEADER_START = 8

/** Where the header keeps its strings: no tensor can have this name. */
export const METADATA = '__metadata__'

/** Reads a header's text. What is missing or of another kind than it must be is `TYPE`. */
export function parseHeader(text: string): Header {
  const json = new JsonReader(text, { what: 'the safetensors header', offset: HEADER_START })
  const metadata = new Map<string, string>()
  const entries: HeaderEntry[] = []
  json.object((key) => {
    if (key === METADATA) readMetadata(json, metadata)
    else entries.push(readEntry(json, key))
  }, 'the header')
  json.end()
  return { metadata, entries }
}

function readMetadata(json: JsonReader, metadata: Map<string, string>): void {
  if (json.kind() === 'null') {
    json.skip()
    return
  }
  json.object((key) => {
    metadata.set(key, json.string(`${METADATA} value ${quoted(key)}`))
  }, METADATA)
}

function readEntry(json: JsonReader, name: string): HeaderEntry {
  const what = `tensor ${quoted(name)}`
  let dtype: string | undefined
  let shape: (number | bigint)[] | undefined
  let offsets: (number | bigint)[] | undefined
  const extra: string[] = []
  json.object((key) => {
    if (key === 'dtype') dtype = json.string(`${what}: dtype`)
    else if (key === 'shape') shape = readCounts(json, `${what}: shape`, Infinity)
    else if (key === 'data_offsets') offsets = readCounts(json, `${what}: data_offsets`, 2)
    else {
      json.skip()
      extra.push(key)
    }
  }, what)
  const missing = dtype === undefined ? 'dtype' : shape === undefined ? 'shape' : 'data_offsets'
  if (dtype === undefined || shape === undefined || offsets === undefined) {
    throw json.error('TYPE', `${what} has no ${missing}`)
  }
  const [start, end] = offsets
  if (start === undefined || end === undefined) throw json.error('TYPE', `${what}: data_offsets must be two numbers`)
  return { name, dtype, shape, start, end, extra }
}

function readCounts(json: JsonReader, what: string, most: number): (number | bigint)[] {
  const counts: (number | bigint)[] = []
  json.array((index) => {
    if (index >= most) throw json.error('TYPE', `${what} must be ${most} numbers`)
    counts.push(json.count(`${what}[${index}]`))
  }, what)
  return counts
}
