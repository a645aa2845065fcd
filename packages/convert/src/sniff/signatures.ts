import type { FileKindName } from './kinds.js'

/** Bytes at a fixed place that tell a kind: hexadecimal, from `offset` (default 0). */
const SIGNATURES: readonly (readonly [hex: string, kind: FileKindName, offset?: number])[] = [
  ['4b494c54', 'kiln-directory'],
  ['4b494c46', 'kiln-frame'],
  ['47475546', 'gguf'],
  // Magics of llama.cpp before GGUF, 32-bit numbers written little-endian: ggml, ggmf, ggjt, ggla.
  ['6c6d6767', 'ggml'],
  ['666d6767', 'ggml'],
  ['746a6767', 'ggml'],
  ['616c6767', 'ggml'],
  ['934e554d5059', 'npy'],
  ['504b0304', 'zip'],
  ['504b0506', 'zip'],
  ['504b0708', 'zip'],
  ['894844460d0a1a0a', 'hdf5'],
  ['54464c33', 'tflite', 4],
  ['1f8b08', 'gzip'],
  ['28b52ffd', 'zstd'],
  ['fd377a585a00', 'xz'],
  ['425a68', 'bzip2'],
  ['377abcaf271c', '7z'],
  ['7573746172', 'tar', 257],
]

function hexAt(head: Uint8Array, offset: number, length: number): string {
  let hex = ''
  for (const byte of head.subarray(offset, offset + length)) hex += byte.toString(16).padStart(2, '0')
  return hex
}

/** The kind that a signature tells, or undefined. */
export function bySignature(head: Uint8Array): FileKindName | undefined {
  const found = SIGNATURES.find(([hex, , offset = 0]) => hexAt(head, offset, hex.length / 2) === hex)
  if (found !== undefined) return found[1]
  // A pickle of protocol 2 to 5 opens with PROTO and its number; a safetensors header of 640 to 1,408
  // bytes does too, but its next bytes are zeros, and no pickle goes on with one.
  if (head[0] === 0x80 && head[1]! >= 2 && head[1]! <= 5 && head[2] !== 0) return 'pickle'
  return undefined
}
