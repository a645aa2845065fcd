import { decodeFrame, encodeFrame, isKilnError, k, readDirectory, encodeDirectory, tensor, type KilnError } from 'kiln-format'
import { expect, test } from 'vitest'

function faultOf(read: () => unknown): KilnError {
  try {
    read()
  } catch (error) {
    if (isKilnError(error)) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

test('a fault of the schema text is at its byte of the frame', () => {
  const frame = encodeFrame(k.struct({ a: k.u8 }), { a: 1 }, { schema: true })
  // "struct{a:u8,}" begins at byte 32; "u8" at 41 becomes "x8".
  frame[41] = 0x78
  const fault = faultOf(() => decodeFrame(frame))
  expect([fault.code, fault.offset]).toEqual(['SCHEMA', 41])
})

test('what is not canonical has a place', () => {
  const block = encodeDirectory([tensor('w', 'u8', [1], Uint8Array.of(1))], { alignment: 4096 })
  const fault = faultOf(() => readDirectory(block, { strict: true }))
  // payload_base, at byte 24, is 4,096 where the canonical block has 256.
  expect([fault.code, fault.offset]).toEqual(['TYPE', 24])
})
