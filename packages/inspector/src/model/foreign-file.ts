import type { ByteSource } from 'kiln-format'
import { openForeign, type Folder, type ForeignModel, type ForeignTensor } from 'kiln-convert'
import { elementCount } from 'kiln-format'
import type { OpenedFile, TensorList, ViewTensor } from './opened-file.js'

const KINDS: Readonly<Record<ForeignModel['format'], string>> = {
  safetensors: 'safetensors',
  gguf: 'GGUF',
  npy: 'NPY array',
  npz: 'NPZ archive',
  onnx: 'ONNX model',
  tensorproto: 'ONNX tensor',
  tfjs: 'TensorFlow.js model',
}

/** Opens a file of another format through its converter. */
export async function openForeignFile(
  source: ByteSource,
  name: string,
  folder: Folder | undefined,
  signal: AbortSignal,
): Promise<OpenedFile> {
  // A file of a set is shown by itself where its siblings were not given.
  const model = await openForeign(source, { name, signal, ...(folder === undefined ? { alone: true } : { folder }) })
  const { omitted, tensors } = model
  return {
    name,
    size: source.size,
    kind: KINDS[model.format],
    kiln: false,
    source,
    tensors: listOf(tensors),
    metadata: model.metadata,
    frames: [],
    omitted,
    checked: [
      `The header and the list of ${tensors.length} tensors are what ${KINDS[model.format]} allows`,
      'Every payload has the bytes that its dtype and shape need',
    ],
    fault: undefined,
    close: async () => {
      await model.close()
      await source.close?.()
    },
  }
}

function listOf(tensors: readonly ForeignTensor[]): TensorList {
  const names = tensors.map((tensor) => tensor.name)
  let byName: Map<string, number> | undefined
  const indexOf = (name: string): number => {
    byName ??= new Map(names.map((n, i) => [n, i]))
    return byName.get(name) ?? -1
  }
  return { length: tensors.length, names, indexOf, at: (index) => viewOf(tensors[index]!, index, indexOf) }
}

function viewOf(tensor: ForeignTensor, index: number, indexOf: (name: string) => number): ViewTensor {
  const { name, dtype, shape, byteLength, axis, groupSize = 0 } = tensor
  const linked = (link: string | number | undefined): number | undefined =>
    typeof link === 'string' ? indexOf(link) : link
  const scale = linked(tensor.scale)
  const outer = linked(tensor.outer)
  return {
    index, name, dtype, shape, byteLength, axis, groupSize, scale, outer,
    elements: Number(elementCount(shape)),
    fileOffset: undefined,
    scheme: scale === undefined ? 0 : outer === undefined ? 1 : 2,
    checksum: undefined,
    chunks: (options) => tensor.chunks(options),
    read: tensor.read,
  }
}
