import {
  bytesSource,
  encodeDirectory,
  encodeFrame,
  k,
  modelSchema,
  tensor,
  verifyDirectory,
  verifySource,
  type TensorInput,
} from 'kiln-format'
import { expect, test } from 'vitest'
import { fault, faultOf } from '../support/fault.js'
import { counted } from '../support/sources.js'

const numbers = (length: number): Uint8Array<ArrayBuffer> => Uint8Array.from({ length }, (_, i) => (i * 37 + 1) % 256)
const inputs: readonly TensorInput[] = [
  tensor('a', 'u8', [100], numbers(100)),
  tensor('b', 'u8', [70], numbers(70), { checksum: false }),
  tensor('c', 'u8', [0], numbers(0)),
]
const block = encodeDirectory(inputs, { checksums: true })
const model = (checksum: boolean): Uint8Array =>
  encodeFrame(
    modelSchema,
    { tensors: inputs.map((t) => ({ ...t, checksum: t.checksum ?? true })), metadata: { x: 'y' } },
    { schema: true, checksum },
  )

test('a whole file tells what is in it', async () => {
  expect(await verifySource(block)).toEqual({
    kind: 'directory',
    frames: 0,
    tensors: 3,
    checksums: 2,
    size: block.length,
  })
  const file = model(true)
  expect(await verifySource(file)).toEqual({ kind: 'frames', frames: 1, tensors: 3, checksums: 3, size: file.length })
  const Other = k.struct({ id: k.i64, batch: k.list(k.option(k.tensors)), more: k.dict(k.string, k.tensors) })
  const other = encodeFrame(
    Other,
    { id: 1, batch: [inputs, undefined, inputs], more: { x: inputs } },
    { schema: true, checksum: true },
  )
  const both = new Uint8Array([...file, ...other, ...model(false)])
  expect(await verifySource(both)).toEqual({
    kind: 'frames',
    frames: 3,
    tensors: 3 + 9 + 3,
    checksums: 3 + 1 + 2,
    size: both.length,
  })
})

test('every damaged byte of a directory is found as in memory', async () => {
  for (let i = 0; i < block.length; i++) {
    const damaged = block.slice()
    damaged[i]! ^= 4
    let expected
    try {
      verifyDirectory(damaged)
    } catch {
      expected = fault(() => verifyDirectory(damaged))
    }
    if (expected === undefined) await verifySource(damaged)
    else {
      const { code, path, offset } = await faultOf(verifySource(damaged))
      expect({ i, code, path, offset }).toEqual({
        i,
        code: expected.code,
        path: expected.path,
        offset: expected.offset,
      })
    }
  }
})

test('every damaged byte of a frame with a checksum is found', async () => {
  const file = model(true)
  for (let i = 128; i < file.length; i++) {
    const damaged = file.slice()
    damaged[i]! ^= 4
    expect(await faultOf(verifySource(damaged))).toMatchObject({ code: 'CHECKSUM', offset: 128 })
  }
})

test('a fault behind a right checksum is told after it', async () => {
  const Batch = k.struct({ batch: k.tensors, other: k.tensors })
  const damaged = encodeFrame(Batch, { batch: inputs.slice(0, 1), other: inputs }, { schema: true })
  // The last byte but one of a payload in the second directory.
  const { length } = damaged
  expect((await verifySource(damaged)).tensors).toBe(4)
  damaged[length - 128 + 70] = 9
  expect(await faultOf(verifySource(damaged))).toMatchObject({ code: 'FRAME', offset: length - 128 + 70 })
})

test('faults of nested directories say where they are', async () => {
  const List = k.list(k.tensors)
  const file = encodeFrame(List, [inputs, inputs], { schema: true })
  const at = file.length - 128 + 100 - 128
  expect(file[at]).toBe(0)
  file[at] = 1
  expect(await faultOf(verifySource(file))).toMatchObject({ code: 'FRAME', offset: at })
})

test('bytes behind the last frame or directory, and a torn frame, are refused', async () => {
  const file = model(false)
  expect(await faultOf(verifySource(new Uint8Array([...block, 0])))).toMatchObject({ code: 'TRAILING' })
  expect(await faultOf(verifySource(new Uint8Array([...file, 0])))).toMatchObject({ code: 'EOF', offset: file.length })
  expect(await faultOf(verifySource(file.subarray(0, file.length - 1)))).toMatchObject({ code: 'EOF' })
  expect(await faultOf(verifySource(new Uint8Array(0)))).toMatchObject({ code: 'EOF' })
})

test('a body that is read whole is capped', async () => {
  const file = encodeFrame(k.list(k.u8), numbers(1000), { schema: true })
  expect(await faultOf(verifySource(file, { limits: { body: 1003 } }))).toMatchObject({ code: 'LIMIT' })
  expect((await verifySource(file, { limits: { body: 1004 } })).frames).toBe(1)
})

test('payloads pass in pieces, and progress goes up to the end', async () => {
  const payload = numbers(5 * 2 ** 20 + 3)
  const file = encodeFrame(
    modelSchema,
    { tensors: [tensor('big', 'u8', [payload.length], payload, { checksum: true })], metadata: {} },
    { schema: true, checksum: true },
  )
  const source = counted(bytesSource(file))
  const seen: number[] = []
  const found = await verifySource(source, {
    onProgress: (passed, total) => (expect(total).toBe(file.length), seen.push(passed)),
  })
  expect(found.checksums).toBe(2)
  expect(Math.max(...source.reads.map(({ length }) => length))).toBe(2 ** 20)
  expect(seen).toEqual([...seen].sort((a, b) => a - b))
  expect(seen[seen.length - 1]).toBe(file.length)
  expect(source.closed).toBe(0)
})

test('an abort ends it', async () => {
  const reason = new Error('stop')
  await expect(verifySource(block, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
})
