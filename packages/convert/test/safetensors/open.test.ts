import { openSafetensors } from 'kiln-convert'
import { expect, test } from 'vitest'
import { concat, hex, u64, utf8 } from '../support/bytes.js'
import { codeOf, faultOf } from '../support/fault.js'
import { payload } from '../support/memory.js'
import { contents } from '../support/model.js'
import { safetensors } from '../support/safetensors.js'
import { source } from '../support/source.js'

const one = (dtype: string, shape: readonly number[], length: number): string =>
  `{"w":{"dtype":"${dtype}","shape":[${shape.join(',')}],"data_offsets":[0,${length}]}}`

const open = (header: string | object, payloads: Uint8Array = new Uint8Array(0)) => openSafetensors(source(safetensors(header, payloads)))

test.each([
  ['BOOL', 'bool', 8], ['U8', 'u8', 8], ['I8', 'i8', 8], ['U16', 'u16', 16], ['I16', 'i16', 16], ['U32', 'u32', 32],
  ['I32', 'i32', 32], ['U64', 'u64', 64], ['I64', 'i64', 64], ['F16', 'f16', 16], ['BF16', 'bf16', 16], ['F32', 'f32', 32],
  ['F64', 'f64', 64], ['C64', 'c64', 64], ['F8_E4M3', 'f8e4m3', 8], ['F8_E5M2', 'f8e5m2', 8], ['F8_E4M3FNUZ', 'f8e4m3fnuz', 8],
  ['F8_E5M2FNUZ', 'f8e5m2fnuz', 8], ['F8_E8M0', 'e8m0', 8], ['F6_E2M3', 'e2m3', 6], ['F6_E3M2', 'e3m2', 6], ['F4', 'e2m1', 4],
] as const)('%s is %s, its bits as they are', async (name, dtype, bits) => {
  const bytes = Uint8Array.from({ length: bits }, (_, i) => (i * 37 + 255) % 256)
  const model = await open(one(name, [2, 4], bits), bytes)
  expect(await contents(model)).toEqual([['w', dtype, [2, 4], Buffer.from(bytes).toString('hex')]])
  expect(model.omitted).toEqual([])
})

test('tensors come in the order of the header, whatever that of their payloads is', async () => {
  const model = await open(
    { b: { dtype: 'U8', shape: [1], data_offsets: [2, 3] }, a: { dtype: 'I16', shape: [], data_offsets: [0, 2] } },
    hex('0102 03'),
  )
  expect(await contents(model)).toEqual([['b', 'u8', [1], '03'], ['a', 'i16', [], '0102']])
})

test('payloads are found at odd offsets: nothing is rounded', async () => {
  for (const padding of [0, 1, 2, 3, 4, 5, 6, 7]) {
    const model = await open(one('I32', [3], 12) + ' '.repeat(padding), hex('01000000 02000000 03000000'))
    expect(await contents(model)).toEqual([['w', 'i32', [3], '010000000200000003000000']])
    expect(model.dataStart).toBe(8 + model.headerBytes)
  }
})

test('empty payloads may stand anywhere between the others', async () => {
  const model = await open(
    {
      end: { dtype: 'F32', shape: [0], data_offsets: [2, 2] },
      a: { dtype: 'U8', shape: [2], data_offsets: [0, 2] },
      start: { dtype: 'F32', shape: [3, 0], data_offsets: [0, 0] },
    },
    hex('0506'),
  )
  expect(await contents(model)).toEqual([['end', 'f32', [0], ''], ['a', 'u8', [2], '0506'], ['start', 'f32', [3, 0], '']])
})

test('the strings of the metadata are kept as they are, in order; null is none', async () => {
  const model = await open('{"__metadata__":{"b":"1","a":"<b>\\u0000\\ud83d\\ude42","__proto__":"x"}}')
  expect([...model.metadata]).toEqual([['b', '1'], ['a', '<b>\0🙂'], ['__proto__', 'x']])
  expect((await open('{"__metadata__":null}')).metadata.size).toBe(0)
})

