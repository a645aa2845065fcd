import { expect, test } from 'vitest'
import { descrOfDtype } from '../../src/npy/descr.js'
import { openNpy } from '../../src/npy/open.js'
import { writeNpy } from '../../src/npy/write.js'
import { fixturesOf, hasFixtures, sha256 } from '../support/fixtures.js'
import { memorySource, MemorySink, payload } from '../support/memory.js'

const fixtures = fixturesOf('npy')

test.skipIf(!hasFixtures)('the folder is not empty', () => {
  expect(fixtures.length).toBe(21)
})

// What a file that has no expectation is refused for, and the word by which it is named.
const REFUSED: Readonly<Record<string, readonly [code: string, word: RegExp]>> = {
  'npyjs/unicode.npy': ['TYPE', /'<U5' is text/],
  'numpy/py3-objarr.npy': ['TYPE', /'\|O' is pickled Python objects/],
  'numsharp/hello_S5.npy': ['TYPE', /'\|S5' is text/],
  'numsharp/version2_large_header.npy': ['TYPE', /structured dtype with the fields .* \(<f8\)/],
}

for (const { file, bytes, note, expect: expected } of fixtures) {
  if (expected === undefined) {
    test(`${file} is refused: ${note}`, async () => {
      const [code, word] = REFUSED[file]!
      await expect(openNpy(memorySource(bytes))).rejects.toMatchObject({
        code,
        detail: expect.stringMatching(word) as unknown,
      })
    })
    continue
  }
  test(`${file} gives what is expected`, async () => {
    const model = await openNpy(memorySource(bytes))
    expect(model.omitted).toEqual([])
    expect(model.metadata.size).toBe(0)
    const found = []
    for (const tensor of model.tensors) {
      const data = await payload(tensor)
      const bad = tensor.dtype === 'bool' ? data.filter((byte) => byte > 1).length : 0
      found.push({
        name: tensor.name,
        dtype: tensor.dtype,
        shape: tensor.shape,
        byte_length: tensor.byteLength,
        sha256: sha256(data),
        native_dtype: nativeDtype(tensor.dtype, model.bigEndian),
        npy_version: model.version,
        fortran_order: model.fortranOrder,
        ...(bad > 0 ? { bool_bytes_over_1: bad } : {}),
      })
    }
    expect(found).toEqual(expected)
  })

  test(`${file} comes back the same after it has been written`, async () => {
    const model = await openNpy(memorySource(bytes))
    const sink = new MemorySink()
    const size = await writeNpy(model.tensors[0]!, sink)
    expect(sink.ended).toBe('closed')
    expect(sink.bytes.length).toBe(size)
    const again = await openNpy(memorySource(sink.bytes))
    expect(again).toMatchObject({ fortranOrder: false, bigEndian: false, version: '1.0' })
    expect(again.tensors[0]!.shape).toEqual(expected[0]!.shape)
    expect(sha256(await payload(again.tensors[0]!))).toBe(expected[0]!.sha256)
    // And those that are in the writer's form, which is that of numpy today, are the same bytes.
    if (SAME_BYTES.has(file)) expect(sha256(sink.bytes)).toBe(sha256(bytes))
    else expect(sha256(sink.bytes)).not.toBe(sha256(bytes))
  })
}

/** Written by numpy 1.14 or later or in its form, little-endian, in C order. */
const SAME_BYTES = new Set([
  'ndarray-npy/example_bool_bad_value.npy',
  'npyjs/10-float16.npy',
  'npyjs/4x4x4x4x4-int16.npy',
  'npyjs/65x65-complex64.npy',
  'numsharp/empty.npy',
  'numsharp/scalar.npy',
])

/** As the header has it; what numpy writes, turned round for big-endian files. */
function nativeDtype(dtype: Parameters<typeof descrOfDtype>[0], bigEndian: boolean): string {
  const descr = descrOfDtype(dtype)!
  return bigEndian ? descr.replace('<', '>') : descr
}
