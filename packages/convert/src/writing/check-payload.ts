import { dtypeOf, KilnError, payloadLength } from 'kiln-format'
import type { ForeignTensor } from '../model.js'
import { quoted } from '../text/quoted.js'

/**
 * Throws `TYPE` unless a tensor's shape is of whole numbers from 0 up, its rows are whole blocks of its
 * dtype, and its bytes are what the two need: else the head that is written would tell of another file.
 */
export function checkPayload({ name, dtype: dtypeName, shape, byteLength }: ForeignTensor): void {
  const wrong = (detail: string): KilnError => new KilnError('TYPE', `tensor ${quoted(name)}: ${detail}`)
  const dtype = dtypeOf(dtypeName)
  const text = `[${shape.join(', ')}]`
  if (!shape.every((dimension) => Number.isSafeInteger(dimension) && dimension >= 0)) {
    throw wrong(`its shape ${text} is not of whole numbers from 0 to 2^53 - 1`)
  }
  const row = shape.at(-1)
  if (dtype.foreign && (row === undefined || row % dtype.blockElements !== 0)) {
    throw wrong(`its shape ${text} is not of whole blocks of ${dtype.blockElements}, as ${dtypeName} needs`)
  }
  const needs = payloadLength(dtype, shape)
  if (needs !== byteLength)
    throw wrong(`${dtypeName} of shape ${text} needs ${needs} bytes, and it says that it has ${byteLength}`)
}
