import { bytesSource, encodeDirectory, tensor, type ByteSource } from 'kiln-format'
import { walk, walkSource, type Span } from 'kiln-format/walk'
import { expect, test } from 'vitest'
import { fault, faultOf } from '../support/fault.js'

const block = encodeDirectory([tensor('w', 'f32', [2], [1, 2])])

async function drained(source: ByteSource, signal?: AbortSignal): Promise<Span[]> {
  const spans: Span[] = []
  for await (const span of walkSource(source, { signal })) spans.push(span)
  return spans
}

test.each([0, 10, block.length - 1, block.length + 3])('a source that gives %i bytes, whatever is asked for, is EOF', async (given) => {
  const source = { ...bytesSource(block), read: async () => new Uint8Array(given) }
  expect(await faultOf(drained(source))).toEqual({
    code: 'EOF', path: '', offset: 0,
    detail: `bytes: 264 bytes from byte 0 on asked for, the source gave ${given}`,
    message: `EOF (byte 0): bytes: 264 bytes from byte 0 on asked for, the source gave ${given}`,
  })
})

test('a source that gives a whole buffer is read as any other', async () => {
  expect(await drained({ ...bytesSource(block), read: async () => block.buffer as never })).toEqual([...walk(block)])
})

test('a read that never ends is left when the signal aborts', async () => {
  const controller = new AbortController()
  const reason = new Error('enough')
  const walking = drained({ ...bytesSource(block), read: () => new Promise(() => undefined) }, controller.signal)
  controller.abort(reason)
  await expect(walking).rejects.toBe(reason)
})

test('an option that is none is named', () => {
  for (const name of ['depth', 'from', 'to']) {
    expect(fault(() => [...walk(block, { [name]: 0.5 })]).detail).toContain(`${name} is `)
  }
})
