import { dtypeOf, elementCount, KilnError, payloadLength } from 'kiln-format'
import type { ForeignTensor, WritableModel } from '../model.js'
import { utf8Bytes } from '../reading/text.js'
import { checkWellFormed, compareUtf8 } from '../text/utf8.js'
import { quoted, someOf } from '../text/quoted.js'
import { safetensorsDtype } from './dtypes.js'
import { HEADER_START, METADATA } from './header.js'

/** A file before its payloads. */
export interface FilePlan {
  /** The header's length, the header, and its padding. */
  readonly head: Uint8Array
  /** In the order in which the payloads follow. */
  readonly tensors: readonly ForeignTensor[]
  /** Bytes of the whole file. */
  readonly size: number
}

/**
 * Throws unless every tensor can stand in a safetensors file: a dtype that the format has, a payload
 * of whole bytes, as long as dtype and shape make it, and a name that is its own (`TYPE`, naming the
 * tensors).
 */
export function checkTensors(tensors: readonly ForeignTensor[]): void {
  const without = tensors.filter((tensor) => safetensorsDtype(tensor.dtype) === undefined)
  if (without.length > 0) {
    const dtypes = [...new Set(without.map((tensor) => tensor.dtype))].join(', ')
    const names = someOf(without.map((tensor) => tensor.name))
    throw new KilnError('TYPE', `safetensors has no dtype for ${dtypes}: ${names}; leave them out or convert them`)
  }
  const names = new Set<string>()
  for (const { name, dtype, shape, byteLength } of tensors) {
    const what = `tensor ${quoted(name)}`
    checkWellFormed(name, `the name of ${what}`)
    if (name === METADATA)
      throw new KilnError('TYPE', `no tensor can be named ${METADATA} in safetensors, which keeps its strings there`)
    if (names.has(name))
      throw new KilnError('TYPE', `two tensors are named ${quoted(name)}; names in a safetensors file are unique`)
    names.add(name)
    if (!shape.every((dimension) => Number.isSafeInteger(dimension) && dimension >= 0)) {
      throw new KilnError('TYPE', `${what}: its shape must be whole numbers that are not negative`)
    }
    const elements = elementCount(shape)
    const bits = dtypeOf(dtype).blockBits
    if ((BigInt(elements) * BigInt(bits)) % 8n !== 0n) {
      throw new KilnError(
        'TYPE',
        `${what}: ${elements} elements of ${dtype} are no whole number of bytes, which safetensors asks for`,
      )
    }
    if (payloadLength(dtypeOf(dtype), shape) !== byteLength) {
      throw new KilnError('TYPE', `${what}: ${dtype} of shape [${shape.join(', ')}] is not ${byteLength} bytes`)
    }
  }
}

/**
 * Lays out one file byte for byte as the reference implementation's writer does: tensors sorted by
 * dtype, the widest first, then by name; compact JSON, the strings before the tensors, padded with
 * spaces to a multiple of 8. The tensors have been checked. A header over `cap` bytes is `LIMIT`.
 *
 * The reference writes its strings in the order of a hash table, so it has none; here they keep the
 * model's order.
 */
export function planFile(model: WritableModel, cap: number): FilePlan {
  const tensors = [...model.tensors].sort(
    (a, b) => safetensorsDtype(b.dtype)!.order - safetensorsDtype(a.dtype)!.order || compareUtf8(a.name, b.name),
  )
  const entries: string[] = []
  if (model.metadata !== undefined && model.metadata.size > 0) entries.push(metadataEntry(model.metadata))
  let position = 0
  for (const tensor of tensors) {
    entries.push(headerEntry(tensor, position, position + tensor.byteLength))
    position += tensor.byteLength
  }
  const json = utf8Bytes(`{${entries.join(',')}}`, 'the header')
  const length = Math.ceil(json.length / 8) * 8
  if (length > cap) {
    throw new KilnError(
      'LIMIT',
      `a header of ${length} bytes is over the cap of ${cap}, as readers have it; write shards, or raise limits.header`,
    )
  }
  const size = HEADER_START + length + position
  if (!Number.isSafeInteger(size))
    throw new KilnError('LIMIT', `a file of ${size} bytes is over 2^53 - 1; write shards`)
  const head = new Uint8Array(HEADER_START + length).fill(0x20)
  new DataView(head.buffer).setBigUint64(0, BigInt(length), true)
  head.set(json, HEADER_START)
  return { head, tensors, size }
}

function metadataEntry(metadata: ReadonlyMap<string, string>): string {
  const pairs: string[] = []
  for (const [key, value] of metadata) {
    checkWellFormed(key, `the metadata key ${quoted(key)}`)
    checkWellFormed(value, `the metadata value of ${quoted(key)}`)
    pairs.push(`${JSON.stringify(key)}:${JSON.stringify(value)}`)
  }
  return `"${METADATA}":{${pairs.join(',')}}`
}

/** One tensor of the header; JSON.stringify escapes exactly what the reference's serializer does. */
export function headerEntry(tensor: ForeignTensor, start: number, end: number): string {
  const { name } = safetensorsDtype(tensor.dtype)!
  const shape = tensor.shape.join(',')
  return `${JSON.stringify(tensor.name)}:{"dtype":"${name}","shape":[${shape}],"data_offsets":[${start},${end}]}`
}
