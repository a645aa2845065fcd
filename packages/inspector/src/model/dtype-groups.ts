import type { DtypeName } from 'kiln-format'
import type { TensorList } from './opened-file.js'

/** Families of dtypes, which share a colour. */
export type Family = 'float' | 'half' | 'small' | 'integer' | 'block'

export function familyOf(dtype: DtypeName): Family {
  if (dtype.startsWith('ggml_')) return 'block'
  if (dtype === 'f16' || dtype === 'bf16') return 'half'
  if (/^(f8|e8|e3|e2)/.test(dtype)) return 'small'
  if (/^[fc]/.test(dtype)) return 'float'
  return 'integer'
}

export interface DtypeShare {
  readonly dtype: DtypeName
  readonly family: Family
  tensors: number
  elements: number
  bytes: number
}

/** What each dtype takes of a file, the largest first. */
export function dtypeShares(tensors: TensorList): DtypeShare[] {
  const shares = new Map<DtypeName, DtypeShare>()
  for (let i = 0; i < tensors.length; i++) {
    const { dtype, elements, byteLength } = tensors.at(i)
    let share = shares.get(dtype)
    if (share === undefined) {
      share = { dtype, family: familyOf(dtype), tensors: 0, elements: 0, bytes: 0 }
      shares.set(dtype, share)
    }
    share.tensors++
    share.elements += elements
    share.bytes += byteLength
  }
  return [...shares.values()].sort((a, b) => b.bytes - a.bytes || (a.dtype < b.dtype ? -1 : 1))
}
