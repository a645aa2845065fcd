import { writeFileSync } from 'node:fs'
import { encodeFrame, k, tensor } from 'kiln-format'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { kiln } from '../support/in-process.js'

const inFolder = temporaryFolder()
const Sample = k.struct({ input: k.tensors, label: k.u16 })
const sample = (label: number, schema: boolean): Uint8Array =>
  encodeFrame(Sample, { input: [tensor('x', 'u8', [1], [label])], label }, { schema, checksum: true })

// As the guide on datasets writes it: the first frame alone has the schema.
const log = inFolder('samples.kiln')
writeFileSync(log, Buffer.concat([sample(1, true), sample(2, false), sample(3, false)]))

test('a file whose first frame alone brings the schema is good', async () => {
  expect(JSON.parse((await kiln(['verify', '--json', log])).stdout)).toMatchObject({ good: true, frames: 3, tensors: 3, checksums: 3 })
})

test('all of its frames are decoded, and come back byte for byte', async () => {
  const { stdout } = await kiln(['decode', log])
  expect((JSON.parse(stdout) as { frames: { value: { label: number } }[] }).frames.map(({ value }) => value.label)).toEqual([1, 2, 3])
  const { bytes } = await kiln(['encode', '-'], { stdin: stdout })
  expect(bytes.equals(Buffer.concat([sample(1, true), sample(2, false), sample(3, false)]))).toBe(true)
})

test('all of its frames are shown by their fields and their bytes', async () => {
  const { frames } = JSON.parse((await kiln(['inspect', '--json', log])).stdout) as { frames: { schema: string | null; fields: unknown[] }[] }
  expect(frames.map(({ schema }) => schema)).toEqual([Sample.text, null, null])
  expect(frames[2]!.fields).toEqual([{ name: 'input', type: 'tensors', value: '1 tensor, 257 B' }, { name: 'label', type: 'u16', value: '3' }])
  const { code, stdout } = await kiln(['inspect', '--bytes', log])
  expect(code).toBe(0)
  expect(stdout).toMatch(/\[2\]\.label {2}u16 {2}3$/m)
})

test('16-bit floats are told as numbers, with their bits', async () => {
  const Halves = k.struct({ a: k.f16, b: k.bf16, c: k.option(k.f16), d: k.f16 })
  const path = inFolder('halves.kiln')
  writeFileSync(path, encodeFrame(Halves, { a: 0x3c00, b: 0xc000, c: 0x8000, d: 0x7e01 }, { schema: true }))
  const { frames } = JSON.parse((await kiln(['inspect', '--json', path])).stdout) as { frames: { fields: { value: string }[] }[] }
  expect(frames[0]!.fields.map(({ value }) => value)).toEqual(['1 (0x3c00)', '-2 (0xc000)', '-0 (0x8000)', 'NaN (0x7e01)'])
})

test('a schema that is given holds for all frames, and no other is taken', async () => {
  const { code, stderr } = await kiln(['verify', log, '--schema', 'struct{label:u16}'])
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringMatching(/^kiln: FRAME at .*written with another schema/) as string })
  const { stdout } = await kiln(['inspect', '--json', log, '--schema', 'struct{label:u16}'])
  expect((JSON.parse(stdout) as { frames: { fields?: unknown }[] }).frames.map(({ fields }) => fields === undefined)).toEqual([false, true, true])
})

test('of many frames those that are only counted are not read', async () => {
  const path = inFolder('many.kiln')
  const bad = sample(9, false)
  bad[32] = 0xff // its directory is none, which reading its fields would find
  writeFileSync(path, Buffer.concat([...Array.from({ length: 20 }, (_, i) => sample(i, i === 0)), bad]))
  const { code, stdout } = await kiln(['inspect', path])
  expect({ code, end: stdout.slice(-18) }).toEqual({ code: 0, end: '\nand 1 more frame\n' })
})
