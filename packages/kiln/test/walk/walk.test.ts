import { encode, encodeDirectory, encodeFrame, k, tensor } from 'kiln-format'
import { walk, walkSource, type Span } from 'kiln-format/walk'
import { expect, test } from 'vitest'

const schema = k.struct({ batch: k.tensors, id: k.u8, tags: k.dict(k.string, k.bool), seed: k.option(k.u16) })

function recordFrame(): Uint8Array<ArrayBuffer> {
  const batch = [tensor('w', 'f32', [3], Float32Array.of(1, 2, 3))]
  return encodeFrame(schema, { batch, id: 7, tags: new Map([['x', true]]), seed: 5 }, { schema: true })
}

function lines(spans: Iterable<Span>): string[] {
  return Array.from(spans, ({ offset, length, path, kind, value }) => {
    const says = typeof value === 'object' || value === undefined ? '' : ` ${JSON.stringify(value)}`
    return `${offset}+${length} ${kind} ${path}${says}`
  })
}

test('a body is told field by field, with what each says', () => {
  const bytes = encode(
    k.struct({ id: k.u8, tags: k.dict(k.string, k.bool), seed: k.option(k.u16), xs: k.list(k.f32) }),
    {
      id: 7,
      tags: new Map([['x', true]]),
      seed: 5,
      xs: [1.5],
    },
  )
  const as = k.struct({ id: k.u8, tags: k.dict(k.string, k.bool), seed: k.option(k.u16), xs: k.list(k.f32) })
  expect(lines(walk(bytes, { as }))).toEqual([
    '0+1 value id 7',
    '1+4 count tags 1',
    '5+4 length tags[0] 1',
    '9+1 key tags[0] "x"',
    '10+1 value tags["x"] true',
    '11+1 tag seed true',
    '12+2 value seed 5',
    '14+4 count xs 1',
    '18+4 value xs',
  ])
})

test('a depth says how far parts are opened', () => {
  expect(lines(walk(recordFrame(), { depth: 0 }))).toEqual(['0+410 group '])
  const two = lines(walk(recordFrame(), { depth: 2 })).filter((line) => !line.includes('frame-header'))
  expect(two).toEqual([
    '32+68 schema-text frame.schema "struct{batch:tensors,id:u8,tags:dict<string,bool>,seed:option<u16>,}"',
    '100+28 padding frame',
    '128+268 group batch',
    '396+1 value id 7',
    '397+10 group tags',
    '407+3 group seed 5',
  ])
})

test('a directory is told down to its descriptors, with names and dtypes', () => {
  const block = encodeDirectory([
    tensor('w', 'u4', [3], Uint8Array.of(0x21, 0x03)),
    tensor('', 'f64', [], Float64Array.of(1)),
  ])
  const told = lines(walk(block))
  expect(told.slice(0, 9)).toEqual([
    '0+4 header header.magic "KILT"',
    '4+1 header header.version 2',
    '5+1 header header.flags 0',
    '6+2 header header.reserved 0',
    '8+8 header header.total_size 456',
    '16+4 header header.tensor_count 2',
    '20+4 header header.heap_size 1',
    '24+8 header header.payload_base 384',
    '32+32 header header.reserved',
  ])
  expect(told.slice(9, 12)).toEqual([
    '64+8 descriptor [0].shape[0] 3',
    '72+56 descriptor [0].shape[1]',
    '128+8 descriptor [0].byte_offset 0',
  ])
  expect(told).toContain('152+2 descriptor [0].dtype "u4"')
  expect(told.slice(-5)).toEqual([
    '320+1 name [0].name "w"',
    '321+63 padding ',
    '384+2 payload [0] "w"',
    '386+62 padding ',
    '448+8 payload [1] ""',
  ])
})

test('frames of a file are counted, a lone one is not', () => {
  const one = encodeFrame(k.u8, 1, { schema: true })
  const two = Uint8Array.of(...one, ...one)
  expect(lines(walk(one)).at(-1)).toBe('64+1 value  1')
  expect(lines(walk(two)).filter((line) => line.includes(' value '))).toEqual(['64+1 value [0] 1', '129+1 value [1] 1'])
})

test('a fault comes after what was valid and before the rest, with its check, byte and rule', () => {
  const broken = recordFrame()
  broken[396] = 7
  broken[401] = 0xff
  const spans = [...walk(broken)]
  const [error, rest] = spans.slice(-2)
  expect(spans.at(-3)?.path).toBe('tags')
  expect([error?.kind, error?.offset, error?.length, error?.path, error?.fault?.code, error?.fault?.byte]).toEqual([
    'error',
    401,
    4,
    'tags[0]',
    'EOF',
    401,
  ])
  expect(error?.rule).toBe('§2 Counts: a u32, within its cap, with that many bytes behind it')
  expect([rest?.kind, rest?.offset, (rest?.offset ?? 0) + (rest?.length ?? 0)]).toEqual(['rest', 405, broken.length])
})

test('of a source no payload and no long list is read', async () => {
  const large = 4 * 2 ** 20
  const as = k.struct({ batch: k.tensors, codes: k.list(k.u8), end: k.u8 })
  const bytes = encode(as, {
    batch: [tensor('w', 'u8', [large], new Uint8Array(large))],
    codes: new Uint8Array(large),
    end: 9,
  })
  const reads: number[] = []
  const source = {
    size: bytes.length,
    label: 'bytes',
    async read(offset: number, length: number) {
      reads.push(length)
      return bytes.slice(offset, offset + length)
    },
  }
  const spans: Span[] = []
  for await (const span of walkSource(source, { as })) spans.push(span)
  expect(lines(spans).slice(-3)).toEqual([
    `${large + 256}+4 count codes ${large}`,
    `${large + 260}+${large} value codes`,
    `${large * 2 + 260}+1 value end 9`,
  ])
  expect(reads.reduce((sum, length) => sum + length, 0)).toBeLessThan(3 * 65_536)
})

test('shared memory is walked over a copy', () => {
  const frame = recordFrame()
  const shared = new Uint8Array(new SharedArrayBuffer(frame.length))
  shared.set(frame)
  expect(lines(walk(shared))).toEqual(lines(walk(frame)))
})

test('an option that is none of these is refused', () => {
  expect(() => [...walk(new Uint8Array(4), { as: 'text' as 'file' })]).toThrow(
    'options.as is "file", "frame", "directory" or a schema',
  )
})

test('an empty payload that lies where the range begins touches it; the one before it does not', () => {
  const block = encodeDirectory([tensor('a', 'u8', [64], new Uint8Array(64)), tensor('e', 'u8', [0], new Uint8Array(0)), tensor('b', 'u8', [1], Uint8Array.of(1))])
  const payloads = lines(walk(block)).filter((line) => line.includes(' payload '))
  expect(payloads).toEqual(['512+64 payload [0] "a"', '576+0 payload [1] "e"', '576+1 payload [2] "b"'])
  expect(lines(walk(block, { from: 576 }))).toEqual(payloads.slice(1))
})
