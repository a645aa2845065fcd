import { concat } from '../support/memory.js'

/** A file with any header text: as it is, with its length before it. */
export function buildNpy(
  header: string | Uint8Array,
  payload: Uint8Array = new Uint8Array(0),
  major = 1,
  minor = 0,
): Uint8Array {
  const text = typeof header === 'string' ? Uint8Array.from(header, (c) => c.charCodeAt(0)) : header
  const prefix = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, major, minor]
  const length = new DataView(new ArrayBuffer(4))
  length.setUint32(0, text.length, true)
  return concat([Uint8Array.from(prefix), new Uint8Array(length.buffer, 0, major === 1 ? 2 : 4), text, payload])
}

/** A header as numpy writes it but for its padding. */
export function headerOf(descr: string, shape: readonly number[], fortran = false): string {
  const dimensions = shape.length === 1 ? `${shape[0]},` : shape.join(', ')
  return `{'descr': '${descr}', 'fortran_order': ${fortran ? 'True' : 'False'}, 'shape': (${dimensions}), }\n`
}
