import { KilnError } from 'kiln-format'
import { fileKind, type FileKind, type FileKindName } from './kinds.js'
import { protobufKind } from './protobuf.js'
import { bySignature } from './signatures.js'
import { textKind } from './text.js'
import { zipKind } from './zip.js'

/** How many bytes of a file's start {@link sniff} makes use of. */
export const SNIFFED = 4096

/**
 * What a file is, by its first bytes: up to 4,096 of them, fewer only if the file is shorter. The name
 * (path or URL, optional) decides only where content leaves it open, such as a ZIP with nothing telling
 * in its first member. Never throws; what it can't tell is `unknown`.
 */
export function sniff(head: Uint8Array, name = ''): FileKind {
  if (!ArrayBuffer.isView(head) || typeof head.subarray !== 'function' || typeof name !== 'string') {
    throw new KilnError('TYPE', 'sniff takes the first bytes of a file as a Uint8Array, and perhaps its name')
  }
  return fileKind(kindName(head.subarray(0, SNIFFED), name))
}

function kindName(head: Uint8Array, name: string): FileKindName {
  if (head.length === 0) return 'empty'
  if (isSafetensors(head)) return 'safetensors'
  const signed = bySignature(head)
  if (signed !== undefined) return signed === 'zip' ? zipKind(head, name) : signed
  return textKind(head, name) ?? protobufKind(head) ?? 'unknown'
}

/** A length under 2^40 as a 64-bit number, and then a JSON object, perhaps after white space. */
function isSafetensors(head: Uint8Array): boolean {
  if (head.length < 10 || head[5] !== 0 || head[6] !== 0 || head[7] !== 0) return false
  for (let i = 8; i < head.length; i++) {
    const byte = head[i]!
    if (byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d) continue
    return byte === 0x7b
  }
  return false
}