test('names that are special to JavaScript are names like any other', async () => {
  const model = await open(
    '{"__proto__":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"constructor":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}}',
    hex('0102'),
  )
  expect(await contents(model)).toEqual([['__proto__', 'u8', [1], '01'], ['constructor', 'u8', [1], '02']])
  expect(({} as Record<string, unknown>).dtype).toBe(undefined)
})

test('a field __proto__ in a tensor makes up for none that is missing', async () => {
  const fault = await faultOf(open('{"w":{"__proto__":{"dtype":"U8"},"shape":[1],"data_offsets":[0,1]}}', hex('00')))
  expect(fault.code).toBe('TYPE')
  expect(fault.detail).toContain('tensor "w" has no dtype')
})

test('fields that the format has not are reported, and the tensor is read', async () => {
  const model = await open('{"w":{"dtype":"U8","shape":[1],"data_offsets":[0,1],"quant":{"a":[1]}}}', hex('09'))
  expect(await contents(model)).toEqual([['w', 'u8', [1], '09']])
  expect(model.omitted).toEqual([{ name: 'w', reason: 'its header fields quant are not of the format' }])
})

test('a tensor of an unknown dtype, or of nine dimensions, is left out by name with its place', async () => {
  const model = await open(
    {
      new: { dtype: 'F3', shape: [8], data_offsets: [0, 3] },
      deep: { dtype: 'U8', shape: [1, 1, 1, 1, 1, 1, 1, 1, 1], data_offsets: [3, 4] },
      kept: { dtype: 'U8', shape: [1], data_offsets: [4, 5] },
    },
    hex('0102030405'),
  )
  expect(await contents(model)).toEqual([['kept', 'u8', [1], '05']])
  const start = model.dataStart
  expect(model.omitted).toEqual([
    { name: 'new', reason: `dtype "F3" is not known; its payload is bytes ${start} to ${start + 3} of the file` },
    { name: 'deep', reason: 'rank 9; a Kiln tensor has at most 8 dimensions' },
  ])
})

const two = (a: readonly [number, number], b: readonly [number, number]) => ({
  a: { dtype: 'U8', shape: [a[1] - a[0]], data_offsets: a },
  b: { dtype: 'U8', shape: [b[1] - b[0]], data_offsets: b },
})

test.each([
  ['a hole between two tensors', two([0, 1], [2, 3]), '010203', 'TYPE', 'a hole of 1 bytes'],
  ['a hole before the first', two([1, 2], [2, 3]), '010203', 'TYPE', 'a hole of 1 bytes'],
  ['an overlap', two([0, 2], [1, 3]), '010203', 'TYPE', 'inside "a"'],
  ['one range twice', two([0, 2], [0, 2]), '0102', 'TYPE', 'inside "a"'],
  ['bytes after the last tensor', two([0, 1], [1, 2]), '010203', 'TRAILING', '1 bytes follow'],
  ['a payload past the end', two([0, 1], [1, 3]), '0102', 'EOF', 'ends at byte 3'],
  ['an end before its start', { a: { dtype: 'U8', shape: [1], data_offsets: [0, 1] }, b: { dtype: 'U8', shape: [1], data_offsets: [1, 0] } }, '01', 'TYPE', 'before they start'],
] as const)('%s is refused', async (_, header, payloads, code, words) => {
  const fault = await faultOf(open(header, hex(payloads)))
  expect(fault.code).toBe(code)
  expect(fault.detail).toContain(words)
})

