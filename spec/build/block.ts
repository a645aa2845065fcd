import type { CaseTensor } from '../reference/case-values.js'
import { type Case, type CaseCaps, type CaseError, capsOf } from './case.js'
import { codeOf } from './dtype-rows.js'
import { type Hex, align64, size, u16, u32, u64, u8, utf8, zeros } from './hex.js'

/** A tensor as a case states it. Its value in the case file is the same thing in other words. */
export interface TensorSpec {
  readonly name?: string
  readonly dtype: string
  readonly shape: readonly (number | bigint)[]
  readonly data: Hex
  readonly scheme?: number
  readonly axis?: number
  readonly groupSize?: number
  readonly scale?: number
  readonly outer?: number
  readonly checksum?: number
}

/** A layout other than the canonical one. What is absent is canonical. */
export interface Layout {
  readonly base?: number
  readonly offsets?: readonly number[]
  /** Zeros between the last payload and total_size. */
  readonly tail?: number
}

export const NONE = 0xffffffff
export const NO_AXIS = 0xffff

/** Where the fields of the header stand. */
export const HEADER = {
  magic: 0,
  version: 4,
  flags: 5,
  reserved: 6,
  totalSize: 8,
  tensorCount: 16,
  heapSize: 20,
  payloadBase: 24,
  lastReserved: 32,
} as const

/** Where the fields of a descriptor stand in it. */
export const DESCRIPTOR = {
  shape: 0,
  byteOffset: 64,
  byteLength: 72,
  nameOffset: 80,
  nameLength: 84,
  dtype: 88,
  rank: 90,
  scheme: 91,
  axis: 92,
  flags: 94,
  groupSize: 96,
  scale: 100,
  outer: 104,
  checksum: 108,
  reserved: 112,
} as const

/** Where a field of the descriptor of tensor `index` stands in the block. */
export function at(index: number, field: keyof typeof DESCRIPTOR, into = 0): number {
  return 64 + 128 * index + DESCRIPTOR[field] + into
}

/** The bytes of a block, canonical but for what `layout` says. */
export function block(tensors: readonly TensorSpec[], layout: Layout = {}): Hex {
  const heap = tensors.map((tensor) => utf8(tensor.name ?? '')).join('')
  const table = 64 + 128 * tensors.length + size(heap)
  const base = layout.base ?? align64(table)
  let descriptors = ''
  let payloads = ''
  let nameOffset = 0
  for (const [i, tensor] of tensors.entries()) {
    const offset = layout.offsets?.[i] ?? align64(size(payloads))
    payloads += zeros(offset - size(payloads)) + tensor.data
    const nameLength = size(utf8(tensor.name ?? ''))
    descriptors += descriptor(tensor, offset, nameOffset, nameLength)
    nameOffset += nameLength
  }
  payloads += zeros(layout.tail ?? 0)
  const header =
    utf8('KILT') +
    u8(2) +
    u8(0) +
    u16(0) +
    u64(base + size(payloads)) +
    u32(tensors.length) +
    u32(size(heap)) +
    u64(base) +
    zeros(32)
  return header + descriptors + heap + zeros(base - table) + payloads
}

function descriptor(tensor: TensorSpec, byteOffset: number, nameOffset: number, nameLength: number): Hex {
  return (
    Array.from({ length: 8 }, (_, i) => u64(tensor.shape[i] ?? 0)).join('') +
    u64(byteOffset) +
    u64(size(tensor.data)) +
    u32(nameOffset) +
    u32(nameLength) +
    u16(codeOf(tensor.dtype)) +
    u8(tensor.shape.length) +
    u8(tensor.scheme ?? 0) +
    u16(tensor.axis ?? NO_AXIS) +
    u16(tensor.checksum === undefined ? 0 : 1) +
    u32(tensor.groupSize ?? 0) +
    u32(tensor.scale ?? NONE) +
    u32(tensor.outer ?? NONE) +
    u32(tensor.checksum ?? 0) +
    zeros(16)
  )
}

/** The tensors as a case's value. */
export function valueOf(tensors: readonly TensorSpec[]): CaseTensor[] {
  return tensors.map((tensor) => ({
    name: tensor.name ?? '',
    dtype: tensor.dtype,
    shape: tensor.shape.map(String),
    data: tensor.data,
    scheme: tensor.scheme ?? 0,
    quant_axis: tensor.axis ?? NO_AXIS,
    group_size: tensor.groupSize ?? 0,
    scale_index: tensor.scale ?? NONE,
    outer_index: tensor.outer ?? NONE,
    checksum: tensor.checksum ?? null,
  }))
}

interface DirectoryOptions {
  readonly caps?: CaseCaps
  readonly strict?: CaseError | 'ok'
  readonly verify?: CaseError | 'ok'
  /** False where a stale checksum makes the bytes not the writer's; a layout does that by itself. */
  readonly canonical?: false
}

/** A block alone that reads: `hex` is stated, or is the canonical block of the tensors. */
export function directory(
  name: string,
  note: string,
  tensors: readonly TensorSpec[],
  options: DirectoryOptions = {},
  hex: Hex = block(tensors),
): Case {
  const strict = options.strict ?? 'ok'
  const verify = options.verify ?? 'ok'
  const canonical = strict === 'ok' && verify === 'ok' && options.canonical !== false
  return {
    name,
    note,
    kind: 'directory',
    hex,
    ...capsOf(options.caps),
    value: valueOf(tensors),
    strict,
    verify,
    ...(canonical ? { canonical: true } : {}),
  }
}

/** A block alone that doesn't. */
export function directoryRefused(name: string, note: string, hex: Hex, error: CaseError, caps?: CaseCaps): Case {
  return { name, note, kind: 'directory', hex, ...capsOf(caps), error }
}
