import { openSafetensors, writeSafetensors, type ForeignTensor } from 'kiln-convert'
import { dtypes, payloadLength } from 'kiln-format'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { hex } from '../support/bytes.js'
import { faultOf } from '../support/fault.js'
import { fixturesOf, hasFixtures } from '../support/fixtures.js'
import { memorySource, MemorySink, memoryTensor } from '../support/memory.js'
import { contents } from '../support/model.js'
import { safetensors } from '../support/safetensors.js'
import { shared } from '../support/shared.js'

async function written(tensors: readonly ForeignTensor[], metadata?: ReadonlyMap<string, string>): Promise<Uint8Array> {
  const sink = new MemorySink()
  const size = await writeSafetensors({ tensors, metadata }, sink)
  expect(sink.ended).toBe('closed')
  expect(sink.bytes.length).toBe(size)
  return sink.bytes
}

test('a file has the form of the reference: widest dtypes first, then names, padded to a multiple of 8', async () => {
  const bytes = await written(
    [
      memoryTensor('b', 'u8', [1], hex('0b')),
      memoryTensor('a', 'u8', [1], hex('0a')),
      memoryTensor('wide', 'f32', [1], hex('0000803f')),
    ],
    new Map([['z', '1'], ['a', 'é"']]),
  )
  const header =
    '{"__metadata__":{"z":"1","a":"é\\""},"wide":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},' +
    '"a":{"dtype":"U8","shape":[1],"data_offsets":[4,5]},"b":{"dtype":"U8","shape":[1],"data_offsets":[5,6]}}'
  const text = new TextEncoder().encode(header).length
  expect(bytes).toEqual(new Uint8Array(safetensors(header + ' '.repeat((8 - (text % 8)) % 8), hex('0000803f0a0b'))))
})

test('a model without tensors and strings is the shortest file', async () => {
  expect(await written([])).toEqual(new Uint8Array(safetensors('{}      ')))
})

test('names are ordered by their UTF-8, not by UTF-16 units', async () => {
  const bytes = await written([memoryTensor('\u{1f642}', 'u8', [1], hex('02')), memoryTensor('\uffee', 'u8', [1], hex('01'))])
  expect((await contents(await openSafetensors(memorySource(bytes)))).map(([name]) => name)).toEqual(['\uffee', '\u{1f642}'])
})

test('strings and names with quotes, controls and markup come back as they were', async () => {
  const odd = 'a"\\/\b\f\n\r\t\0\u007f\u2028<script>\u{10ffff}\ufeff'
  const bytes = await written([memoryTensor(odd, 'u8', [1], hex('01'))], new Map([[odd, odd], ['__proto__', '']]))
  const model = await openSafetensors(memorySource(bytes))
  expect(model.tensors[0]?.name).toBe(odd)
  expect([...model.metadata]).toEqual([[odd, odd], ['__proto__', '']])
})

test.each(dtypes.filter(({ foreign }) => !foreign).map(({ name }) => name))('%s is written and read back, or refused by name', async (name) => {
  const dtype = dtypes.find((found) => found.name === name)!
  const bytes = new Uint8Array(Number(payloadLength(dtype, [2, 4]))).map((_, i) => 255 - i)
  const tensor = memoryTensor('w', name, [2, 4], bytes)
  if (['u4', 'i4', 'u2', 'i2', 'u1', 'c128'].includes(name)) {
    const fault = await faultOf(writeSafetensors({ tensors: [tensor] }, new MemorySink()))
    expect([fault.code, fault.detail]).toEqual(['TYPE', `safetensors has no dtype for ${name}: "w"; leave them out or convert them`])
  } else {
    const model = await openSafetensors(memorySource(await written([tensor])))
    expect(await contents(model)).toEqual([['w', name, [2, 4], Buffer.from(bytes).toString('hex')]])
  }
})

