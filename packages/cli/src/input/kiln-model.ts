import { decodeFrame, KilnError, readDirectory, type ByteSource, type Directory, type Tensor } from 'kiln-format'
import type { SourceFile } from 'kiln-format/node'
import type { AnyModel, AnyTensor } from './model.js'

const PIECE = 2 ** 20

/** A Kiln file that is a bare directory, or one frame whose value begins with tensors, as a model. */
export async function openKilnModel(input: string, source: ByteSource, files: readonly SourceFile[]): Promise<AnyModel> {
  const bytes = await source.read(0, source.size)
  const { directory, metadata, start } = contents(bytes)
  return {
    input,
    format: 'kiln',
    size: source.size,
    tensors: Array.from(directory, (tensor) => anyTensor(tensor, start)),
    metadata,
    omitted: [],
    files,
    close: async () => source.close?.(),
  }
}

function contents(bytes: Uint8Array): { directory: Directory; metadata: ReadonlyMap<string, string>; start: number } {
  if (bytes[3] === 0x54) return { directory: readDirectory(bytes), metadata: new Map(), start: 0 }
  const { schema, value } = decodeFrame(bytes)
  if (schema.kind !== 'struct' || schema.fields[schema.names[0]!]!.kind !== 'tensors') {
    throw new KilnError('TYPE', 'the frame does not begin with tensors; kiln decode shows all of it')
  }
  const fields = value as Record<string, unknown>
  const directory = fields[schema.names[0]!] as Directory
  const metadata = schema.fields['metadata']?.text === 'dict<string,string>' ? (fields['metadata'] as Map<string, string>) : new Map<string, string>()
  return { directory, metadata, start: new DataView(bytes.buffer, bytes.byteOffset).getUint32(8, true) }
}

function anyTensor(tensor: Tensor, start: number): AnyTensor {
  const { name, dtype, shape, byteLength, scheme, axis, groupSize, checksum, scale, outer } = tensor
  return {
    name,
    dtype,
    shape,
    byteLength,
    ...(scale === undefined ? {} : { scale: scale.index, axis, groupSize }),
    ...(outer === undefined ? {} : { outer: outer.index }),
    async *chunks() {
      for (let i = 0; i < byteLength; i += PIECE) yield tensor.bytes.subarray(i, i + PIECE)
    },
    kiln: { scheme, axis, groupSize, checksum, offset: start + tensor.byteOffset },
  }
}
