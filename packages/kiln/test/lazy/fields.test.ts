import { encodeDirectory, encodeFrame, k, open, tensor } from 'kiln-format'
import { expect, test } from 'vitest'
import { faultOf } from '../support/fault.js'
import { counted } from '../support/sources.js'

const Batch = k.struct({ batch: k.tensors, note: k.bytes })
/** Bytes of the header with the text of Batch. */
const HEADER = 128
const frameOf = (note: number): Uint8Array<ArrayBuffer> =>
  encodeFrame(Batch, { batch: [tensor('w', 'u8', [1], [1])], note: new Uint8Array(note) }, { schema: true })

test('a fault of the directory is at its field, or at the root of a body that is one', async () => {
  const struct = frameOf(0)
  struct[HEADER + 4] = 9
  expect(await faultOf(open(struct))).toMatchObject({ code: 'FRAME', path: 'batch', offset: HEADER + 4 })
  const alone = encodeFrame(k.tensors, [], { schema: true })
  alone[64 + 4] = 9
  expect(await faultOf(open(alone))).toMatchObject({ code: 'FRAME', path: '', offset: 68 })
})

test('a directory ends with its body, whatever follows in the file', async () => {
  const frame = encodeFrame(k.tensors, [tensor('w', 'u8', [1], [1])], { schema: true })
  const file = new Uint8Array(frame.length + 100)
  file.set(frame)
  file[64 + 8]! += 1
  expect(await faultOf(open(file))).toMatchObject({ code: 'EOF', offset: 72 })
})

test('fields up to the limit are read', async () => {
  const frame = frameOf(100)
  expect((await open(frame, { fieldsLimit: 104 })).fields).toEqual({ note: new Uint8Array(100) })
  expect(await faultOf(open(frame, { fieldsLimit: 103 }))).toMatchObject({
    code: 'LIMIT', detail: 'the fields behind the tensors take 104 bytes, over 103; raise fieldsLimit if that is meant', offset: frame.length - 104,
  })
})

test('bytes of the body behind its last field are TRAILING, and not read where there is no field', async () => {
  const long = (frame: Uint8Array, header: number, more: number): Uint8Array => {
    const file = new Uint8Array(frame.length + more)
    file.set(frame)
    new DataView(file.buffer).setUint32(24, frame.length - header + more, true)
    return file
  }
  const alone = encodeFrame(k.tensors, [], { schema: true })
  const source = counted(long(alone, 64, 100_000))
  expect(await faultOf(open(source, { fieldsLimit: 0 }))).toMatchObject({ code: 'TRAILING', offset: alone.length })
  expect(source.total).toBe(4096)
  const struct = frameOf(3)
  expect(await faultOf(open(long(struct, HEADER, 1)))).toMatchObject({ code: 'TRAILING', offset: struct.length })
})

test('a body over the cap is LIMIT before it is opened', async () => {
  const frame = frameOf(3)
  const { length } = frame
  expect(await faultOf(open(frame, { limits: { body: length - HEADER - 1 } }))).toMatchObject({ code: 'LIMIT', offset: 24 })
  expect((await open(frame, { limits: { body: length - HEADER } })).length).toBe(1)
})

test('a frame of something else is told with its schema, no more than 100 characters of it', async () => {
  const of = (name: string): Promise<{ detail: string }> => faultOf(open(encodeFrame(k.struct({ [name]: k.u8 }), { [name]: 1 } as never, { schema: true })))
  const rest = `, which doesn't begin with tensors; decodeFrame or framesOf reads it`
  expect((await of('n'.repeat(88))).detail).toBe(`the frame is struct{${'n'.repeat(88)}:u8,}${rest}`)
  expect((await of('n'.repeat(89))).detail).toBe(`the frame is struct{${'n'.repeat(89)}:u8,…${rest}`)
  expect((await of('n')).detail).toBe(`the frame is struct{n:u8,}${rest}`)
})

test('places that there are not', async () => {
  const model = await open(encodeDirectory([tensor('w', 'u8', [1], [1])]))
  for (const index of [-1, 0.5, 1, NaN]) {
    expect(await faultOf(model.load(index))).toMatchObject({ code: 'TYPE', detail: `there is no tensor ${index} in a directory of 1` })
  }
})
