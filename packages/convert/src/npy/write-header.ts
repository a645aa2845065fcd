// numpy pads a header so that the payload begins at a multiple of this.
const ALIGNMENT = 64
// Digits for which numpy leaves room in the first dimension, so that an array can grow in place.
const GROWTH_DIGITS = 21

/** The head of an NPY file, byte for byte as numpy writes it: version 1.0, and 2.0 for what is too long for it. */
export function npyHead(descr: string, shape: readonly number[]): Uint8Array {
  const dimensions = shape.length === 1 ? `${shape[0]},` : shape.join(', ')
  const dict = `{'descr': '${descr}', 'fortran_order': False, 'shape': (${dimensions}), }`
  const growth = shape.length > 0 ? Math.max(0, GROWTH_DIGITS - String(shape[0]).length) : 0
  const text = dict + ' '.repeat(growth)
  return wrapped(text, 1) ?? wrapped(text, 2)!
}

function wrapped(text: string, major: 1 | 2): Uint8Array | undefined {
  const prefix = major === 1 ? 10 : 12
  const unpadded = prefix + text.length + 1
  // From 1 to 64 spaces, never none: that is how numpy counts.
  const length = unpadded + ALIGNMENT - (unpadded % ALIGNMENT) - prefix
  if (major === 1 && length > 0xffff) return undefined
  const bytes = new Uint8Array(prefix + length)
  bytes.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, major, 0])
  const view = new DataView(bytes.buffer)
  if (major === 1) view.setUint16(8, length, true)
  else view.setUint32(8, length, true)
  for (let i = 0; i < text.length; i++) bytes[prefix + i] = text.charCodeAt(i)
  bytes.fill(0x20, prefix + text.length, bytes.length - 1)
  bytes[bytes.length - 1] = 0x0a
  return bytes
}
