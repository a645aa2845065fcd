import { plainName, plainPath } from 'kiln-convert'
import { expect, test } from 'vitest'
import { faultOf } from '../support/fault.js'

const BAD_NAMES = [
  '', '.', '..', '/x', '\\x', 'a/b', 'a\\b', '../x', '..\\x', 'C:', 'C:x', 'x:stream', 'x\0', 'x\n', '\u007f', '\ud800', 'x.', 'x ', '... ', '. .',
  'con', 'CON.txt', 'nul', 'NUL.safetensors', 'aux.', 'prn .x', 'com1', 'LPT9.bin', 'COM\u00b9.bin', 'conin$', 'x'.repeat(256), 'file:///etc/passwd',
]

test.each(BAD_NAMES)('%j is no name of a file in the folder', async (name) => {
  const fault = await faultOf(() => plainName(name, 'the shard'))
  expect(fault.code).toBe('TYPE')
  expect(fault.detail).toMatch(/^the shard ".*" is not opened, for it .*; only files of the folder itself are$/s)
})

test.each(['a', 'model-00001-of-00002.safetensors', '..a', '.hidden', 'a..b', 'Ünïcode 🙂', 'com', 'com10.x', 'console', '__proto__', '%2e%2e', '~'])(
  '%j is one',
  (name) => {
    expect(plainName(name)).toBe(name)
  },
)

test.each([
  '/etc/passwd', '//server/share', '\\\\server\\share', '../secret.bin', 'a/../b', 'a/../../b', 'a/./b', 'a//b', 'a/', './', './/a', '././a', './../a',
  'C:/x', 'a\\..\\..\\b', 'a/nul', 'a/b\0c', ' /a', Array.from({ length: 33 }, () => 'd').join('/'), ...BAD_NAMES.filter((name) => name !== 'a/b'),
])('%j is no path below the folder', async (path) => {
  expect((await faultOf(() => plainPath(path))).code).toBe('TYPE')
})

test.each([['a/b/c.bin', 'a/b/c.bin'], ['./w.bin', 'w.bin'], ['./a/b', 'a/b'], ['w', 'w'], ['a/..b', 'a/..b']])('%j is the path %j', (path, inner) => {
  expect(plainPath(path)).toBe(inner)
})
