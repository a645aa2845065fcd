import { linkTo } from '../app/route.js'
import { go } from '../app/link.js'
import { faultOf } from '../model/fault.js'
import type { OpenedFile, ViewTensor } from '../model/opened-file.js'
import { countText, hexText, numberText } from '../ui/format.js'
import { useTask } from '../ui/use-task.js'
import { bitsText } from './bits.js'
import { elementText, numberIn, rangeOf } from './element-text.js'
import type { PayloadReader } from './payload-reader.js'
import { coordinatesOf, elementAt, placeOf, type Slice } from './slice.js'

interface Props {
  readonly file: OpenedFile
  readonly tensor: ViewTensor
  readonly reader: PayloadReader
  readonly slice: Slice
  readonly cell: { readonly row: number; readonly column: number } | undefined
}

interface ElementFacts {
  readonly element: number
  readonly value: string
  readonly bits: string
  /** What the links make of it, such as `2 × 0.5 = 1`. */
  readonly scaled: string | undefined
}

/** The element under the pointer: its place, its value, its bits, and where they lie in the file. */
export function Readout({ file, tensor, reader, slice, cell }: Props) {
  const element = cell === undefined ? undefined : elementAt(slice, cell.row, cell.column)
  const facts = useTask(
    async (signal) => {
      if (element === undefined) return undefined
      // A pointer that passes over asks for nothing.
      if (reader.fromFrontOnly || tensor.byteLength > 2 ** 24) await new Promise((resolve) => setTimeout(resolve, 120))
      signal.throwIfAborted()
      return factsOf(file, tensor, reader, element, signal)
    },
    [file, tensor, reader, element],
  )
  const { fileOffset } = tensor
  const place = element === undefined ? undefined : placeOf(tensor.dtype, element)
  const byte = place === undefined || fileOffset === undefined ? undefined : fileOffset + place.byteOffset
  const done = facts.state === 'done' ? facts.value : undefined
  const current = done?.element === element ? done : undefined
  return (
    <div class="readout" id="readout" aria-live="polite">
      {element === undefined ? (
        <span class="quiet-text">Point at a cell, or move with the arrow keys, to see its value and its bits.</span>
      ) : (
        <>
          <span class="place mono">[{coordinatesOf(tensor.shape, element).join(', ')}]</span>
          {facts.state === 'failed' ? <span class="fault-text">{faultOf(facts.error).detail}</span> : null}
          <strong class="value mono">{current?.value ?? '…'}</strong>
          {current?.scaled === undefined ? null : <span class="mono quiet-text">{current.scaled}</span>}
          {current === undefined || current.bits === '' ? null : <code class="bits">{current.bits}</code>}
          {byte === undefined || !file.kiln ? null : (
            <a
              class="number"
              href={linkTo({ view: 'bytes', byte: String(byte) })}
              onClick={go({ view: 'bytes', byte: String(byte) })}
              title={`byte ${countText(byte)}`}
            >
              0x{hexText(byte, 1)}
            </a>
          )}
        </>
      )}
    </div>
  )
}

async function factsOf(
  file: OpenedFile,
  tensor: ViewTensor,
  reader: PayloadReader,
  element: number,
  signal: AbortSignal,
): Promise<ElementFacts> {
  const { dtype } = tensor
  const { offset, length } = rangeOf(dtype, element)
  const bytes = await reader.read(offset, length, signal)
  const place = placeOf(dtype, element)
  const own = bytes.subarray(place.byteOffset - offset)
  const bits = bitsText(dtype, own, place)
  const value = elementText(dtype, element, bytes)
  return {
    element,
    value,
    bits,
    scaled: await scaledText(file, tensor, element, numberIn(dtype, element, bytes), signal),
  }
}

async function scaledText(
  { tensors }: OpenedFile,
  tensor: ViewTensor,
  element: number,
  value: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { scale, outer, axis, groupSize, shape } = tensor
  if (scale === undefined || axis === undefined) return undefined
  const groups = shape.map((dimension, i) => (i === axis ? Math.ceil(dimension / groupSize) : dimension))
  const at = coordinatesOf(shape, element)
  const index = groups.reduce(
    (sum, dimension, i) => sum * dimension + (i === axis ? Math.floor(at[i]! / groupSize) : at[i]!),
    0,
  )
  const factor = await numberOfElement(tensors.at(scale), index, signal)
  const outerFactor = outer === undefined ? undefined : await numberOfElement(tensors.at(outer), 0, signal)
  if (factor === undefined || (outer !== undefined && outerFactor === undefined)) return undefined
  // Each product is rounded to f32, as the format's dequantization does.
  const once = Math.fround(Math.fround(value) * Math.fround(factor))
  const result = outerFactor === undefined ? once : Math.fround(once * outerFactor)
  const factors = [factor, ...(outerFactor === undefined ? [] : [outerFactor])]
  return `× ${factors.map((f) => numberText(f, true)).join(' × ')} = ${numberText(result, true)}`
}

async function numberOfElement(tensor: ViewTensor, element: number, signal: AbortSignal): Promise<number | undefined> {
  const { offset, length } = rangeOf(tensor.dtype, element)
  if (tensor.read === undefined) return undefined
  return numberIn(tensor.dtype, element, await tensor.read(offset, length, { signal }))
}
