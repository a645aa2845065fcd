import { isKilnError } from 'kiln-format'
import { streamDifference } from 'kiln-format/numeric'
import { linkedTensor, type AnyModel, type AnyTensor } from '../input/model.js'
import { linkedShapeOf } from '../input/payload.js'
import { bitDifference } from './bit-difference.js'

/** How far the values of two tensors lie apart. */
export interface ValueDifference {
  readonly max_error: number
  readonly mean_error: number
  /** Places where only one is NaN, or an infinity that the other is not. */
  readonly incomparable: number
}

/** A difference between two models. `name` is a tensor's name or `#PLACE`, or a key of the metadata. */
export type ModelDifference =
  | { readonly kind: 'added' | 'removed'; readonly name: string; readonly dtype: string; readonly shape: readonly number[] }
  | (Partial<ValueDifference> & {
      readonly kind: 'dtype' | 'shape'
      readonly name: string
      readonly from: { readonly dtype: string; readonly shape: readonly number[] }
      readonly to: { readonly dtype: string; readonly shape: readonly number[] }
    })
  | (Partial<ValueDifference> & {
      readonly kind: 'bits'
      readonly name: string
      readonly dtype: string
      /** Elements, or for ggml's dtypes blocks. */
      readonly count: number
      readonly first_index: number
    })
  | { readonly kind: 'links'; readonly name: string; readonly from: string; readonly to: string }
  | { readonly kind: 'metadata'; readonly name: string; readonly from: string | null; readonly to: string | null }

export interface CompareSettings {
  /** Whether values are compared too, where bits or dtypes differ. */
  readonly values: boolean
  /** Counts bytes that have been read of one side. */
  readonly passed: (bytes: number) => void
}

/** Unnamed tensors are paired by their place. */
function keyOf(tensor: AnyTensor, index: number): string {
  return tensor.name === '' ? `#${index}` : tensor.name
}

/** All differences from A to B: tensors in A's order, then those that only B has, then the metadata. */
export async function* compareModels(a: AnyModel, b: AnyModel, settings: CompareSettings): AsyncGenerator<ModelDifference> {
  const inB = new Map(b.tensors.map((tensor, i) => [keyOf(tensor, i), tensor]))
  const inA = new Set<string>()
  for (const [i, tensor] of a.tensors.entries()) {
    const name = keyOf(tensor, i)
    inA.add(name)
    const other = inB.get(name)
    if (other === undefined) yield { kind: 'removed', name, dtype: tensor.dtype, shape: tensor.shape }
    else yield* compareTensors(name, { model: a, tensor }, { model: b, tensor: other }, settings)
  }
  for (const [name, tensor] of inB) if (!inA.has(name)) yield { kind: 'added', name, dtype: tensor.dtype, shape: tensor.shape }
  yield* compareMetadata(a.metadata, b.metadata)
}

interface Side {
  readonly model: AnyModel
  readonly tensor: AnyTensor
}

async function* compareTensors(name: string, a: Side, b: Side, settings: CompareSettings): AsyncGenerator<ModelDifference> {
  const side = ({ tensor }: Side): { dtype: string; shape: readonly number[] } => ({ dtype: tensor.dtype, shape: tensor.shape })
  if (!sameShape(a.tensor.shape, b.tensor.shape)) {
    settings.passed(a.tensor.byteLength)
    yield { kind: 'shape', name, from: side(a), to: side(b) }
    return
  }
  if (a.tensor.dtype !== b.tensor.dtype) {
    settings.passed(a.tensor.byteLength)
    yield { kind: 'dtype', name, from: side(a), to: side(b), ...(await valueDifference(a, b, settings)) }
    return
  }
  const bits = await bitDifference(a.tensor.dtype, a.tensor.chunks(), b.tensor.chunks(), settings.passed)
  if (bits !== undefined) {
    const values = await valueDifference(a, b, settings)
    yield { kind: 'bits', name, dtype: a.tensor.dtype, count: bits.count, first_index: bits.first, ...values }
  }
  const [from, to] = [linksText(a), linksText(b)]
  if (from !== to) yield { kind: 'links', name, from, to }
}

function sameShape(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((dimension, i) => dimension === b[i])
}

/** Links in words, by the linked tensors' names: places may differ between files. */
function linksText({ model, tensor }: Side): string {
  const { scale, outer, axis, groupSize } = tensor
  if (scale === undefined) return 'none'
  const name = (link: string | number): string => linkedTensor(model, link)?.name || `#${link}`
  return `scales ${name(scale)}${outer === undefined ? '' : `, outer ${name(outer)}`}, axis ${axis}, groups of ${groupSize}`
}

/** The distance of the values, links and ggml's blocks included; nothing where a dtype has no such values. */
async function valueDifference(a: Side, b: Side, { values }: CompareSettings): Promise<Partial<ValueDifference>> {
  if (!values) return {}
  try {
    const [one, other] = [await linkedShapeOf(a.model, a.tensor), await linkedShapeOf(b.model, b.tensor)]
    const found = await streamDifference({ tensor: one, chunks: a.tensor.chunks() }, { tensor: other, chunks: b.tensor.chunks() })
    return { max_error: found.maximum, mean_error: found.mean, incomparable: found.incomparable }
  } catch (error) {
    // Complex numbers and some of ggml's blocks have no values to compare; their bits were.
    if (isKilnError(error) && error.code === 'TYPE') return {}
    throw error
  }
}

function* compareMetadata(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): Generator<ModelDifference> {
  for (const [key, value] of a) {
    const other = b.get(key)
    if (other !== value) yield { kind: 'metadata', name: key, from: value, to: other ?? null }
  }
  for (const [key, value] of b) if (!a.has(key)) yield { kind: 'metadata', name: key, from: null, to: value }
}
