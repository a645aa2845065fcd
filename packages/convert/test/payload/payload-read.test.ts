import { bytesSource, isKilnError } from 'kiln-format'
import { openNpy, openSafetensors } from 'kiln-convert'
import { expect, test } from 'vitest'

function npy(descr: string, fortran: boolean, payload: readonly number[]): Uint8Array {
  const header = `{'descr': '${descr}', 'fortran_order': ${fortran ? 'True' : 'False'}, 'shape': (2, 2), }`.padEnd(117) + '\n'
  return Uint8Array.of(0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, header.length, 0, ...new TextEncoder().encode(header), ...payload)
}

test('a part of a payload is read where the file has it as Kiln does', async () => {
  const header = new TextEncoder().encode('{"w":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}}'.padEnd(56))
  const file = Uint8Array.of(header.length, 0, 0, 0, 0, 0, 0, 0, ...header, 1, 2, 3, 4)
  const [w] = (await openSafetensors(bytesSource(file))).tensors
  expect([...(await w!.read!(1, 2))]).toEqual([2, 3])
  expect([...(await w!.read!(4, 0))]).toEqual([])
  const [x] = (await openNpy(bytesSource(npy('|u1', false, [5, 6, 7, 8])))).tensors
  expect([...(await x!.read!(2, 2))]).toEqual([7, 8])
})

test('beyond the payload is EOF', async () => {
  const [x] = (await openNpy(bytesSource(npy('|u1', false, [5, 6, 7, 8])))).tensors
  for (const [offset, length] of [[3, 2], [5, 0], [-1, 1], [0, 2 ** 53]] as const) {
    const error: unknown = await x!.read!(offset, length).catch((e: unknown) => e)
    expect([offset, isKilnError(error) && error.code]).toEqual([offset, 'EOF'])
  }
})

test('a payload that is turned or swapped comes in chunks alone', async () => {
  expect((await openNpy(bytesSource(npy('|u1', true, [1, 2, 3, 4])))).tensors[0]!.read).toBe(undefined)
  expect((await openNpy(bytesSource(npy('>u2', false, [0, 1, 0, 2, 0, 3, 0, 4])))).tensors[0]!.read).toBe(undefined)
})
