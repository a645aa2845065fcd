import { expect, test } from 'vitest'
import { openGguf } from '../../src/gguf/open.js'
import type { GgufKeyValue } from '../../src/gguf/value-types.js'
import { memorySource } from '../support/memory.js'
import { buildGguf } from './build.js'

const keyValues: readonly GgufKeyValue[] = [
  { key: 'general.architecture', type: 'string', value: 'test' },
  { key: 'a.list', type: 'array', value: { itemType: 'uint16', items: Uint16Array.of(1, 258) } },
]

test.each([1, 2, 3])('version %i in little-endian order', async (version) => {
  const bytes = buildGguf(keyValues, [], { version })
  const model = await openGguf(memorySource(bytes), { version1: true })
  expect(model).toMatchObject({ version, littleEndian: true, keyValues })
  const plain = openGguf(memorySource(bytes))
  if (version === 1)
    await expect(plain).rejects.toMatchObject({
      code: 'FRAME',
      offset: 4,
      detail: expect.stringContaining('version 1') as unknown,
    })
  else await expect(plain).resolves.toMatchObject({ version })
})

test('version 3 in big-endian order', async () => {
  const model = await openGguf(memorySource(buildGguf(keyValues, [], { littleEndian: false })))
  expect(model).toMatchObject({ version: 3, littleEndian: false, keyValues })
})

test.each([
  [
    buildGguf([], [], { version: 1, littleEndian: false }),
    'FRAME',
    /a big-endian file of GGUF version 1; big-endian files exist from version 3 on/,
  ],
  [buildGguf([], [], { version: 2, littleEndian: false }), 'FRAME', /a big-endian file of GGUF version 2/],
  [buildGguf([], [], { version: 0 }), 'FRAME', /GGUF version 0, which is not known; versions 2 and 3 are read/],
  [buildGguf([], [], { version: 4 }), 'FRAME', /GGUF version 4, which is not known/],
  [buildGguf([], [], { version: 0xffffffff }), 'FRAME', /GGUF version 4294967295, which is not known/],
  [Uint8Array.of(0x46, 0x55, 0x47, 0x47, 0, 0, 0, 3), 'FRAME', /begins with FUGG/],
  [Uint8Array.of(0x47, 0x47, 0x55, 0x47, 3, 0, 0, 0), 'FRAME', /no GGUF file: it does not begin with GGUF/],
  [new Uint8Array(0), 'EOF', /this is an empty file; fetch it again/],
  [
    Uint8Array.of(0x47, 0x47, 0x55, 0x46, 3, 0, 0),
    'EOF',
    /the magic and version of bytes needs 8 bytes, and 7 are left/,
  ],
  [new TextEncoder().encode('<!DOCTYPE html><title>Log in</title>'), 'FRAME', /not a GGUF file: this is an HTML page/],
  [new TextEncoder().encode('version https://git-lfs.github.com/spec/v1\noid sha256:00\n'), 'FRAME', /Git LFS pointer/],
  [new TextEncoder().encode('lmgg and more'), 'FRAME', /GGML file from before GGUF/],
] as const)('what is no GGUF of these versions is refused, and says what it is (%#)', async (bytes, code, detail) => {
  await expect(openGguf(memorySource(bytes))).rejects.toMatchObject({
    code,
    detail: expect.stringMatching(detail) as unknown,
  })
})
