import { readFileSync, writeFileSync } from 'node:fs'
import { encode, encodeDirectory, encodeFrame, k, tensor, type Schema } from 'kiln-format'
import { walk, walkSource, type Span, type WalkOptions } from 'kiln-format/walk'
import { expect, test } from 'vitest'
import { told } from './told.js'

// Whole walks, line by line, with everything that a span says. KILN_GOLDENS=write writes them anew, to be read before they are committed.
function compare(file: string, sections: Readonly<Record<string, readonly string[]>>): void {
  const path = new URL(`golden/${file}`, import.meta.url)
  const text = Object.entries(sections).map(([title, lines]) => `# ${title}\n${lines.join('\n')}\n`).join('\n')
  if (process.env['KILN_GOLDENS'] === 'write') writeFileSync(path, text)
  expect(text.split('\n')).toEqual(readFileSync(path, 'utf8').split('\n'))
}

const Everything = k.struct({
  flag: k.bool, id: k.i64, name: k.string, blob: k.bytes, xs: k.list(k.u16), names: k.list(k.string), bools: k.list(k.bool),
  tags: k.dict(k.string, k.u8), by: k.dict(k.i64, k.list(k.u8)), some: k.option(k.u8), none: k.option(k.string),
  inner: k.struct({ a: k.f32 }), batches: k.list(k.tensors), last: k.option(k.list(k.f16)),
})
const everything = {
  flag: true, id: -5n, name: 'é', blob: Uint8Array.of(1, 2), xs: Uint16Array.of(3, 4), names: ['a', ''], bools: [true, false],
  tags: new Map([['x', 1], ['y.z', 2]]), by: new Map([[7n, Uint8Array.of(9)]]), some: 6, none: undefined,
  inner: { a: 1.5 }, batches: [[tensor('t', 'u8', [1], [9])], []], last: Uint16Array.of(0x3c00),
}
const block = encodeDirectory([
  tensor('w', 'e2m1', [2, 32], new Uint8Array(32), { scale: 'w.s', outer: 'w.o', axis: 1, groupSize: 32, checksum: true }),
  tensor('w.s', 'e8m0', [2, 1], Uint8Array.of(127, 128)),
  tensor('w.o', 'f32', [1], Float32Array.of(0.5)),
  tensor('', 'ggml_q8_0', [1, 1, 1, 1, 1, 1, 1, 32], new Uint8Array(34)),
])
const depths = [Infinity, 0, 1, 2, 3, 4]

/** The spans of the bytes, which are the same where they are read out of a source, a few at a time. */
async function spansOf(bytes: Uint8Array, options: WalkOptions): Promise<readonly string[]> {
  const lines = told(walk(bytes, options))
  const source = { size: bytes.length, label: 'bytes', read: async (offset: number, length: number) => bytes.slice(offset, offset + length) }
  const lazily: Span[] = []
  for await (const span of walkSource(source, options)) lazily.push(span)
  expect(told(lazily)).toEqual(lines)
  return lines
}

test('a directory, opened more and more', async () => {
  const sections: Record<string, readonly string[]> = {}
  for (const depth of depths) sections[`depth ${depth}`] = await spansOf(block, { depth })
  // Valid and not canonical: gaps before the first payload and behind the last one.
  const gaps = encodeDirectory([tensor('x'.repeat(64), 'u8', [1], [7])])
  const wider = new Uint8Array(gaps.length + 74)
  wider.set(gaps.subarray(0, 256))
  wider[8] = wider.length % 256
  wider[128] = 64
  wider[320] = 7
  for (const depth of depths) sections[`names that fill the heap, gaps around the payload, depth ${depth}`] = await spansOf(wider, { depth })
  for (const depth of [Infinity, 1]) sections[`names that fill the heap, depth ${depth}`] = await spansOf(gaps, { as: 'directory', depth })
  const empty = encodeDirectory([tensor('a', 'u8', [64], new Uint8Array(64)), tensor('none', 'u8', [0], []), tensor('b', 'u8', [1], [1])])
  for (const from of [383, 384, 385]) sections[`an empty payload at 384, from ${from}`] = await spansOf(empty, { from, to: from + 1 })
  sections['two payloads, the rest'] = await spansOf(empty, { from: 321 })
  compare('directory.txt', sections)
})

