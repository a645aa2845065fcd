import { align64, fromHex, joined, uintBytes } from './bytes.js'
import type { CaseTensor, CaseValue } from './case-values.js'
import { crc32 } from './crc32.js'
import { checkLinks } from './directory-links.js'
import type { Descriptor } from './directory-table.js'
import { dtypeOfName, isForeign, payloadBytes } from './dtypes.js'
import { must } from './error.js'
import { encodeUtf8 } from './utf8.js'

/** The canonical block of these tensors (FORMAT §4, Valid and canonical). */
export function writeDirectory(value: CaseValue): Uint8Array {
  must(Array.isArray(value), 'TYPE', 'tensors are an array')
  const tensors = value as readonly CaseTensor[]
  const payloads = tensors.map((tensor) => fromHex(tensor.data))
  const names = tensors.map((tensor) => encodeUtf8(tensor.name))
  must(
    new Set(tensors.map((t) => t.name).filter((n) => n !== '')).size === tensors.filter((t) => t.name !== '').length,
    'TYPE',
    'a name stands twice',
  )

  let cursor = 0n
  const descriptors: Descriptor[] = []
  for (const [i, tensor] of tensors.entries()) {
    cursor = align64(cursor)
    descriptors.push(descriptorOf(tensor, payloads[i]!, cursor))
    cursor += BigInt(payloads[i]!.length)
  }
  checkLinks(descriptors)

  const heap = joined(names)
  const base = align64(64n + 128n * BigInt(tensors.length) + BigInt(heap.length))
  const block = new Uint8Array(Number(base + cursor))
  block.set(headerBytes(base + cursor, BigInt(tensors.length), BigInt(heap.length), base))
  let nameOffset = 0
  for (const [i, descriptor] of descriptors.entries()) {
    block.set(descriptorBytes(descriptor, nameOffset, names[i]!.length), 64 + 128 * i)
    nameOffset += names[i]!.length
    block.set(payloads[i]!, Number(base + descriptor.byteOffset))
  }
  block.set(heap, 64 + 128 * tensors.length)
  return block
}

function descriptorOf(tensor: CaseTensor, payload: Uint8Array, byteOffset: bigint): Descriptor {
  const dtype = dtypeOfName(tensor.dtype)
  must(dtype !== undefined, 'TYPE', 'unknown dtype')
  const shape = tensor.shape.map(BigInt)
  must(shape.length <= 8, 'TYPE', 'rank over 8')
  must(
    shape.every((size) => size >= 0n && size < 2n ** 53n),
    'TYPE',
    'a dimension',
  )
  if (isForeign(dtype)) {
    must(shape.length > 0 && shape.at(-1)! % dtype.elements === 0n, 'TYPE', 'whole blocks')
  }
  must(BigInt(payload.length) === payloadBytes(dtype, shape), 'TYPE', 'the data is not what dtype and shape need')
  return {
    name: tensor.name,
    dtype,
    shape,
    byteOffset,
    byteLength: BigInt(payload.length),
    scheme: BigInt(tensor.scheme),
    quantAxis: BigInt(tensor.quant_axis),
    groupSize: BigInt(tensor.group_size),
    scaleIndex: BigInt(tensor.scale_index),
    outerIndex: BigInt(tensor.outer_index),
    checksum: tensor.checksum === null ? undefined : crc32(payload),
  }
}

function headerBytes(totalSize: bigint, count: bigint, heapSize: bigint, base: bigint): Uint8Array {
  return joined([
    encodeUtf8('KILT'),
    uintBytes(2n, 1),
    new Uint8Array(3),
    uintBytes(totalSize, 8),
    uintBytes(count, 4),
    uintBytes(heapSize, 4),
    uintBytes(base, 8),
    new Uint8Array(32),
  ])
}

function descriptorBytes(descriptor: Descriptor, nameOffset: number, nameLength: number): Uint8Array {
  const shape = Array.from({ length: 8 }, (_, axis) => uintBytes(descriptor.shape[axis] ?? 0n, 8))
  return joined([
    ...shape,
    uintBytes(descriptor.byteOffset, 8),
    uintBytes(descriptor.byteLength, 8),
    uintBytes(BigInt(nameOffset), 4),
    uintBytes(BigInt(nameLength), 4),
    uintBytes(descriptor.dtype.code, 2),
    uintBytes(BigInt(descriptor.shape.length), 1),
    uintBytes(descriptor.scheme, 1),
    uintBytes(descriptor.quantAxis, 2),
    uintBytes(descriptor.checksum === undefined ? 0n : 1n, 2),
    uintBytes(descriptor.groupSize, 4),
    uintBytes(descriptor.scaleIndex, 4),
    uintBytes(descriptor.outerIndex, 4),
    uintBytes(descriptor.checksum ?? 0n, 4),
    new Uint8Array(16),
  ])
}