test.each([
  ['{"w":{"dtype":"F4","shape":[3],"data_offsets":[0,1]}}', 'TYPE', 'no whole number of bytes'],
  ['{"w":{"dtype":"F6_E2M3","shape":[5],"data_offsets":[0,1]}}', 'TYPE', 'no whole number of bytes'],
  ['{"w":{"dtype":"U16","shape":[1],"data_offsets":[0,1]}}', 'TYPE', 'needs 2 bytes'],
  ['{"w":{"dtype":"U8","shape":[18446744073709551615,2],"data_offsets":[0,1]}}', 'TYPE', 'over 2^64 - 1'],
  ['{"w":{"dtype":"U8","shape":[18446744073709551615,18446744073709551615,0],"data_offsets":[0,1]}}', 'TYPE', 'over 2^64 - 1'],
  ['{"w":{"dtype":"U64","shape":[4611686018427387904],"data_offsets":[0,1]}}', 'TYPE', 'over 2^64 - 1'],
  ['{"w":{"dtype":"U8","shape":[18446744073709551616],"data_offsets":[0,1]}}', 'TYPE', 'over 2^64 - 1'],
  ['{"w":{"dtype":"U8","shape":[-1],"data_offsets":[0,1]}}', 'TYPE', 'whole number'],
  ['{"w":{"dtype":"U8","shape":[1.0],"data_offsets":[0,1]}}', 'TYPE', 'whole number'],
  ['{"w":{"dtype":"U8","shape":[1e0],"data_offsets":[0,1]}}', 'TYPE', 'whole number'],
  ['{"w":{"dtype":"U8","shape":["1"],"data_offsets":[0,1]}}', 'TYPE', 'must be a number'],
  ['{"w":{"dtype":"U8","shape":1,"data_offsets":[0,1]}}', 'TYPE', 'must be an array'],
  ['{"w":{"dtype":1,"shape":[1],"data_offsets":[0,1]}}', 'TYPE', 'must be a string'],
  ['{"w":{"dtype":"U8","shape":[1],"data_offsets":[0,1,1]}}', 'TYPE', '2 numbers'],
  ['{"w":{"dtype":"U8","shape":[1],"data_offsets":[0]}}', 'TYPE', 'two numbers'],
  ['{"w":{"dtype":"U8","shape":[1]}}', 'TYPE', 'no data_offsets'],
  ['{"w":{"dtype":"U8","data_offsets":[0,1]}}', 'TYPE', 'no shape'],
  ['{"w":[]}', 'TYPE', 'must be an object'],
  ['{"__metadata__":{"a":1}}', 'TYPE', 'must be a string'],
  ['{"__metadata__":["a"]}', 'TYPE', 'must be an object'],
  ['{"w":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"w":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}', 'TYPE', '"w" stands twice'],
  ['{"w":{"dtype":"U8","dtype":"I8","shape":[1],"data_offsets":[0,1]}}', 'TYPE', '"dtype" stands twice'],
  ['{"w":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"\\u0077":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}}', 'TYPE', '"w" stands twice'],
  ['{"__metadata__":{},"__metadata__":{}}', 'TYPE', 'stands twice'],
  ['{"__metadata__":{"a":"1","a":"2"}}', 'TYPE', '"a" stands twice'],
  ['{"\\ud800":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}', 'UTF8', 'lone surrogate'],
  ['{"w":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},}', 'FRAME', 'not valid JSON'],
  ['{"w":{"dtype":"U8","shape":[01],"data_offsets":[0,1]}}', 'FRAME', 'not valid JSON'],
  ['{} {}', 'FRAME', 'not valid JSON'],
  ['[]', 'TYPE', 'must be an object'],
  ['\u00a0{}', 'FRAME', 'not valid JSON'],
  ['{}\0', 'FRAME', 'not valid JSON'],
  ['', 'FRAME', 'not valid JSON'],
])('the header %s is refused', async (header, code, words) => {
  const fault = await faultOf(open(header, hex('00')))
  expect(fault.detail).toContain(words)
  expect(fault.code).toBe(code)
})

test('an array nested without end is refused in time that grows with its length, and no stack overflows', async () => {
  const fault = await faultOf(open(`{"w":${'['.repeat(2_000_000)}`))
  expect(fault.code).toBe('TYPE')
  expect(await codeOf(open(`{"w":{"x":${'['.repeat(2_000_000)}`))).toBe('LIMIT')
  expect(await codeOf(open(`{"w":${'{"x":'.repeat(500_000)}`))).toBe('LIMIT')
})