test('a frame with every type, opened more and more', async () => {
  const frame = encodeFrame(Everything, everything, { schema: true, checksum: true })
  const sections: Record<string, readonly string[]> = {}
  for (const depth of depths) sections[`depth ${depth}`] = await spansOf(frame, { depth })
  const body = encode(Everything, everything)
  for (const depth of depths) sections[`the body alone, depth ${depth}`] = await spansOf(body, { as: Everything, depth })
  const two = Uint8Array.of(...encodeFrame(k.u8, 1), ...encodeFrame(k.u16, 2, { schema: true }), ...encodeFrame(k.string, 'x'))
  for (const depth of [Infinity, 0, 1]) sections[`three frames, depth ${depth}`] = await spansOf(two, { schemas: [k.u8, k.u16, k.string], depth })
  compare('frame.txt', sections)
})

test('parts of a directory and of a frame', async () => {
  const sections: Record<string, readonly string[]> = {}
  const ranges = [[0, 0], [0, 1], [5, 6], [63, 65], [64, 64], [200, 300], [320, 384], [576, 577], [576, 578], [579, 581], [582, 584], [640, 700], [671, 705], [703, 706], [865, 900], [866, 900]]
  for (const [from, to] of ranges) sections[`${from} to ${to}`] = await spansOf(block, { from, to })
  for (const [from, to] of ranges) sections[`depth 2, ${from} to ${to}`] = await spansOf(block, { from, to, depth: 2 })
  const body = encode(Everything, everything)
  for (let from = 0; from < body.length; from += 13) sections[`body ${from} to ${from + 5}`] = await spansOf(body, { as: Everything, from, to: from + 5 })
  const fault = Uint8Array.of(1, 7)
  for (const [from, to] of [[0, 1], [0, 2], [1, 2], [2, 3]]) sections[`a fault at 1, ${from} to ${to}`] = await spansOf(fault, { as: k.struct({ a: k.u8, b: k.bool }), from, to })
  compare('ranges.txt', sections)
})

/** The last spans up to a fault and behind it; all before are valid. */
async function endOf(bytes: Uint8Array, options: WalkOptions): Promise<readonly string[]> {
  const lines = await spansOf(bytes, options)
  const fault = lines.findIndex((line) => /^\d+\+\d+ error /.test(line))
  return fault === -1 ? [`${lines.length} spans without a fault`] : [`${lines.length} spans`, ...lines.slice(Math.max(0, fault - 2))]
}

const Batch = k.struct({ id: k.u8, batch: k.tensors, last: k.u16 })

