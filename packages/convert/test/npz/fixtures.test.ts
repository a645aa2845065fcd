import { expect, test } from 'vitest'
import { descrOfDtype } from '../../src/npy/descr.js'
import { openNpz } from '../../src/npz/open.js'
import { writeNpz } from '../../src/npz/write.js'
import { fixturesOf, hasFixtures, sha256 } from '../support/fixtures.js'
import { memorySource, MemorySink, payload } from '../support/memory.js'

const fixtures = fixturesOf('npz')

test.skipIf(!hasFixtures)('the folder is not empty', () => {
  expect(fixtures.length).toBe(8)
})

for (const { file, bytes, note, expect: expected, meta } of fixtures) {
  if (expected === undefined) {
    test(`${file} is refused: ${note}`, async () => {
      expect(file).toBe('numpy/py3-objarr.npz')
      await expect(openNpz(memorySource(bytes))).rejects.toMatchObject({
        code: 'TYPE',
        detail:
          `in "x.npy": dtype '|O' is pickled Python objects, ` +
          'which are never unpickled; save numbers, with astype()',
      })
    })
    continue
  }

  test(`${file} gives what is expected`, async () => {
    const model = await openNpz(memorySource(bytes))
    const found = []
    for (const tensor of model.tensors) {
      const { method } = model.members.find(({ name }) => name === `${tensor.name}.npy`)!
      found.push({
        name: tensor.name,
        dtype: tensor.dtype,
        shape: tensor.shape,
        byte_length: tensor.byteLength,
        sha256: sha256(await payload(tensor)),
        native_dtype: descrOfDtype(tensor.dtype),
        zip_method: method,
      })
    }
    // How each array was stored is a matter of NPY, and tested there.
    expect(found).toEqual(expected.map(({ npy_version: _version, fortran_order: _order, ...rest }) => rest))
    expect(model.members.map(({ name, method, size }) => [name, method, size])).toEqual(meta!['members'])
    const refused = (meta!['refused_members'] ?? []) as readonly (readonly [string, string])[]
    expect(model.omitted.map(({ name }) => name)).toEqual(refused.map(([name]) => name))
    for (const [i, { reason }] of model.omitted.entries()) {
      const dtype = /^dtype ('[^']*')/.exec(refused[i]![1])![1]!
      expect(reason).toContain(`dtype ${dtype} is `)
    }
  })

  for (const deflate of [false, true]) {
    test(`${file} comes back the same after it has been ${deflate ? 'deflated' : 'stored'}`, async () => {
      const model = await openNpz(memorySource(bytes))
      const sink = new MemorySink()
      const size = await writeNpz(model, sink, { deflate })
      expect(sink.ended).toBe('closed')
      expect(sink.bytes.length).toBe(size)
      const again = await openNpz(memorySource(sink.bytes))
      expect(again.omitted).toEqual([])
      expect(again.members.map(({ method }) => method)).toEqual(expected.map(() => (deflate ? 'deflated' : 'stored')))
      const found = []
      for (const { name, dtype, shape, byteLength, ...tensor } of again.tensors) {
        found.push([name, dtype, shape, sha256(await payload({ name, dtype, shape, byteLength, ...tensor }))])
      }
      expect(found).toEqual(expected.map(({ name, dtype, shape, sha256: hash }) => [name, dtype, shape, hash]))
      // What is in the writer's own form is the same bytes.
      const twice = new MemorySink()
      await writeNpz(again, twice, { deflate })
      expect(sha256(twice.bytes)).toBe(sha256(sink.bytes))
    })
  }
}
