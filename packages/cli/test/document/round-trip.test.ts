import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { encode, encodeDirectory, encodeFrame, k, parseSchema, tensor, type Schema } from 'kiln-format'
import { expect, test } from 'vitest'
import { decodeBareValue, decodeDocument } from '../../src/document/decode.js'
import { encodeDocument } from '../../src/document/encode.js'
import { bytesOfHex, hexOf } from '../../src/notation/hex.js'
import { HexText, jsonPieces } from '../../src/terminal/json-text.js'

interface Case {
  readonly name: string
  readonly kind: string
  readonly schema?: string | null
  readonly hex: string
  readonly value?: unknown
  readonly caps?: unknown
}

/** Through the very text that `kiln decode` prints. */
function throughJson(bytes: Uint8Array, schema?: Schema, bare = false): { text: string; bytes: Uint8Array } {
  const notation = { hex: (payload: Uint8Array) => new HexText(payload) }
  const document = bare ? decodeBareValue(bytes, schema!, {}, notation) : decodeDocument(bytes, schema, {}, notation)
  const text = [...jsonPieces(document)].join('')
  return { text, bytes: Buffer.concat(encodeDocument(JSON.parse(text))) }
}

for (const file of ['kiln-pod-cases.json', 'kiln-v2-cases.json', 'frame-cases.json']) {
  test(`every accepted case of ${file} goes to JSON and back, byte for byte`, () => {
    const path = fileURLToPath(new URL(`../../../../spec/${file}`, import.meta.url))
    const { cases } = JSON.parse(readFileSync(path, 'utf8')) as { cases: Case[] }
    const accepted = cases.filter((one) => 'value' in one && one.caps === undefined)
    expect(accepted.length).toBeGreaterThan(15)
    for (const { name, kind, schema, hex } of accepted) {
      const bytes = bytesOfHex(hex)
      const given = typeof schema === 'string' ? parseSchema(schema) : undefined
      expect(hexOf(throughJson(bytes, given, kind === 'frozen').bytes), name).toBe(hex.toLowerCase())
    }
  })
}

test('scalar NaNs keep their bits, and zeros their sign', () => {
  const schema = k.struct({ a: k.f32, b: k.f64, c: k.list(k.f32), d: k.dict(k.string, k.f64), e: k.option(k.f32) })
  const bytes = encode(schema, { a: 0, b: 0, c: [0, 0], d: { x: 0 }, e: 0 })
  const view = new DataView(bytes.buffer)
  view.setUint32(0, 0xffc1_2345, true)
  view.setBigUint64(4, 0x7ff0_0000_0000_0001n, true)
  view.setUint32(16, 0x7fa0_0001, true)
  view.setUint32(20, 0x8000_0000, true)
  view.setBigUint64(33, 0xfff8_0000_0000_00ffn, true)
  view.setUint32(bytes.length - 4, 0x8000_0000, true)
  const { text, bytes: again } = throughJson(bytes, schema)
  expect(hexOf(again)).toBe(hexOf(bytes))
  expect(JSON.parse(text)).toEqual({
    kiln: 'value',
    schema: schema.text,
    value: {
      a: { bits: 'ffc12345' },
      b: { bits: '7ff0000000000001' },
      c: { count: 2, hex: '0100a07f00000080' },
      d: [['x', { bits: 'fff80000000000ff' }]],
      e: { bits: '80000000' },
    },
  })
})

test('64-bit integers are decimal strings, dicts pairs in their order', () => {
  const schema = k.struct({ a: k.u64, b: k.dict(k.i64, k.bool), c: k.dict(k.string, k.u8) })
  const value = { a: 2n ** 64n - 1n, b: new Map([[-(2n ** 63n), true], [0n, false]]), c: new Map([['10', 1], ['2', 2], ['__proto__', 3]]) }
  const { text, bytes } = throughJson(encode(schema, value), schema)
  expect(JSON.parse(text)).toMatchObject({
    value: { a: '18446744073709551615', b: [['-9223372036854775808', true], ['0', false]], c: [['10', 1], ['2', 2], ['__proto__', 3]] },
  })
  expect(hexOf(bytes)).toBe(hexOf(encode(schema, value)))
})

