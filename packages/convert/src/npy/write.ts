import { dtypeOf, KilnError } from 'kiln-format'
import type { ByteSink, ReadOptions } from 'kiln-format'
import type { ForeignTensor } from '../model.js'
import { quoted } from '../text/quoted.js'
import { checkPayload } from '../writing/check-payload.js'
import { payloadOf } from '../writing/copy-payload.js'
import { intoSink } from '../writing/into-sink.js'
import { descrOfDtype } from './descr.js'
import { npyHead } from './write-header.js'
import { checkOptions, checkSink, checkTensorGiven } from '../reading/arguments.js'

/** Options of {@link writeNpy}. */
export interface WriteNpyOptions extends ReadOptions {
  /**
   * Writes the bits of dtypes that numpy lacks as unsigned integers: bf16 as `<u2`, dtypes of 8 bits as
   * `|u1`, packed ones and ggml's blocks as the bytes that they are stored in, `|u1`. Default false:
   * they are refused.
   */
  readonly raw?: boolean | undefined
}

/**
 * Writes a tensor as an NPY file, byte for byte as numpy does: version 1.0 (2.0 if the header is too
 * long for it), C order, little-endian. The name is not kept. Returns the bytes written.
 *
 * Closes the sink; on an error aborts it and passes the error on. A dtype that numpy lacks is `TYPE`
 * before anything is written, unless `raw` is set.
 */
export async function writeNpy(tensor: ForeignTensor, sink: ByteSink, options: WriteNpyOptions = {}): Promise<number> {
  let size = 0
  checkSink(sink)
  await intoSink(sink, async () => {
    checkOptions(options)
    checkTensorGiven(tensor)
    const head = headOf(tensor, options.raw === true)
    await sink.write(head, options)
    for await (const piece of payloadOf(tensor, options)) await sink.write(piece, options)
    size = head.length + tensor.byteLength
  })
  return size
}

/** The head of a tensor's NPY file; `TYPE` if numpy has not its dtype, and its bits are not asked for. */
export function headOf(tensor: ForeignTensor, raw: boolean): Uint8Array {
  checkPayload(tensor)
  const descr = descrOfDtype(tensor.dtype)
  if (descr !== undefined) return npyHead(descr, tensor.shape)
  if (!raw) {
    throw new KilnError(
      'TYPE',
      `tensor ${quoted(tensor.name)} is ${tensor.dtype}, which numpy lacks: ` +
        'convert it to f32 first, or write its bits as unsigned integers with the option raw',
    )
  }
  return rawHead(tensor)
}

function rawHead({ dtype: name, shape, byteLength }: ForeignTensor): Uint8Array {
  const { blockBits, blockElements } = dtypeOf(name)
  if (blockElements === 1 && blockBits === 16) return npyHead('<u2', shape)
  if (blockElements === 1 && blockBits === 8) return npyHead('|u1', shape)
  // Bytes for elements in the last dimension, where each of its rows is whole bytes, else in a row.
  const row = ((shape.at(-1) ?? 1) / blockElements) * blockBits
  const whole = shape.length > 0 && row % 8 === 0
  return npyHead('|u1', whole ? [...shape.slice(0, -1), row / 8] : [byteLength])
}
