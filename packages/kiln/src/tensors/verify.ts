import { toBytes } from '../bytes/input.js'
import { crc32 } from '../bytes/crc32.js'
import { KilnError } from '../errors/kiln-error.js'
import type { DecodeOptions } from '../limits/limits.js'
import { readDirectory, type Directory } from './directory.js'

/** `CHECKSUM`: says which numbers differ. */
export function checksumFault(stored: number, computed: number, at?: number): KilnError {
  const hex = (n: number): string => `0x${n.toString(16).padStart(8, '0')}`
  return new KilnError('CHECKSUM', `the stored CRC-32 is ${hex(stored)}, the bytes have ${hex(computed)}; they were changed or damaged`, at)
}

/**
 * Reads a directory and then goes through its payloads in order (FORMAT §4, Checksums): the gap before each, which is
 * zero (`FRAME`), its checksum if it has one (`CHECKSUM`), and last the bytes up to the end of the block (`FRAME`).
 * Gives the directory if all is well.
 */
export function verifyDirectory(bytes: ArrayBufferView | ArrayBufferLike, options?: DecodeOptions): Directory {
  const directory = readDirectory(bytes, options)
  verifyPayloads(directory, toBytes(bytes))
  return directory
}

/** The second half of {@link verifyDirectory}, for a directory whose block begins at the front of `block`. */
export function verifyPayloads(directory: Directory, block: Uint8Array): void {
  let end = directory.payloadBase
  for (const tensor of directory) {
    const { byteOffset, byteLength, checksum } = tensor
    checkZeros(block, end, byteOffset, tensor.name || tensor.index)
    if (checksum !== undefined) {
      const computed = crc32(block.subarray(byteOffset, byteOffset + byteLength))
      if (computed !== checksum) throw checksumFault(checksum, computed, byteOffset).within(tensor.name || tensor.index)
    }
    end = byteOffset + byteLength
  }
  checkZeros(block, end, directory.byteLength)
}

function checkZeros(block: Uint8Array, from: number, to: number, before?: string | number): void {
  for (let i = from; i < to; i++) {
    if (block[i] === 0) continue
    if (before === undefined) throw gapFault('after the last payload', i)
    throw gapFault('before this payload', i).within(before)
  }
}

/** `FRAME`: a byte between payloads is not zero. */
export function gapFault(where: 'before this payload' | 'after the last payload', at: number): KilnError {
  return new KilnError('FRAME', `the gap ${where} must be zero`, at)
}
