import { KilnError, type ByteSource } from 'kiln-format'
import type { Folder, ForeignModel } from '../model.js'
import { explain } from '../sniff/explain.js'
import { ExternalFiles } from './external-files.js'
import { ONNX_PREFIX } from './metadata.js'
import type { OnnxOptions } from './options.js'
import { candidate, toForeign, wordsOmission } from './tensor.js'
import { readTensor, type TensorRecord } from './tensor-record.js'
import { WireMessage } from './wire-message.js'
import { WireWindow } from './wire-window.js'
import { checkFolder, sourceGiven } from '../reading/arguments.js'

const EXPECTED = { kinds: ['tensorproto'], what: 'a single ONNX tensor (TensorProto)' } as const

/**
 * Opens a file with one serialized TensorProto, such as the inputs and outputs of ONNX's own tests
 * (`input_0.pb`). One that Kiln can't hold, of strings say, is `TYPE`; else the errors are those of
 * `openOnnx`.
 */
export async function openTensorProto(
  given: ByteSource,
  folder?: Folder,
  options?: OnnxOptions,
): Promise<ForeignModel> {
  const source = sourceGiven(given, options)
  if (folder !== undefined) checkFolder(folder)
  const what = 'the tensor'
  let record: TensorRecord
  let found: ReturnType<typeof candidate>
  try {
    record = await readTensor(new WireMessage(new WireWindow(source, options), { start: 0, end: source.size, what }))
    if (record.dataType === 0) throw new KilnError('TYPE', 'it has no data type, so it is no TensorProto', 0)
    found = candidate(record, record.name, what)
  } catch (error) {
    throw await explain(error, source, EXPECTED, options)
  }
  if ('reason' in found) throw new KilnError('TYPE', `the tensor can't be read: ${found.reason}`, 0)
  const files = new ExternalFiles(folder, options)
  try {
    const tensor = await toForeign(found, source, files)
    const metadata = new Map<string, string>()
    if (record.docString !== undefined && record.docString !== '')
      metadata.set(`${ONNX_PREFIX}doc_string`, record.docString)
    const omitted = wordsOmission(record.name, undefined, record.properties)
    return { format: 'tensorproto', tensors: [tensor], metadata, omitted, close: () => files.close() }
  } catch (error) {
    await files.close()
    throw error
  }
}
