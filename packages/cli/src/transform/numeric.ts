import { isKilnError, dtypeOf, payloadLength, type DtypeName } from 'kiln-format'
import {
  quantizationFormat, streamNarrowed, streamQuantized, type NanPolicy, type NarrowMode, type QuantizationName,
} from 'kiln-format/numeric'
import type { AnyModel, AnyTensor } from '../input/model.js'
import { linkedShapeOf } from '../input/payload.js'
import { holdsFractions } from './float-dtypes.js'
import { relinked, type Replacement } from './relink.js'

/** What `--dtype`, `--quantize` and the options beside them ask for. */
export interface NumericSettings {
  readonly dtype: DtypeName | undefined
  readonly quantize: QuantizationName | undefined
  /** What becomes of numbers past the largest finite one. */
  readonly mode: NarrowMode
  readonly nan: NanPolicy
  /** Along which dimension groups lie; the last one if undefined. */
  readonly axis: number | undefined
  /** Only tensors whose names this finds. */
  readonly only: RegExp | undefined
}

/** A model whose payloads are worked out while they are read, and the names of the tensors that this changes. */
export interface Transformed {
  readonly tensors: readonly AnyTensor[]
  readonly changed: readonly string[]
}

/** A dtype that numbers can be turned into, by its name. */
export function namedDtype(name: string): DtypeName {
  return dtypeOf(name).name
}

export function namedQuantization(name: string): QuantizationName {
  quantizationFormat(name)
  return name as QuantizationName
}

/**
 * Turns the floats of a model into another dtype, or into linked tensors of a quantized format. Integers, booleans and
 * complex numbers stay as they are; so do, when quantizing, tensors of rank 0 and 1 (biases, norms), whose groups
 * would say little. Links and ggml's blocks are applied on the way.
 */
export async function transformed(model: AnyModel, settings: NumericSettings): Promise<Transformed> {
  const replacements = new Map<AnyTensor, Replacement>()
  const changed: string[] = []
  const scales = new Set(model.tensors.flatMap(({ scale, outer }) => [scale, outer]))
  for (const [i, tensor] of model.tensors.entries()) {
    const linked = tensor.scale !== undefined
    const isScale = scales.has(i) || (tensor.name !== '' && scales.has(tensor.name))
    if (isScale || !holdsFractions(tensor.dtype, linked) || settings.only?.test(tensor.name) === false) continue
    const replacement = await replacementOf(model, tensor, settings)
    if (replacement === undefined) continue
    replacements.set(tensor, replacement)
    changed.push(tensor.name)
  }
  return { tensors: relinked(model.tensors, replacements), changed }
}

async function replacementOf(model: AnyModel, tensor: AnyTensor, settings: NumericSettings): Promise<Replacement | undefined> {
  if (settings.quantize !== undefined && tensor.shape.length >= 2) return quantized(model, tensor, settings.quantize, settings)
  if (settings.dtype === undefined || (tensor.dtype === settings.dtype && tensor.scale === undefined)) return undefined
  return [narrowed(model, tensor, settings.dtype, settings)]
}

function narrowed(model: AnyModel, tensor: AnyTensor, dtype: DtypeName, { mode, nan }: NumericSettings): AnyTensor {
  const { name, shape } = tensor
  return {
    name,
    dtype,
    shape,
    byteLength: Number(payloadLength(dtypeOf(dtype), shape)),
    chunks: (options) => named(name, async function* () {
      yield* streamNarrowed(await linkedShapeOf(model, tensor), tensor.chunks(options), dtype, { mode, nan })
    }),
  }
}

async function quantized(
  model: AnyModel,
  tensor: AnyTensor,
  format: QuantizationName,
  { mode, nan, axis }: NumericSettings,
): Promise<Replacement> {
  const infinity = mode === 'saturate' ? 'saturate' : 'refuse'
  try {
    const shape = await linkedShapeOf(model, tensor)
    const set = streamQuantized(tensor.name, shape, (options) => tensor.chunks(options), format, { axis, nan, infinity })
    return set.map((part) => ({ ...part, chunks: (options) => named(tensor.name, () => part.chunks(options)) }))
  } catch (error) {
    throw isKilnError(error) ? error.within(tensor.name) : error
  }
}

/** Puts the tensor's name before what is wrong with one of its numbers. */
async function* named(name: string, chunks: () => AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks()
  } catch (error) {
    throw isKilnError(error) ? error.within(name) : error
  }
}
