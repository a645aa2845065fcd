import { expect, test } from 'vitest'
import { encodeDirectory, tensor } from 'kiln-format'
import { openTable } from '../../src/lazy/open-table.js'
import { SourceWindow } from '../../src/lazy/window.js'
import { resolveSettings } from '../../src/limits/limits.js'
import { faultOf } from '../support/fault.js'

test('a header that changes in the memory of a source while its table is read is FRAME', async () => {
  const bytes = encodeDirectory(Array.from({ length: 20 }, (_, i) => tensor(`t${i}`, 'u8', [100], new Uint8Array(100))))
  let reads = 0
  const source = {
    size: bytes.length,
    label: 'memory',
    read: async (offset: number, length: number) => {
      // The second read is of the rest of the table: payload_base moves on by 64.
      if (++reads === 2) bytes[24] = bytes[24]! + 64
      return bytes.subarray(offset, offset + length)
    },
  }
  expect(await faultOf(openTable(new SourceWindow(source, 64, {}), 0, bytes.length, resolveSettings(undefined)))).toMatchObject({
    code: 'FRAME', detail: 'the directory changed while it was read',
  })
})