test('a fault in each field of a directory', async () => {
  const tensors = [
    tensor('ab', 'u8', [2, 32], new Uint8Array(64), { scale: 'cd', axis: 1, groupSize: 32, checksum: true }),
    tensor('cd', 'f32', [2, 1], Float32Array.of(1, 2)),
    tensor('', 'u8', [3], Uint8Array.of(1, 2, 3)),
  ]
  const bytes = encode(Batch, { id: 1, batch: tensors, last: 2 })
  const [first, second, heap] = [64, 192, 448]
  const faults: readonly (readonly [string, number, ...number[]])[] = [
    ['magic', 3, 0], ['version', 4, 1], ['flags', 5, 1], ['reserved', 7, 1], ['total_size', 9, 9], ['tensor_count over the cap', 16, 5],
    ['heap_size', 20, 70], ['payload_base no multiple', 24, 1], ['payload_base past the end', 26, 1], ['reserved behind', 40, 1],
    ['unknown flag', first + 94, 3], ['reserved of a descriptor', first + 127, 1], ['checksum without its flag', second + 108, 1],
    ['shape[0] over 2^53', first + 7, 1], ['dtype behind a byte_length over 2^53', first + 78, 1, 2, ...Array<number>(8).fill(0), 0xff, 0x0f],
    ['flags behind an unknown dtype', first + 88, 0xff, 0, 2, 0, 0, 0, 2], ['name not UTF-8, its first byte', heap, 0xff],
    ['dtype', first + 88, 0xff, 0x0f], ['rank', first + 90, 9], ['shape beyond the rank', first + 31, 1], ['shape over 2^53', first + 15, 1],
    ['byte_length', first + 72, 65], ['byte_offset no multiple', second + 64, 65], ['byte_offset before the end', second + 64, 0],
    ['byte_offset past the end', second + 66, 1], ['name_offset', second + 80, 1], ['name past the heap', second + 84, 9],
    ['name not UTF-8', heap + 1, 0xff], ['name twice', heap + 2, 0x61, 0x62], ['heap not filled', 20, 5],
    ['padding', heap + 5, 1], ['scheme', first + 91, 3], ['axis', first + 92, 2], ['group_size', first + 96, 0], ['scale_index', first + 100, 0],
    ['scale_index of no tensor', first + 100, 9], ['outer_index', first + 104, 1], ['links without a scheme', second + 96, 1],
  ]
  const sections: Record<string, readonly string[]> = {}
  for (const [title, at, ...to] of faults) {
    const changed = bytes.slice()
    changed.set(to, 1 + at)
    for (const depth of [Infinity, 3, 2, 1, 0]) sections[`${title}, depth ${depth}`] = await endOf(changed, { as: Batch, depth, limits: { tensors: 4 } })
  }
  for (const length of [1, 30, 65, 70, 200, 460, bytes.length - 1]) sections[`cut at ${length}`] = await endOf(bytes.subarray(0, length), { as: Batch })
  sections['one byte more'] = await endOf(Uint8Array.of(...bytes, 0), { as: Batch })
  const file = encodeDirectory(tensors)
  for (const depth of [Infinity, 0]) sections[`a directory alone, cut, depth ${depth}`] = await endOf(file.subarray(0, -1), { as: 'directory', depth })
  sections['a directory alone and a byte more'] = await endOf(Uint8Array.of(...file, 1), { as: 'directory' })
  const wide = encodeDirectory(tensors, { alignment: 4096 })
  for (const depth of [Infinity, 1]) sections[`not canonical, strict, depth ${depth}`] = await endOf(wide, { strict: true, depth })
  wide[heap + 85] = 1
  sections['padding, far'] = await endOf(wide, {})
  // A body that is too short for a header, with more behind it.
  const short = encodeFrame(k.tensors, [])
  short[24] = 10
  sections['less than a header in a frame'] = await endOf(Uint8Array.of(...short, ...short), { schemas: k.tensors })
  compare('directory-faults.txt', sections)
})

