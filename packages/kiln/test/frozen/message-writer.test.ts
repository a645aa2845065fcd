import { describe, expect, test } from 'vitest'
import { decode, encode, k, MessageWriter, tensor, view } from 'kiln-format'
import { fault } from '../support/fault.js'

const Row = k.struct({ id: k.i64, name: k.string, vector: k.list(k.f32), batch: k.option(k.tensors) })
const row = (id: number, size = 3) => ({ id: BigInt(id), name: `row ${id}`, vector: new Float32Array(size).fill(id), batch: undefined })

describe('MessageWriter', () => {
  test('writes what encode writes, small and large, one after the other', () => {
    const writer = new MessageWriter()
    const values = [
      row(1), row(2, 5000), row(3, 0), row(4, 100_000), row(5, 4), row(6, 5000),
      { ...row(7), batch: [tensor('w', 'f32', [300], new Float32Array(300).fill(0.5)), tensor('b', 'u8', [2], [1, 2])] },
    ]
    for (const value of [...values, ...values.reverse()]) {
      const bytes = writer.encode(Row, value)
      expect(bytes).toEqual(encode(Row, value))
      expect(bytes.constructor).toBe(Uint8Array)
    }
  })

  test.each([['small', 3], ['large', 2000]])('%s messages lie in the memory of the one before', (_, size) => {
    const writer = new MessageWriter()
    const first = writer.encode(Row, row(1, size))
    const second = writer.encode(Row, row(2, size))
    expect([second.buffer, second.byteOffset]).toEqual([first.buffer, 0])
    expect(decode(Row, first)).toEqual(row(2, size))
  })

  test('small messages lie in one memory, whatever their sizes', () => {
    const writer = new MessageWriter()
    const { buffer } = writer.encode(k.string, 'a')
    for (const length of [2, 100, 300, 3]) expect(writer.encode(k.string, 'a'.repeat(length)).buffer).toBe(buffer)
  })

  test('after a value that is refused it goes on, and nothing of that value comes', () => {
    const writer = new MessageWriter()
    expect(fault(() => writer.encode(Row, { ...row(1, 5000), batch: 7 } as never))).toMatchObject({ code: 'TYPE', path: 'batch' })
    expect(writer.encode(Row, row(2))).toEqual(encode(Row, row(2)))
  })

  test('a getter that calls the same writer is TYPE; another writer is fine', () => {
    const writer = new MessageWriter()
    const other = new MessageWriter()
    const sly = (inner: MessageWriter) => ({ ...row(1), get name() { return String(inner.encode(k.u8, 5).length) } })
    expect(fault(() => writer.encode(Row, sly(writer)))).toMatchObject({
      code: 'TYPE', path: 'name',
      detail: 'this MessageWriter is in the middle of a message; a value that encodes another needs a second one',
    })
    expect(view(Row, writer.encode(Row, sly(other))).name).toBe('1')
  })

  test('two writers share nothing', () => {
    const a = new MessageWriter().encode(k.string, 'aaaa')
    const b = new MessageWriter().encode(k.string, 'bbbb')
    expect([decode(k.string, a), decode(k.string, b)]).toEqual(['aaaa', 'bbbb'])
  })
})
