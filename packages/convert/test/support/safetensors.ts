import { concat, u64, utf8 } from './bytes.js'

/** A safetensors file of a header, as text or as an object, and payloads. */
export function safetensors(header: string | object, payloads: Uint8Array = new Uint8Array(0)): Uint8Array<ArrayBuffer> {
  const text = utf8(typeof header === 'string' ? header : JSON.stringify(header))
  return concat(u64(text.length), text, payloads)
}
