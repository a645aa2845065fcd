import { readFileSync, writeFileSync } from 'node:fs'
import { crc32, decodeFrame, encodeDirectory, encodeFrame, k, modelSchema, readDirectory, tensor, type Directory } from 'kiln-format'
import { beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { kiln, kilnJson } from '../support/in-process.js'

const inFolder = temporaryFolder()
const a = inFolder('a.kiln')
const numbers = Float32Array.from({ length: 256 }, (_, i) => Math.sin(i) * 4)

beforeAll(() => {
  writeFileSync(a, encodeFrame(modelSchema, {
    tensors: [
      tensor('w', 'f32', [4, 64], numbers),
      tensor('bias', 'f32', [4], [1, 2, 3, NaN]),
      tensor('ids', 'i64', [2], [2n ** 60n, -1n]),
      tensor('q', 'e2m1', [2, 32], new Uint8Array(32).fill(0x21), { scale: 'q.scale', axis: 1, groupSize: 32 }),
      tensor('q.scale', 'e8m0', [2, 1], new Uint8Array([127, 128]), { checksum: true }),
    ],
    metadata: { author: 'me' },
  }, { schema: true, checksum: true }))
})

interface Difference {
  readonly kind: string
  readonly name: string
  readonly max_error?: number
  readonly mean_error?: number
}
const diff = async (one: string, other: string, ...options: string[]): Promise<{ same: boolean; differences: Difference[] }> =>
  kilnJson(['diff', one, other, ...options])

test('Kiln to safetensors and back keeps tensors and metadata', async () => {
  const middle = inFolder('middle.safetensors')
  const back = inFolder('back.kiln')
  // e2m1 has whole bytes here, so safetensors takes it; only the link is lost, and that is said.
  const { code, stderr } = await kiln(['convert', a, middle])
  expect(code).toBe(0)
  expect(stderr).toMatch(/^kiln: left out: q: its link to the scales in "q\.scale"/)
  expect((await kiln(['convert', middle, back])).code).toBe(0)
  expect((await diff(a, back)).differences).toEqual([{ kind: 'links', name: 'q', from: 'scales q.scale, axis 1, groups of 32', to: 'none' }])
})

test('the output can be named by -o too, and then every argument is an input', async () => {
  const one = inFolder('one.kiln')
  const other = inFolder('other.kiln')
  expect((await kiln(['convert', a, one])).code).toBe(0)
  expect((await kiln(['convert', '-o', other, a])).code).toBe(0)
  expect(readFileSync(other).equals(readFileSync(one))).toBe(true)
})

test('Kiln to Kiln keeps every bit of the tensors, links and checksums too', async () => {
  const copy = inFolder('copy.kiln')
  await kiln(['convert', a, copy])
  expect(await diff(a, copy)).toMatchObject({ same: true, differences: [] })
  const { tensors } = decodeFrame(readFileSync(copy), modelSchema).value
  expect(tensors.get('q').scale?.name).toBe('q.scale')
  expect(tensors.get('q.scale').checksum).toBe(crc32(new Uint8Array([127, 128])))
})

test('--dtype turns floats, applies links and drops their scales; integers stay', async () => {
  const narrow = inFolder('narrow.kiln')
  const report = await kilnJson<{ changed: string[] }>(['convert', a, narrow, '--dtype', 'bf16'])
  expect(report.changed).toEqual(['w', 'bias', 'q'])
  const { tensors } = decodeFrame(readFileSync(narrow), modelSchema).value
  expect(tensors.names).toEqual(['w', 'bias', 'ids', 'q'])
  expect(tensors.get('ids').borrow('i64')).toEqual(new BigInt64Array([2n ** 60n, -1n]))
  // Codes 1 and 2 are 0.5 and 1; the second row's scale is 2.
  expect([...tensors.get('q').borrow('bf16').subarray(0, 2)]).toEqual([0x3f00, 0x3f80])
  expect([...tensors.get('q').borrow('bf16').subarray(32, 34)]).toEqual([0x3f80, 0x4000])
  const [first] = (await diff(a, narrow)).differences
  expect(first).toMatchObject({ kind: 'dtype', name: 'w', incomparable: 0 })
  expect(first!.max_error).toBeGreaterThan(0)
  expect(first!.max_error).toBeLessThan(4 * 2 ** -8)
})

test('--quantize makes linked tensors of the floats of two dimensions or more', async () => {
  for (const [format, dtype, scale] of [['mxfp4', 'e2m1', 'e8m0'], ['nvfp4', 'e2m1', 'f8e4m3'], ['int8:128', 'i8', 'f32']] as const) {
    const quantized = inFolder(`${format.replace(':', '-')}.kiln`)
    expect((await kiln(['convert', a, quantized, '--quantize', format, '--only', '^w$'])).code).toBe(0)
    const { tensors } = decodeFrame(readFileSync(quantized), modelSchema).value
    expect(tensors.get('w').dtype).toBe(dtype)
    expect(tensors.get('w').scale?.dtype).toBe(scale)
    expect(tensors.get('bias').dtype).toBe('f32')
    // Links of tensors that stay follow their scales to where they are now.
    expect(tensors.get('q').scale?.name).toBe('q.scale')
    expect((await diff(a, quantized)).differences[0]!.max_error).toBeGreaterThan(0)
  }
})

test('what can not be done with numbers is refused', async () => {
  const x = inFolder('x.kiln')
  expect(await kiln(['convert', a, x, '--dtype', 'f99'])).toMatchObject({ code: 2, stderr: expect.stringContaining('--dtype: "f99" is no dtype') as string })
  expect(await kiln(['convert', a, x, '--quantize', 'fp3'])).toMatchObject({ code: 2 })
  expect(await kiln(['convert', a, x, '--mode', 'clip', '--dtype', 'f16'])).toMatchObject({ code: 2 })
  expect(await kiln(['convert', a, x, '--only', '(', '--dtype', 'f16'])).toMatchObject({ code: 2 })
  // A NaN has no code in e2m1, and what it becomes has to be said.
  expect(await kiln(['convert', a, x, '--dtype', 'e2m1'])).toMatchObject({ code: 1, stderr: expect.stringMatching(/^kiln: TYPE at .*bias\[3\]/) as string })
  expect(await kiln(['convert', a, x, '--dtype', 'e2m1', '--nan', 'zero'])).toMatchObject({ code: 0 })
})

test('diff tells what was added, removed, reshaped and changed', async () => {
  const b = inFolder('b.kiln')
  const other = numbers.slice()
  other[7]! += 1
  other[200]! += 3
  writeFileSync(b, encodeDirectory([
    tensor('w', 'f32', [4, 64], other),
    tensor('bias', 'f32', [2, 2], [1, 2, 3, NaN]),
    tensor('ids', 'i32', [2], [1, -1]),
    tensor('new', 'u8', [1], [1]),
  ]))
  const { same, differences } = await diff(a, b)
  expect(same).toBe(false)
  expect(differences).toMatchObject([
    { kind: 'bits', name: 'w', dtype: 'f32', count: 2, first_index: 7, max_error: 3, mean_error: 4 / 256 },
    { kind: 'shape', name: 'bias' },
    { kind: 'dtype', name: 'ids', from: { dtype: 'i64' }, to: { dtype: 'i32' } },
    { kind: 'removed', name: 'q' },
    { kind: 'removed', name: 'q.scale' },
    { kind: 'added', name: 'new' },
    { kind: 'metadata', name: 'author', from: 'me', to: null },
  ])
  const text = await kiln(['diff', a, b, '--no-values', '--exit-code'])
  expect(text.code).toBe(1)
  expect(text.stdout).toContain('~ w  2 elements differ, the first at index 7\n')
  expect((await kiln(['diff', a, a, '--exit-code'])).code).toBe(0)
})

test('extract gives one tensor, raw or as NPY', async () => {
  const raw = await kiln(['extract', a, 'bias'])
  expect(raw.bytes.toString('hex')).toBe('0000803f00000040000040400000c07f')
  expect(await kilnJson(['extract', a, '#2', '-o', inFolder('ids.npy')])).toMatchObject({ format: 'npy', name: 'ids', dtype: 'i64', shape: [2], bytes: 144 })
  expect(readFileSync(inFolder('ids.npy')).subarray(0, 6).toString('latin1')).toBe('\u0093NUMPY')
  expect(await kiln(['extract', a, 'q', '-o', inFolder('q.npy')])).toMatchObject({ code: 1, stderr: expect.stringContaining('TYPE') as string })
  expect((await kiln(['extract', a, 'q', '-o', inFolder('q.npy'), '--bits'])).code).toBe(0)
  expect(await kiln(['extract', a, 'nothing'])).toMatchObject({ code: 1, stderr: expect.stringContaining('no tensor is named "nothing"; there are 5: "w"') as string })
})

test('several inputs become one file, unnamed tensors called by their file', async () => {
  await kiln(['extract', a, 'w', '-o', inFolder('weight.npy')])
  await kiln(['extract', a, 'ids', '-o', inFolder('tokens.npy')])
  const joined = inFolder('joined.npz')
  expect((await kiln(['convert', inFolder('weight.npy'), inFolder('tokens.npy'), joined])).code).toBe(0)
  expect(await kilnJson(['inspect', joined])).toMatchObject({ tensors: [{ name: 'weight', dtype: 'f32' }, { name: 'tokens', dtype: 'i64' }] })
  expect(await kiln(['convert', a, a, joined])).toMatchObject({ code: 1, stderr: expect.stringContaining('both have a tensor of this name') as string })
})

test('shards are of the size that is asked for, and their index opens them all', async () => {
  const plain = inFolder('plain.kiln')
  await kiln(['convert', a, plain, '--dtype', 'f32'])
  const report = await kilnJson<{ outputs: string[] }>(['convert', plain, inFolder('set.safetensors'), '--shard-size', '1100'])
  expect(report.outputs).toEqual(
    ['set-00001-of-00002.safetensors', 'set-00002-of-00002.safetensors', 'set.safetensors.index.json'].map((name) => inFolder(name)))
  expect((await diff(plain, inFolder('set.safetensors.index.json'))).same).toBe(true)
})

test('a GGUF set is written and opened by any of its files', async () => {
  const plain = inFolder('for-gguf.kiln')
  await kiln(['convert', a, plain, '--dtype', 'f32'])
  const report = await kilnJson<{ outputs: string[] }>(['convert', plain, inFolder('split.gguf'), '--shard-size', '1500'])
  expect(report.outputs).toEqual([1, 2].map((n) => inFolder(`split-0000${n}-of-00002.gguf`)))
  expect((await diff(plain, report.outputs[1]!)).differences.filter(({ kind }) => kind !== 'metadata')).toEqual([])
})

test('a bare directory, its alignment and checksums', async () => {
  const bare = inFolder('bare.kiln')
  const { stderr } = await kiln(['convert', a, bare, '--bare', '--alignment', '4096', '--checksums'])
  expect(stderr).toBe('kiln: left out: author: a string of the metadata, which a bare directory has no place for\n')
  const directory = readDirectory(readFileSync(bare))
  expect(directory.payloadBase).toBe(4096)
  expect([...directory].every(({ checksum }) => checksum !== undefined)).toBe(true)
})

test('meta set changes metadata and nothing else, in place or elsewhere', async () => {
  const file = inFolder('meta.kiln')
  writeFileSync(file, readFileSync(a))
  expect((await kiln(['meta', 'set', file, 'note=x=y', 'author=you'])).code).toBe(0)
  expect((await kiln(['meta', 'get', file])).stdout).toBe('author: you\nnote: x=y\n')
  expect((await kiln(['meta', 'get', file, 'note'])).stdout).toBe('x=y\n')
  expect((await diff(a, file)).differences.map(({ kind }) => kind)).toEqual(['metadata', 'metadata'])
  expect((await kiln(['verify', file])).code).toBe(0)
  expect(await kilnJson(['meta', 'set', file, '--remove', 'note', '-o', inFolder('less.kiln')])).toMatchObject({ metadata: { author: 'you' } })
  expect((await kiln(['meta', 'get', file, 'note'])).code).toBe(0)
  expect(await kiln(['meta', 'get', inFolder('less.kiln'), 'note'])).toMatchObject({ code: 1, stderr: expect.stringContaining('there is no key "note"') as string })
  expect((await kiln(['meta', 'set', file, '--remove', 'nothing'])).code).toBe(1)
  expect((await kiln(['meta', 'set', file, 'novalue'])).code).toBe(2)
  expect((await kiln(['meta', 'set', file])).code).toBe(2)
})

test('meta set keeps other fields to the bit, a scalar NaN too', async () => {
  const schema = k.struct({ tensors: k.tensors, x: k.f32, metadata: k.dict(k.string, k.string), y: k.f64 })
  const frame = encodeFrame(schema, { tensors: [tensor('w', 'u8', [3], [1, 2, 3])], x: 0, metadata: { a: '1' }, y: 0 }, { schema: true })
  const marker = new Uint8Array([0x45, 0x23, 0xc1, 0xff])
  const x = frame.length - 8 - 14 - 4
  frame.set(marker, x)
  const file = inFolder('odd.kiln')
  writeFileSync(file, frame)
  expect(await kiln(['meta', 'set', file, 'a=longer'])).toMatchObject({ code: 0, stderr: '' })
  const after = readFileSync(file)
  expect(after.subarray(0, 24)).toEqual(Buffer.from(frame.subarray(0, 24)))
  expect(after.subarray(32, x + 4)).toEqual(Buffer.from(frame.subarray(32, x + 4)))
  expect(decodeFrame(after, schema).value.metadata.get('a')).toBe('longer')
  expect(await kiln(['meta', 'set', inFolder('bare.kiln'), 'a=b'])).toMatchObject({ code: 1, stderr: expect.stringContaining('SCHEMA') as string })
})

test('metadata of safetensors is edited too, its tensors kept', async () => {
  const file = inFolder('m.safetensors')
  await kiln(['convert', a, file])
  expect((await kiln(['meta', 'set', file, 'k=v'])).code).toBe(0)
  expect(await kilnJson(['meta', 'get', file])).toMatchObject({ metadata: { author: 'me', k: 'v' } })
  expect(await kiln(['meta', 'set', inFolder('weight.npy'), 'k=v'])).toMatchObject({ code: 1 })
})

test('stats of one tensor and of all', async () => {
  const { tensors } = await kilnJson<{ tensors: { name: string; histogram: { counts: number[] } }[] }>(['stats', a])
  expect(tensors.map(({ name }) => name)).toEqual(['w', 'bias', 'ids', 'q', 'q.scale'])
  expect(tensors[1]).toMatchObject({ count: 4, finite: 3, nans: 1, min: 1, max: 3, mean: 2 })
  expect(tensors[0]!.histogram.counts.reduce((sum, n) => sum + n, 0)).toBe(256)
  expect((await kiln(['stats', a, 'bias'])).stdout).not.toContain('█')
  expect((await kiln(['stats', a, 'bias'], { tty: true })).stdout).toContain('█')
})

test('verify names the first fault, and repairs a torn log into whole frames', async () => {
  expect(await kilnJson(['verify', a])).toMatchObject({ good: true, frames: 1, tensors: 5, checksums: 2 })
  const record = k.struct({ id: k.u32 })
  const log = inFolder('log.kiln')
  const whole = Buffer.concat([1, 2, 3].map((id) => encodeFrame(record, { id }, { schema: true, checksum: true })))
  writeFileSync(log, whole.subarray(0, whole.length - 3))
  expect(await kiln(['verify', log])).toMatchObject({ code: 1, stderr: expect.stringMatching(/^kiln: EOF at /) as string })
  const report = await kilnJson(['verify', '--repair', log, '-o', inFolder('repaired.kiln')])
  expect(report).toMatchObject({ frames: 2, bytes: (whole.length / 3) * 2, dropped_bytes: whole.length / 3 - 3, fault: { code: 'EOF' } })
  expect(readFileSync(inFolder('repaired.kiln')).equals(whole.subarray(0, (whole.length / 3) * 2))).toBe(true)
  // A frame whose body was damaged is not kept either, nor what follows it.
  const damaged = Buffer.from(whole)
  damaged[(whole.length / 3) * 2 - 1]! ^= 1
  writeFileSync(log, damaged)
  expect(await kilnJson(['verify', '--repair', log, '-o', inFolder('repaired.kiln')])).toMatchObject({ frames: 1, fault: { code: 'CHECKSUM' } })
  writeFileSync(log, 'KILF')
  expect((await kiln(['verify', '--repair', log, '-o', inFolder('none.kiln')])).code).toBe(1)
  expect((await kiln(['verify', '--repair', log])).code).toBe(2)
})

test('inspect shows frames by their fields, with a schema from elsewhere if they bring none', async () => {
  const schema = k.struct({ id: k.i64, name: k.string, x: k.list(k.f32) })
  const file = inFolder('plain-frame.kiln')
  writeFileSync(file, encodeFrame(schema, { id: -5n, name: 'n\u0007', x: [1] }))
  const bare = await kilnJson<{ frames: { fields?: unknown }[] }>(['inspect', file])
  expect(bare.frames[0]).toMatchObject({ schema: null, flags: 0, hash: expect.stringMatching(/^0x[0-9a-f]{16}$/) as string })
  expect(bare.frames[0]!.fields).toBeUndefined()
  const { stdout } = await kiln(['inspect', file, '--schema', schema.text])
  expect(stdout).toMatch(/id +i64 +-5\nname +string +"n\\u0007"\nx +list<f32> +1 number\n/)
})

test('inspect --bytes says what every byte is, and where a bad file goes wrong', async () => {
  interface Span {
    readonly offset: number
    readonly length: number
    readonly kind: string
  }
  const { spans, bytes } = await kilnJson<{ spans: Span[]; bytes: number }>(['inspect', '--bytes', a])
  let end = 0
  for (const { offset, length } of spans) {
    expect(offset).toBe(end)
    end += length
  }
  expect(end).toBe(bytes)
  const torn = inFolder('torn.kiln')
  writeFileSync(torn, readFileSync(a).subarray(0, 400))
  const { code, stdout, stderr } = await kiln(['inspect', '--bytes', '--rules', torn])
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
  expect(stdout).toMatch(/\n[0-9a-f]{6} +\d+ +error +.*EOF/)
  expect((await kiln(['inspect', '--bytes', inFolder('weight.npy')])).code).toBe(2)
})

test('a directory in memory and through the command say the same', async () => {
  const { tensors } = await kilnJson<{ tensors: { name: string; offset: number; scale?: string }[] }>(['inspect', a])
  const bytes = readFileSync(a)
  const directory: Directory = decodeFrame(bytes, modelSchema).value.tensors
  for (const { name, offset } of tensors) {
    expect(bytes.subarray(offset, offset + directory.get(name).byteLength)).toEqual(Buffer.from(directory.get(name).bytes))
  }
  expect(tensors.find(({ name }) => name === 'q')?.scale).toBe('q.scale')
})
