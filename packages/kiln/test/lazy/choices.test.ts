import { expect, test } from 'vitest'
import { encodeDirectory, encodeFrame, framesOf, k, open, openDirectory, tensor, verifySource } from 'kiln-format'
import { faultOf } from '../support/fault.js'

const block = encodeDirectory([tensor('w', 'u8', [2], [1, 2])], { checksums: true })
const frame = encodeFrame(k.u8, 7, { schema: true })
const told = async (work: Promise<unknown>): Promise<string> => (await faultOf(work)).detail

test('an option that is none is told by its name', async () => {
  for (const opened of [open, openDirectory] as const) {
    expect(await told(opened(block, { keepOpen: 1 as never }))).toBe('keepOpen is false or true, got 1')
    expect(await told(opened(block, { verify: 'all' as never }))).toBe('verify is false or true, got "all"')
    expect(await told(opened(block, { cache: -1 }))).toBe('cache is an integer from 0 on, got -1')
  }
  const model = encodeFrame(k.struct({ tensors: k.tensors }), { tensors: [] }, { schema: true })
  expect(await told(open(model, { fieldsLimit: 0.5 }))).toBe('fieldsLimit is an integer from 0 on, got 0.5')
  expect(await told(verifySource(block, { onProgress: 7 as never }))).toBe('onProgress is a function, got 7')
  expect(await told(framesOf(frame, undefined, { from: -1 }).next())).toBe('from is an integer from 0 on, got -1')
})

test('so are those of a load', async () => {
  const model = await openDirectory(block)
  expect(await told(model.load('w', { verify: 1 as never }))).toBe('verify is false or true, got 1')
  expect(await told(model.load('w', { links: 'scale' as never }))).toBe('links is false or true, got "scale"')
})

test('a signal that is none is told where a frame is opened', async () => {
  const model = encodeFrame(k.struct({ tensors: k.tensors }), { tensors: [] }, { schema: true })
  const { value } = await framesOf(model).next()
  expect(await told(value!.open({ signal: {} as never }))).toBe('signal is an AbortSignal, such as the one of an AbortController; got an object (Object)')
})
