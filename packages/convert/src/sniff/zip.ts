import type { FileKindName } from './kinds.js'
import { latin1 } from './latin1.js'

/** What a ZIP holds, by the name of its first member and its own name. */
export function zipKind(head: Uint8Array, name: string): FileKindName {
  if (head.length >= 30 && head[2] === 3) {
    const length = head[26]! + head[27]! * 256
    const member = latin1(head.subarray(30, 30 + length))
    if (/(^|\/)(data\.pkl|byteorder|\.format_version)$/.test(member)) return 'pytorch-zip'
    if (member.endsWith('.npy')) return 'npz'
  }
  if (/\.(pt|pth|ckpt)$/i.test(name)) return 'pytorch-zip'
  return /\.npz$/i.test(name) ? 'npz' : 'zip'
}
