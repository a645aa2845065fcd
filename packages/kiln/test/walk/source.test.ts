import { encode, encodeDirectory, encodeFrame, k, tensor, type Schema } from 'kiln-format'
import { walk, walkSource, type Span, type WalkOptions } from 'kiln-format/walk'
import { expect, test } from 'vitest'
import { counted } from '../support/sources.js'
import { told } from './told.js'

/** What is read at once, at least. */
const AHEAD = 65_536

const Everything = k.struct({
  flag: k.bool, id: k.i64, name: k.string, blob: k.bytes, xs: k.list(k.u16), names: k.list(k.string), bools: k.list(k.bool),
  tags: k.dict(k.string, k.u8), by: k.dict(k.i64, k.list(k.u8)), some: k.option(k.u8), batch: k.tensors, last: k.u16,
})
const everything = {
  flag: true, id: -5n, name: 'é', blob: Uint8Array.of(1, 2), xs: Uint16Array.of(3, 4), names: ['a', ''], bools: [true, false],
  tags: new Map([['x', 1], ['y.z', 2]]), by: new Map([[7n, Uint8Array.of(9)]]), some: 6, batch: [tensor('t', 'u8', [1], [9])], last: 2,
}

async function lazily(bytes: Uint8Array, options: WalkOptions): Promise<{ spans: Span[]; lines: string[]; reads: { offset: number; length: number }[] }> {
  const source = counted(bytes)
  const spans: Span[] = []
  for await (const span of walkSource(source, options)) spans.push(span)
  return { spans, lines: told(spans), reads: source.reads }
}

test('what fits into one read takes one', async () => {
  const record = encodeFrame(Everything, everything, { schema: true })
  const file = encodeDirectory([tensor('t', 'u8', [1], [9])])
  for (const [bytes, options] of [[record, {}], [file, {}], [encode(Everything, everything), { as: Everything }], [Uint8Array.of(...record, ...record), {}]] as const) {
    expect((await lazily(bytes, options)).reads).toEqual([{ offset: 0, length: bytes.length }])
  }
})

test('each part may be cut by the end of a read', async () => {
  const As = k.struct({ pad: k.bytes, value: Everything })
  const { length } = encode(Everything, everything)
  for (let inside = 0; inside <= length; inside++) {
    const bytes = encode(As, { pad: new Uint8Array(AHEAD - 4 - inside), value: everything })
    // The padding is at hand by chance, or not; it says its value then.
    const given = (lines: string[]): string[] => lines.slice(2)
    expect(given((await lazily(bytes, { as: As })).lines)).toEqual(given(told(walk(bytes, { as: As }))))
  }
})

test('a directory and a second frame behind more than a read', async () => {
  const many = Array.from({ length: 600 }, (_, i) => tensor(`layers.${i}`, 'u8', [i % 3], new Uint8Array(i % 3)))
  const file = encodeDirectory(many)
  const lines = told(walk(file))
  expect((await lazily(file, {})).lines).toEqual(lines)
  const frame = encodeFrame(k.bytes, new Uint8Array(70_000))
  const frames = new Uint8Array(Buffer.concat([frame, encodeFrame(k.tensors, many), encodeFrame(Everything, everything)]))
  const schemas = [k.bytes, k.tensors, Everything]
  expect((await lazily(frames, { schemas })).lines.filter((line) => !/^36\+/.test(line))).toEqual(
    told(walk(frames, { schemas })).filter((line) => !/^36\+/.test(line)),
  )
  // A header that is longer than what is read at once.
  const names = [...Array.from({ length: 300 }, (_, i) => `${'n'.repeat(210)}${i}`), 'm'.repeat(252), 'o'.repeat(252)]
  const wide = k.struct(names.map((name) => [name, k.u8] as const))
  const long = encodeFrame(wide, Object.fromEntries(names.map((name) => [name, 1])) as never, { schema: true })
  expect(long.length).toBeGreaterThan(AHEAD)
  expect((await lazily(long, {})).lines).toEqual(told(walk(long)))
})

test('faults far behind are at their place', async () => {
  const As = k.struct({ pad: k.bytes, value: Everything })
  const pad = new Uint8Array(70_000)
  const good = encode(As, { pad, value: everything })
  const near = encode(k.struct({ pad: k.bytes, value: Everything }), { pad: new Uint8Array(0), value: everything })
  const shifted = (lines: string[]): string[] =>
    lines.slice(2).map((line) => line.replace(/^\d+/, (n) => String(Number(n) + pad.length)).replace(/ at (\d+) \|/, (_, n) => ` at ${Number(n) + pad.length} |`))
  for (let at = 4; at < near.length; at += 3) {
    const [short, far] = [near.slice(), good.slice()]
    short[at] = far[at + pad.length] = 0xff
    const want = shifted(told(walk(short, { as: As })))
    expect((await lazily(far, { as: As })).lines.slice(2)).toEqual(want)
    expect(told(walk(far, { as: As })).slice(2)).toEqual(want)
  }
  for (const more of [good.subarray(0, -1), new Uint8Array(Buffer.concat([good, Uint8Array.of(0)]))]) expect((await lazily(more, { as: As })).lines.slice(2)).toEqual(told(walk(more, { as: As })).slice(2))
  const twice = encode(k.struct({ pad: k.bytes, by: k.dict(k.string, k.u8) }), { pad, by: { a: 1, b: 2 } })
  twice[twice.length - 2] = 0x61
  const keys = (await lazily(twice, { as: k.struct({ pad: k.bytes, by: k.dict(k.string, k.u8) }) })).spans.at(-2)
  expect([keys?.kind, keys?.offset, keys?.length, keys?.path, keys?.fault?.byte]).toEqual(['error', 70_014, 5, 'by[1]', 70_014])
})