test('all tensors of dtypes that the format lacks are named before anything is written', async () => {
  const sink = new MemorySink()
  const tensors = [
    memoryTensor('q', 'ggml_q4_0', [32], new Uint8Array(18)),
    memoryTensor('ok', 'u8', [1], hex('01')),
    memoryTensor('i', 'i4', [2], hex('01')),
  ]
  const fault = await faultOf(writeSafetensors({ tensors }, sink))
  expect(fault.detail).toBe('safetensors has no dtype for ggml_q4_0, i4: "q", "i"; leave them out or convert them')
  expect([sink.ended, sink.pieces.length]).toEqual(['aborted', 0])
})

test.each([
  ['two tensors of one name', [memoryTensor('a', 'u8', [1], hex('01')), memoryTensor('a', 'i8', [1], hex('01'))], 'TYPE', 'two tensors are named "a"'],
  ['the name that the format keeps for itself', [memoryTensor('__metadata__', 'u8', [1], hex('01'))], 'TYPE', 'no tensor can be named __metadata__'],
  ['a name with half a character', [memoryTensor('\ud800', 'u8', [1], hex('01'))], 'UTF8', 'lone surrogate'],
  ['four bits over', [memoryTensor('n', 'e2m1', [3], hex('0102'))], 'TYPE', 'no whole number of bytes'],
  ['bytes that the shape does not need', [memoryTensor('n', 'u8', [3], hex('0102'))], 'TYPE', 'is not 2 bytes'],
  ['half a dimension', [memoryTensor('n', 'u8', [0.5], hex('01'))], 'TYPE', 'whole numbers'],
  ['a payload that ends early', [{ ...memoryTensor('n', 'u8', [3], hex('0102')), byteLength: 3 }], 'TYPE', 'gave only 2'],
  ['a payload that goes on', [{ ...memoryTensor('n', 'u8', [1], hex('0102')), byteLength: 1 }], 'TYPE', 'gave more'],
] as const)('%s: refused, and nothing stays behind', async (_, tensors, code, words) => {
  const sink = new MemorySink()
  const fault = await faultOf(writeSafetensors({ tensors }, sink))
  expect([fault.code, sink.ended]).toEqual([code, 'aborted'])
  expect(fault.detail).toContain(words)
})

test('a header over the cap is refused by the writer as it is by the reader', async () => {
  const sink = new MemorySink()
  const metadata = new Map([['k', 'v'.repeat(100)]])
  const fault = await faultOf(writeSafetensors({ tensors: [], metadata }, sink, { limits: { header: 127 } }))
  expect([fault.code, sink.ended]).toEqual(['LIMIT', 'aborted'])
  await writeSafetensors({ tensors: [], metadata }, new MemorySink(), { limits: { header: 128 } })
})

test('an error of the sink aborts it and passes by', async () => {
  const sink = new MemorySink()
  sink.write = () => Promise.reject(new Error('the disk is full'))
  await expect(writeSafetensors({ tensors: [] }, sink)).rejects.toThrow('the disk is full')
  expect(sink.ended).toBe('aborted')
})

/** Files whose header is not as the reference writes it: tensors and strings come back, the bytes differ. */
const OTHER_FORM = [
  // Not padded to a multiple of 8.
  ...['B', 'H', 'b.i8', 'd', 'e', 'overall'].map((name) => `hf-samples/${name}.safetensors`),
  // White space of other kinds, or inside the header.
  ...['whitespace_leading_header', 'whitespace_padded_header', 'zero_size'].map((name) => `reference-vectors/${name}.safetensors`),
]

const readable = fixturesOf('safetensors').filter(({ file, expect: wanted }) => wanted !== undefined && file.endsWith('.safetensors'))

test.skipIf(!hasFixtures).each(readable.map(({ file }) => file))('%s is written again', async (file) => {
  const bytes = new Uint8Array(readFileSync(`${shared}/fixtures/safetensors/${file}`))
  const model = await openSafetensors(memorySource(bytes))
  const again = await written(model.tensors, model.metadata)
  const other = await openSafetensors(memorySource(again))
  const byName = (tensors: Awaited<ReturnType<typeof contents>>) => [...tensors].sort(([a], [b]) => (a < b ? -1 : 1))
  expect(byName(await contents(other))).toEqual(byName(await contents(model)))
  expect([...other.metadata]).toEqual([...model.metadata])
  expect(Buffer.compare(again, bytes) === 0).toBe(!OTHER_FORM.includes(file))
})