test('a larger alignment is told as such, and only what a writer does not make is kept as bytes', () => {
  const tensors = [tensor('a', 'u8', [3], [1, 2, 3]), tensor('b', 'f32', [1], [1], { checksum: true })]
  const aligned = throughJson(encodeDirectory(tensors, { alignment: 4096 }))
  expect(JSON.parse(aligned.text)).toMatchObject({ kiln: 'directory', alignment: 4096 })
  expect(aligned.text).not.toContain('"exact"')
  const stale = encodeDirectory(tensors)
  stale[stale.length - 1]! ^= 1
  const kept = throughJson(stale)
  expect(kept.text).toContain('"exact"')
  expect(hexOf(kept.bytes)).toBe(hexOf(stale))
})

test('bytes that say something else than the value are refused', () => {
  const stale = encodeDirectory([tensor('b', 'f32', [1], [1], { checksum: true })])
  stale[stale.length - 1]! ^= 1
  const document = JSON.parse(throughJson(stale).text) as { tensors: { name: string }[] }
  document.tensors[0]!.name = 'c'
  expect(() => encodeDocument(document)).toThrow(/^TYPE at exact: .* at tensors\[0\]\.name/)
})

test('frames keep their flags, one behind the other', () => {
  const schema = k.struct({ id: k.u8 })
  const frames = [0, 1, 2, 3].map((flags) => encodeFrame(schema, { id: flags }, { schema: flags % 2 === 1, checksum: flags > 1 }))
  const bytes = Buffer.concat(frames)
  const { text, bytes: again } = throughJson(bytes, schema)
  expect(hexOf(again)).toBe(hexOf(bytes))
  expect((JSON.parse(text) as { frames: { flags: number }[] }).frames.map(({ flags }) => flags)).toEqual([0, 1, 2, 3])
})

test('what is no document is TYPE or SCHEMA, with the path', () => {
  const fault = (json: unknown): string => {
    try {
      encodeDocument(json)
      return 'taken'
    } catch (error) {
      return (error as Error).message.replace(/: .*/s, '')
    }
  }
  expect(fault(null)).toBe('TYPE')
  expect(fault({ kiln: 'other' })).toBe('TYPE')
  expect(fault({ kiln: 'frames', frames: [] })).toBe('TYPE')
  expect(fault({ kiln: 'frames', frames: [{ schema: 'u8', flags: 9, value: 1 }] })).toBe('TYPE at frames[0].flags')
  expect(fault({ kiln: 'frames', frames: [{ flags: 0, value: 1 }] })).toBe('SCHEMA at frames[0].schema')
  expect(fault({ kiln: 'value', schema: 'struct{a:list<u8>,}', value: { a: { count: 3, hex: '0102' } } })).toBe('TYPE at value.a')
  expect(fault({ kiln: 'value', schema: 'struct{a:u8,}', value: { a: 1, b: 2 } })).toBe('TYPE at value')
  expect(fault({ kiln: 'value', schema: 'struct{a:u8,}', value: {} })).toBe('TYPE at value.a')
  expect(fault({ kiln: 'value', schema: 'u64', value: 5 })).toBe('TYPE at value')
  expect(fault({ kiln: 'value', schema: 'f32', value: { bits: '3f80' } })).toBe('TYPE at value')
  expect(fault({ kiln: 'value', schema: 'dict<string,u8>', value: [['a', 1], ['a', 2]] })).toBe('TYPE at value[1]')
  expect(fault({ kiln: 'value', schema: 'list<string>', value: ['a', 5] })).toBe('TYPE at value[1]')
  expect(fault({ kiln: 'directory', tensors: [{ name: 'w', dtype: 'f32', shape: ['x'], data: '' }] })).toBe('TYPE at tensors[0].shape')
  expect(fault({ kiln: 'directory', tensors: [{ name: 'w', dtype: 'f99', shape: [], data: '' }] })).toBe('TYPE at tensors[0]')
})