test('long text is checked in memory, and neither read nor shown out of a source', async () => {
  const long = 2 ** 20
  const As = k.struct({ text: k.string, end: k.u8 })
  for (const length of [long, long + 1]) {
    const bytes = encode(As, { text: 'x'.repeat(length), end: 1 })
    const whole = [...walk(bytes, { as: As })]
    const { spans, reads } = await lazily(bytes, { as: As })
    expect([whole[1], spans[1]].map((span) => Object.hasOwn(span!, 'value'))).toEqual(length === long ? [true, true] : [false, false])
    expect(spans.at(-1)).toEqual(whole.at(-1))
    expect(reads.length).toBe(2 + (length === long ? 1 : 0))
    bytes[length] = 0xff
    expect([...walk(bytes, { as: As })].at(-2)?.fault).toMatchObject({ code: 'UTF8', byte: length })
    expect((await lazily(bytes, { as: As })).spans.some(({ kind }) => kind === 'error')).toBe(length === long)
  }
  // A key is read however long it is: that it is new must be known.
  const By = k.dict(k.string, k.u8)
  const key = encode(By, new Map([['x'.repeat(long + 1), 1]]))
  for (const spans of [[...walk(key, { as: By })], (await lazily(key, { as: By })).spans]) expect((spans[2]?.value as string).length).toBe(long + 1)
  const open = encode(k.list(By), [new Map([['x'.repeat(long + 1), 1], ['y'.repeat(long + 1), 2]])])
  expect((await lazily(open, { as: k.list(By), depth: 1 })).lines.at(-1)).toBe(
    `4+${4 + 2 * (4 + long + 1 + 1)} group [0] dict<string,u8> (2) | §2 dict: a u32 count, then key, value, key, value …`,
  )
})

test('bytes and numbers up to 4 KiB are read, longer ones shown where they are at hand', async () => {
  const cases: readonly (readonly [Schema, (length: number) => unknown])[] = [
    [k.bytes, (length) => new Uint8Array(length)],
    [k.list(k.u8), (length) => new Uint8Array(length)],
  ]
  for (const [schema, make] of cases) {
    const As = k.struct({ pad: k.bytes, value: schema, end: k.u8 })
    const hasValue = async (pad: number, length: number): Promise<boolean> => {
      const bytes = encode(As, { pad: new Uint8Array(pad), value: make(length), end: 1 } as never)
      const { spans } = await lazily(bytes, { as: As })
      expect(spans.at(-1)).toMatchObject({ offset: pad + length + 8, path: 'end', value: 1 })
      expect(spans[3]?.entries).toBe(schema.kind === 'list' ? length : undefined)
      return Object.hasOwn(spans[3]!, 'value')
    }
    // 70,000 bytes pass unread; the length behind them is the first of a read of 65,536.
    expect(await hasValue(70_000, AHEAD - 4)).toBe(true)
    expect(await hasValue(70_000, AHEAD - 3)).toBe(false)
    // Only the word is left of the first read.
    expect(await hasValue(AHEAD - 8, 4096)).toBe(true)
    expect(await hasValue(AHEAD - 8, 4097)).toBe(false)
  }
})

test('a checksum is compared in memory, not out of a source', async () => {
  const frame = encodeFrame(k.struct({ a: k.u8, b: k.u8 }), { a: 1, b: 2 }, { schema: true, checksum: true })
  frame[65] = 3
  expect(told(walk(frame)).at(-1)).toBe('64+2 error . CHECKSUM at 64 | §6 step 4: with CHECKSUM the CRC-32 of the body matches')
  expect((await lazily(frame, {})).lines.at(-1)).toBe('65+1 value b u8 = 3 | §2: a little-endian word')
})

test('what lies behind the range asked for is not read, and the signal goes along', async () => {
  const As = k.struct({ a: k.u8, pad: k.bytes, batch: k.tensors })
  const bytes = encode(As, { a: 1, pad: new Uint8Array(200_000), batch: [] })
  expect((await lazily(bytes, { as: As, to: 1 })).reads).toEqual([{ offset: 0, length: AHEAD }])
  expect((await lazily(bytes, { as: As, from: 200_010 })).reads).toEqual([{ offset: 0, length: AHEAD }, { offset: 200_005, length: 64 }])
  const { signal } = new AbortController()
  const seen: unknown[] = []
  const source = { size: 1, label: 'one', read: async (_: number, length: number, options?: object) => (seen.push(options), new Uint8Array(length)) }
  for await (const span of walkSource(source, { as: k.u8, signal })) expect(span.value).toBe(0)
  expect(seen).toEqual([{ signal }])
})

test('spans come a batch at a time: what is far ahead has not been looked at', async () => {
  const each: readonly (readonly [Schema, unknown])[] = [
    [k.list(k.u16), undefined], [k.list(k.bool), Array<boolean>(2000).fill(false)], [k.dict(k.u16, k.bool), new Map(Array.from({ length: 2000 }, (_, i) => [i, false]))],
  ]
  for (const [as, value] of each.slice(1)) {
    const bytes = encode(as, value as never)
    const walker = walk(bytes, { as })
    walker.next()
    bytes[bytes.length - 1] = 1
    expect([...walker].at(-1)?.value).toBe(true)
    expect((await lazily(bytes, { as })).lines).toEqual(told(walk(bytes, { as })))
  }
  const frame = encodeFrame(k.u8, 0)
  const frames = new Uint8Array(frame.length * 200)
  for (let i = 0; i < 200; i++) frames.set(frame, i * frame.length)
  const walker = walk(frames, { schemas: k.u8 })
  walker.next()
  frames[frames.length - 1] = 1
  expect([...walker].at(-1)?.value).toBe(1)
})
