import { expect, test } from 'vitest'
import { bytesSink, writeDirectory, writeModel, type ByteSink } from 'kiln-format'
import { faultOf } from '../support/fault.js'

const noSink = 'a sink has write, close and abort, such as bytesSink() or fileSink(path); got an object (Object)'

test.each(['write', 'close', 'abort'] as const)('a sink without %s is none', async (name) => {
  const sink = { ...bytesSink(), [name]: undefined } as unknown as ByteSink
  expect(await faultOf(writeDirectory(sink, []))).toMatchObject({ code: 'TYPE', detail: noSink })
})

test('an option that is none is told by its name', async () => {
  const told = async (writing: Promise<unknown>): Promise<string> => (await faultOf(writing)).detail
  expect(await told(writeDirectory(bytesSink(), [], { checksums: 1 as never }))).toBe('checksums is false or true, got 1')
  expect(await told(writeDirectory(bytesSink(), [], { onProgress: 'log' as never }))).toBe('onProgress is a function, got "log"')
  expect(await told(writeModel(bytesSink(), { tensors: [] }, { checksums: 1 as never }))).toBe('checksums is false or true, got 1')
  expect(await told(writeModel(bytesSink(), { tensors: [] }, { checksum: 'crc' as never }))).toBe('checksum is false or true, got "crc"')
})

test('chunks that can not be gone through are told', async () => {
  const tensor = { name: 'w', dtype: 'u8', shape: [2], chunks: () => 'ab' as never } as const
  expect(await faultOf(writeDirectory(bytesSink(), [tensor]))).toMatchObject({
    code: 'TYPE', detail: 'chunks() gives bytes piece by piece, as an iterable or an async iterable; got "ab"',
  })
})