test('a shape of a million dimensions is judged without multiplying without end', async () => {
  const ones = `{"w":{"dtype":"U8","shape":[${'1,'.repeat(999_999)}1],"data_offsets":[0,1]}}`
  const model = await open(ones, hex('07'))
  expect(model.omitted).toEqual([{ name: 'w', reason: 'rank 1000000; a Kiln tensor has at most 8 dimensions' }])
  const huge = `{"w":{"dtype":"U8","shape":[${'18446744073709551615,'.repeat(99_999)}0],"data_offsets":[0,1]}}`
  expect(await codeOf(open(huge, hex('07')))).toBe('TYPE')
})

test('a length over the cap is LIMIT and one past the end EOF, and neither is read or allocated', async () => {
  for (const [length, code] of [
    [100_000_001n, 'LIMIT'], [2n ** 63n, 'LIMIT'], [2n ** 64n - 1n, 'LIMIT'], [100_000_000n, 'EOF'], [3n, 'EOF'],
  ] as const) {
    const file = source(concat(u64(length), utf8('{}')))
    expect(await codeOf(openSafetensors(file))).toBe(code)
    expect(file.ranges.every(([, length]) => length <= 10)).toBe(true)
  }
  expect(await codeOf(openSafetensors(source(u64(0).subarray(0, 7))))).toBe('EOF')
})

test('the cap of the header can be set, and a misspelt one is refused', async () => {
  const file = safetensors('{}' + ' '.repeat(30))
  expect((await openSafetensors(source(file), { limits: { header: 32 } })).headerBytes).toBe(32)
  const fault = await faultOf(openSafetensors(source(file), { limits: { header: 31 } }))
  expect([fault.code, fault.detail]).toEqual(['LIMIT', 'a header of 32 bytes is over the cap of 31; raise limits.header if it is meant'])
  // @ts-expect-error a name that is no cap
  expect((await faultOf(openSafetensors(source(file), { limits: { headers: 1 } }))).code).toBe('TYPE')
})

test.each([0, 1, 7, 8, 9])('a header that ends %i bytes after the first read is read whole', async (beyond) => {
  const text = '{"__metadata__":{"k":"v"}}'
  const header = text + ' '.repeat(2 ** 15 - 8 - text.length + beyond)
  const model = await open(header)
  expect(model.headerBytes).toBe(2 ** 15 - 8 + beyond)
  expect([...model.metadata]).toEqual([['k', 'v']])
})

test('opening reads no payload, and a payload is read in pieces of a mebibyte at most', async () => {
  const big = new Uint8Array(3 * 2 ** 20 + 5).fill(7)
  const file = source(safetensors(one('U8', [big.length], big.length), big))
  const model = await openSafetensors(file)
  expect(file.ranges).toEqual([[0, 2 ** 15]])
  expect((await payload(model.tensors[0]!)).length).toBe(big.length)
  expect(file.ranges.slice(1).map(([, length]) => length)).toEqual([2 ** 20, 2 ** 20, 2 ** 20, 5])
})

test('an aborted signal ends the reading with its reason', async () => {
  const model = await open(one('U8', [1], 1), hex('01'))
  const reason = new Error('enough')
  const signal = AbortSignal.abort(reason)
  const read = async () => {
    for await (const piece of model.tensors[0]!.chunks({ signal })) void piece
  }
  await expect(read()).rejects.toBe(reason)
})

test.each([
  ['GGUF\x03\0\0\0', 'this is a GGUF file; open it as GGUF'],
  ['version https://git-lfs.github.com/spec/v1\noid sha256:00\n', 'run `git lfs pull`'],
  ['<!DOCTYPE html><html>', 'this is an HTML page'],
  ['{"metadata":{},"weight_map":{}}', 'this is the index of a sharded safetensors set'],
  ['\x80\x02}q\0.         ', 'a pickle can run code and is not read'],
])('a file that is something else (%j) is called by its name', async (text, words) => {
  const fault = await faultOf(openSafetensors(source(Uint8Array.from(Buffer.from(text, 'latin1')))))
  expect(fault.code).toBe('FRAME')
  expect(fault.detail).toContain(words)
})
