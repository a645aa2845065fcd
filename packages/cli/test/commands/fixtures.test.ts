import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { kiln, kilnJson } from '../support/in-process.js'
import { fixturesOf, hasFixtures, type ExpectedTensor } from '../support/shared.js'

const inFolder = temporaryFolder()

interface Inspected {
  readonly format: string
  readonly tensors: readonly (ExpectedTensor & Readonly<Record<string, unknown>>)[]
  readonly metadata: Readonly<Record<string, string>>
}

const facts = (tensors: readonly ExpectedTensor[]): ExpectedTensor[] =>
  tensors.map(({ name, dtype, shape, byte_length, sha256 }) => ({ name, dtype, shape, byte_length, sha256 }))

/** GGUF of version 1 is read only by a program that asks for it. */
const isVersion1 = (file: string): boolean => file.includes('.v1.gguf')

for (const folder of ['safetensors', 'gguf', 'npy', 'npz', 'onnx', 'onnx-tensorproto']) {
  const all = fixturesOf(folder)
  test.skipIf(!hasFixtures)(`${folder}: the folder has files of both kinds`, () => {
    expect(all.filter(({ expected }) => expected !== undefined).length).toBeGreaterThan(1)
  })
  for (const { file, path, expected } of all) {
    if (expected === undefined || isVersion1(file)) {
      test(`${folder}/${file} is refused in one line, with exit code 1`, async () => {
        const { code, stdout, stderr } = await kiln(['inspect', path, '--sha256', '--alone'])
        expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
        expect(stderr).toMatch(/^kiln: (EOF|TRAILING|FRAME|TYPE|LIMIT|UTF8|CHECKSUM) at .+: .+\n$/)
        expect(stderr).not.toMatch(/ {4}at /)
      })
      continue
    }
    test(`${folder}/${file} is inspected, and converted to Kiln with the same tensors`, async () => {
      const foreign = await kilnJson<Inspected>(['inspect', path, '--sha256', '--alone'])
      expect(facts(foreign.tensors)).toEqual(facts(expected))
      const model = inFolder(`${folder}-${file.replaceAll('/', '-')}.kiln`)
      const { code } = await kiln(['convert', path, model, '--alone', '--checksums'])
      expect(code).toBe(0)
      const own = await kilnJson<Inspected>(['inspect', model, '--sha256'])
      expect(facts(own.tensors)).toEqual(facts(expected))
      expect(own.metadata).toEqual(foreign.metadata)
      expect((await kiln(['verify', model, '--strict'])).code).toBe(0)
    })
  }
}

test.skipIf(!hasFixtures)('an index and a folder open the whole set', async () => {
  const set = fixturesOf('safetensors').find(({ file }) => file.endsWith('.index.json'))!
  const expected = facts(set.expected ?? [])
  expect(expected.length).toBeGreaterThan(10)
  const byIndex = await kilnJson<Inspected>(['inspect', set.path, '--sha256'])
  expect(facts(byIndex.tensors)).toEqual(expected)
  const shard = set.path.replace('model.safetensors.index.json', 'model-00003-of-00006.safetensors')
  expect(facts((await kilnJson<Inspected>(['inspect', shard, '--sha256'])).tensors)).toEqual(expected)
})
