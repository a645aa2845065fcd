import { beforeAll, expect, test } from 'vitest'
import { fromHex, toHex } from '../reference/bytes.js'
import { DEFAULT_CAPS, type ReadRules } from '../reference/caps.js'
import type { CaseTensor } from '../reference/case-values.js'
import { readStandaloneDirectory } from '../reference/directory-read.js'
import { DTYPES } from '../reference/dtypes.js'
import { readFrozen } from '../reference/frozen-read.js'
import { hashOf } from '../reference/schema-hash.js'
import { parseSchemaText } from '../reference/schema-text.js'
import { everyCase } from './support/case-file.js'
import {
  type KaitaiDirectory,
  type KaitaiFile,
  type KaitaiParser,
  type Stream,
  compileTo,
  kilnDescription,
  kilnParser,
} from './support/kaitai.js'

const RULES: ReadRules = { caps: DEFAULT_CAPS, strict: false }

let Kiln: KaitaiParser
let streamOf: (bytes: Uint8Array) => Stream

beforeAll(async () => {
  const made = await kilnParser()
  Kiln = made.Kiln
  streamOf = made.streamOf
})

function parsed(hex: string): KaitaiFile {
  return new Kiln(streamOf(fromHex(hex)))
}

/** The tensors as the description has them, in the notation of the case files. */
function tensorsOf(directory: KaitaiDirectory): CaseTensor[] {
  return directory.descriptors.map((descriptor) => ({
    name: Buffer.from(descriptor.nameBytes).toString('utf8'),
    dtype: Kiln.Dtype[descriptor.dtype]!.toLowerCase(),
    shape: descriptor.dimensions.slice(0, descriptor.rank).map(String),
    data: toHex(descriptor.data),
    scheme: descriptor.scheme,
    quant_axis: descriptor.quantAxis,
    group_size: descriptor.groupSize,
    scale_index: descriptor.scaleIndex,
    outer_index: descriptor.outerIndex,
    checksum: descriptor.hasChecksum ? descriptor.checksum : null,
  }))
}

test('the description reads every accepted directory and agrees on every field', () => {
  const cases = everyCase().filter(({ kind, error }) => kind === 'directory' && error === undefined)
  for (const { name, hex, value } of cases) {
    const { isDirectory, directory } = parsed(hex!)
    expect(isDirectory, name).toBe(true)
    expect(tensorsOf(directory!), name).toEqual(value)
    const { header, descriptors } = readStandaloneDirectory(fromHex(hex!), RULES)
    expect(BigInt(directory!.header.totalSize), name).toBe(header.totalSize)
    expect(BigInt(directory!.header.tensorCount), name).toBe(header.tensorCount)
    expect(BigInt(directory!.header.heapSize), name).toBe(header.heapSize)
    expect(BigInt(directory!.header.payloadBase), name).toBe(header.payloadBase)
    let nameEnd = 0
    for (const [i, descriptor] of directory!.descriptors.entries()) {
      expect(BigInt(descriptor.byteOffset), name).toBe(descriptors[i]!.byteOffset)
      expect(BigInt(descriptor.byteLength), name).toBe(descriptors[i]!.byteLength)
      expect(descriptor.nameOffset, name).toBe(nameEnd)
      nameEnd += descriptor.nameLength
      // JavaScript's decoder drops a mark that stands first.
      expect(descriptor.name, name).toBe(descriptors[i]!.name.replace(/^\ufeff/, ''))
      expect(descriptor.dimensions.slice(descriptor.rank), name).toEqual(new Array(8 - descriptor.rank).fill(0))
    }
  }
  expect(cases.length).toBeGreaterThan(250)
})

test('the description reads every accepted frame and agrees on every field', () => {
  const cases = everyCase().filter(({ kind, error }) => kind === 'frame' && error === undefined)
  for (const { name, hex, schema, value, flags } of cases) {
    const { isDirectory, frames } = parsed(hex!)
    expect(isDirectory, name).toBe(false)
    expect(frames!.length, name).toBe(1)
    const [frame] = frames!
    const { header, body } = frame!
    expect(header.flags, name).toBe(flags)
    expect(header.hasSchema, name).toBe(flags! % 2 === 1)
    expect(header.hasChecksum, name).toBe(flags! >= 2)
    expect(header.headerSize + header.bodyLength, name).toBe(hex!.length / 2)
    const text = header.hasSchema ? frame!.schema!.text : schema!
    // JavaScript's runtime rounds 64 bits to a double.
    expect(header.schemaHash, name).toBe(Number(hashOf(parseSchemaText(text))))
    if (header.hasSchema && schema !== null) expect(frame!.schema!.text, name).toBe(schema)
    if (!frame!.isModel) expect(readFrozen(parseSchemaText(text), body.bytes!, RULES), name).toEqual(value)
    else {
      const metadata = body.metadata!.map((entry) => [entry.key.value, entry.value.value])
      expect({ tensors: tensorsOf(body.tensors!), metadata }, name).toEqual(value)
    }
  }
  expect(cases.length).toBeGreaterThan(20)
  expect(cases.filter(({ hex }) => parsed(hex!).frames![0]!.isModel).length).toBeGreaterThan(0)
})

test('frames that stand one behind the other are all read', () => {
  const one = everyCase().find(({ name }) => name === 'frame-schema')!.hex!
  const other = everyCase().find(({ name }) => name === 'frame-checksum')!.hex!
  expect(parsed(one + other + one).frames!.map(({ header }) => header.flags)).toEqual([1, 2, 1])
})

test('what the description can check, it refuses', () => {
  const refused = (prefix: string): string[] =>
    everyCase()
      .filter(({ name, error }) => name.startsWith(prefix) && error !== undefined)
      .map(({ name }) => name)
  const names = [
    'dir-magic-',
    'dir-version-',
    'dir-flags-',
    'dir-reserved-',
    'dir-base-',
    'dir-dtype-unknown-',
    'dir-rank-9',
    'dir-descriptor-',
    'dir-heap-gap-',
    'frame-magic-',
    'frame-version-',
    'frame-flags-',
    'frame-reserved-',
    'frame-header-size-',
    'frame-header-cut-',
  ].flatMap(refused)
  const cases = everyCase()
  const taken = names.filter((name) => {
    const { hex } = cases.find((entry) => entry.name === name)!
    try {
      const { directory } = parsed(hex!)
      return directory === undefined || tensorsOf(directory).length >= 0
    } catch {
      return false
    }
  })
  expect(taken).toEqual([])
  expect(names.length).toBeGreaterThan(100)
})

test('the dtypes of the description are those of the format', () => {
  const { dtype } = kilnDescription().enums
  expect(Object.entries(dtype).map(([code, name]) => [BigInt(code), name])).toEqual(
    DTYPES.map(({ code, name }) => [code, name]),
  )
})

test.each(['python', 'java', 'cpp_stl', 'csharp', 'go', 'rust', 'ruby', 'php', 'lua', 'perl'])(
  'the description compiles to %s',
  async (language) => {
    const files = await compileTo(language)
    expect(Object.values(files).join('')).toMatch(/payload_?base/i)
  },
)
