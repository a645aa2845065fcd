/* eslint-disable @typescript-eslint/no-require-imports -- that it works is what this program shows */
const assert = require('node:assert').strict
const { decode, encode, isKilnError, k } = require('kiln-format')
const { narrow } = require('kiln-format/numeric')
const { sniff } = require('kiln-convert')

assert.equal(decode(k.string, encode(k.string, 'a')), 'a')
assert.equal(narrow(Float32Array.of(1), 'f16', { mode: 'saturate' }).length, 2)
assert.equal(typeof sniff, 'function')
assert.throws(
  () => decode(k.u16, Uint8Array.of(1)),
  (error) => isKilnError(error) && error.code === 'EOF',
)
assert.equal(require('kiln-format/package.json').name, 'kiln-format')
console.log('all as written')
