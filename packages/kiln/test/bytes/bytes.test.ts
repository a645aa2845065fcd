import { createContext, runInContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { crc32 } from 'kiln-format'
import { alignUp, align64 } from '../../src/bytes/align.js'
import { bulkCopy, type Width } from '../../src/bytes/bulk-copy.js'
import { littleEndian } from '../../src/bytes/host.js'
import { describe as describeValue, isUnstable, toBytes, typedArrayName } from '../../src/bytes/input.js'
import { readU64, writeU64 } from '../../src/bytes/u64.js'
import { bytesOf, hexOf } from '../support/hex.js'
import { fault } from '../support/fault.js'

describe('alignment', () => {
  test('works beyond 2^31 and 2^32, where 32-bit operators fail', () => {
    expect([0, 1, 63, 64, 65].map((n) => align64(n))).toEqual([0, 64, 64, 64, 128])
    expect(align64(2_147_483_649)).toBe(2_147_483_712)
    expect(align64(4_294_967_297)).toBe(4_294_967_360)
    expect(align64(2 ** 53 - 64)).toBe(2 ** 53 - 64)
    expect(alignUp(1, 4096)).toBe(4096)
    expect(alignUp(4_294_967_297, 65_536)).toBe(4_295_032_832)
  })
})

describe('64-bit words', () => {
  const view = new DataView(new ArrayBuffer(9))
  test.each([0, 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 32 + 1, 2 ** 53 - 1])('%d goes in and comes out', (n) => {
    writeU64(view, 1, n)
    expect(view.getBigUint64(1, true)).toBe(BigInt(n))
    expect(readU64(view, 1)).toBe(n)
  })
  test('what is over 2^53 - 1 comes out over it too', () => {
    for (const big of [2n ** 53n, 2n ** 53n + 1n, 2n ** 63n, 2n ** 64n - 1n]) {
      view.setBigUint64(1, big, true)
      expect(readU64(view, 1)).toBeGreaterThan(Number.MAX_SAFE_INTEGER)
    }
  })
})

describe('bulkCopy', () => {
  const source = bytesOf('000102030405060708090a0b0c0d0e0f')
  const swapped: { readonly [W in Width]: string } = {
    1: '000102030405060708090a0b0c0d0e0f',
    2: '0100030205040706' + '09080b0a0d0c0f0e',
    4: '03020100070605040b0a09080f0e0d0c',
    8: '07060504030201000f0e0d0c0b0a0908',
  }
  test.each([1, 2, 4, 8] as const)('elements of %d bytes: as they are on a little-endian host, swapped on a big-endian one', (width) => {
    const target = new Uint8Array(18).fill(0xee)
    bulkCopy(target.subarray(1, 17), source, width, true)
    expect(hexOf(target)).toBe(`ee${hexOf(source)}ee`)
    bulkCopy(target.subarray(1, 17), source, width, false)
    expect(hexOf(target)).toBe(`ee${swapped[width]}ee`)
    expect(hexOf(source)).toBe('000102030405060708090a0b0c0d0e0f')
  })
  test('this host is asked when nothing is said', () => {
    const target = new Uint8Array(2)
    bulkCopy(target, Uint8Array.of(1, 2), 2)
    expect(hexOf(target)).toBe(littleEndian ? '0102' : '0201')
  })
})

describe('crc32', () => {
  test('is that of zip and PNG, unsigned', () => {
    const text = new TextEncoder()
    expect(crc32(text.encode('123456789'))).toBe(0xcbf43926)
    expect(crc32(new Uint8Array(0))).toBe(0)
    expect(crc32(text.encode('a'))).toBe(0xe8b7be43)
    expect(crc32(new Uint8Array(32))).toBe(0x190a55ad)
  })
  test('goes on from the sum of what was before, wherever the cut is', () => {
    const data = Uint8Array.from({ length: 300 }, (_, i) => (i * 7) % 256)
    const whole = crc32(data)
    for (let cut = 0; cut <= 300; cut += 7) expect(crc32(data.subarray(cut), crc32(data.subarray(0, cut)))).toBe(whole)
  })
})

describe('inputs', () => {
  test('any view and any buffer is bytes, with its own offset and length', () => {
    const buffer = new ArrayBuffer(16)
    expect(toBytes(buffer).length).toBe(16)
    expect([toBytes(new DataView(buffer, 3, 5)).byteOffset, toBytes(new DataView(buffer, 3, 5)).length]).toEqual([3, 5])
    expect(toBytes(new Float32Array(buffer, 4, 2)).length).toBe(8)
    expect(Object.getPrototypeOf(toBytes(Buffer.from('abc')))).toBe(Uint8Array.prototype)
    expect(toBytes(new SharedArrayBuffer(4)).length).toBe(4)
    const plain = new Uint8Array(2)
    expect(toBytes(plain)).toBe(plain)
  })
  test('arrays of another realm are known', () => {
    const context = createContext({})
    const foreign = runInContext('new Uint8Array([1, 2, 3]).subarray(1)', context) as Uint8Array
    expect(foreign instanceof Uint8Array).toBe(false)
    expect(hexOf(toBytes(foreign))).toBe('0203')
    expect(typedArrayName(foreign)).toBe('Uint8Array')
    expect(toBytes(runInContext('new ArrayBuffer(3)', context)).length).toBe(3)
  })
  test.each([
    [null, 'null'], [undefined, 'undefined'], ['text', '"text"'], [[1, 2], 'an array of 2'], [7, '7'],
    [{}, 'an object (Object)'], [new Date(0), 'a Date (give getTime() or toISOString())'], [7n, '7n'],
  ])('%s is no bytes', (value, what) => {
    expect(fault(() => toBytes(value))).toMatchObject({
      code: 'TYPE',
      detail: `bytes expected (a Uint8Array, another view or an ArrayBuffer), got ${what}`,
    })
  })
  test('values are described shortly', () => {
    expect(describeValue('x'.repeat(41))).toBe('a string of 41 characters')
    expect(describeValue(-0)).toBe('-0')
    expect(describeValue(true)).toBe('true')
    expect(describeValue(new Uint16Array(1))).toBe('a Uint16Array')
    expect(describeValue(() => 1)).toBe('a function')
    expect(describeValue(Symbol('x'))).toBe('a symbol')
  })
  test('shared and resizable memory is unstable, other memory is not', () => {
    const Resizable = ArrayBuffer as unknown as new (length: number, options: { maxByteLength: number }) => ArrayBuffer
    expect(isUnstable(new Uint8Array(4))).toBe(false)
    expect(isUnstable(new Uint8Array(new SharedArrayBuffer(4)))).toBe(true)
    expect(isUnstable(new Uint8Array(new Resizable(4, { maxByteLength: 8 })))).toBe(true)
  })
})