test('a fault in each field of a frame, and in bodies', async () => {
  const bytes = encodeFrame(Everything, everything, { schema: true, checksum: true })
  const plain = encodeFrame(Batch, { id: 1, batch: [], last: 2 })
  const sections: Record<string, readonly string[]> = {}
  const faults: readonly (readonly [string, Uint8Array, number, ...number[]])[] = [
    ['magic', bytes, 3, 0], ['version', bytes, 4, 2], ['flags', bytes, 5, 4], ['reserved', bytes, 6, 1], ['header_size', bytes, 8, 1],
    ['header_size over the cap', bytes, 10, 2], ['header_size past the end', bytes, 9, 9], ['checksum without its flag', plain, 12, 1],
    ['hash', bytes, 16, 0], ['hash of another', plain, 16, 0], ['body_length', bytes, 25, 9], ['body_length over the cap', bytes, 28, 9],
    ['no word', bytes, 40, 0x20], ['schema not canonical', bytes, 38, 0x20], ['behind the text', bytes, 319, 1], ['body too short', plain, 24, 66], ['body too long', plain, 24, 68],
  ]
  for (const [title, from, at, ...to] of faults) {
    const changed = Uint8Array.of(...from, 0)
    changed.set(to, at)
    sections[title] = await endOf(title === 'body too long' ? changed : changed.subarray(0, -1), { schemas: from === plain ? Batch : undefined, limits: { body: 2 ** 32 } })
  }
  const full = k.struct({ ['n'.repeat(20)]: k.u8 })
  sections['no schema'] = await endOf(plain, {})
  sections['another schema'] = await endOf(plain, { schemas: k.u8 })
  sections['no magic of ours'] = await endOf(bytes.subarray(1), {})
  for (const length of [0, 3, 4, 31, 33, 319, 330, bytes.length - 1]) sections[`cut at ${length}`] = await endOf(bytes.subarray(0, length), {})
  sections['one byte more, as a frame'] = await endOf(Uint8Array.of(...bytes, 0), { as: 'frame' })
  sections['one byte more, in a file'] = await endOf(Uint8Array.of(...bytes, 0), {})
  const second = Uint8Array.of(...bytes, ...bytes)
  second[bytes.length + 4] = 9
  sections['the second frame'] = await endOf(second, {})
  // 12 characters beside the name: the text fills the header to its last byte.
  sections['a text without zeros behind it'] = await spansOf(encodeFrame(full, { ['n'.repeat(20)]: 1 } as never, { schema: true }), {})
  const pair = (change: (bytes: Uint8Array) => void, from = bytes): Uint8Array => {
    const both = Uint8Array.of(...from, ...from)
    change(both.subarray(from.length))
    return both
  }
  sections['a text in the second frame'] = await endOf(pair((b) => (b[40] = 0x20)), {})
  sections['a second frame that is cut'] = await endOf(pair(() => undefined).subarray(0, -1), {})
  sections['a first body that is too long'] = await endOf(Uint8Array.of(...plain.map((b, i) => (i === 24 ? 70 : b)), 0, 0, 0, ...plain), { schemas: Batch })
  sections['two frames without a schema'] = await endOf(pair(() => undefined, plain), {})
  sections['a header alone, of another version'] = await endOf(plain.map((b, i) => (i === 4 ? 9 : b)).subarray(0, 32), { schemas: Batch })
  sections['a header alone'] = await endOf(plain.subarray(0, 32), { schemas: Batch })
  const small: readonly (readonly [Schema, Uint8Array, object])[] = [
    [k.string, encode(k.string, 'ab'), { string: 1 }], [k.list(k.u8), encode(k.list(k.u8), [1, 2]), { numbers: 1 }],
    [k.list(k.bool), encode(k.list(k.bool), [true, true]), { count: 1 }], [k.dict(k.u8, k.u8), encode(k.dict(k.u8, k.u8), new Map([[1, 1], [2, 2]])), { count: 1 }],
    // Two entries take 4 bytes.
    [k.dict(k.u8, k.u8), Uint8Array.of(2, 0, 0, 0, 1, 1, 2), {}],
  ]
  for (const [as, given, limits] of small) sections[`${as.text} with ${JSON.stringify(limits)}`] = await endOf(given, { as, limits })
  const body = encode(Everything, everything)
  for (const at of [0, 9, 13, 15, 31, 35, 46, 48, 56, 67, 83, 85]) {
    const changed = body.slice()
    changed[at] = 0xff
    sections[`body changed at ${at}`] = await endOf(changed, { as: Everything })
    sections[`body changed at ${at}, depth 1`] = await endOf(changed, { as: Everything, depth: 1 })
  }
  const twice = encode(k.list(k.dict(k.string, k.u8)), [{ a: 1, b: 2 }])
  twice[18] = 0x61
  sections['a key twice'] = await endOf(twice, { as: k.list(k.dict(k.string, k.u8)) })
  sections['a key twice, depth 1'] = await endOf(twice, { as: k.list(k.dict(k.string, k.u8)), depth: 1 })
  compare('frame-faults.txt', sections)
})
