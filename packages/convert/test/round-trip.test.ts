import { fromKiln, openForeign, openSafetensors, openGguf, writeGguf, writeSafetensors, type ForeignModel, type KilnTensor, type WritableModel } from 'kiln-convert'
import { decodeFrame, encodeFrame, k, type Tensor } from 'kiln-format'
import { expect, test } from 'vitest'
import { fixturesOf } from './support/fixtures.js'
import { madeFiles } from './support/made-files.js'
import { memorySource, MemorySink, payload } from './support/memory.js'
import { contents } from './support/model.js'

const modelSchema = k.struct({ tensors: k.tensors, metadata: k.dict(k.string, k.string) })

/** The model after it was a Kiln model file in memory. */
async function throughKiln(model: ForeignModel): Promise<WritableModel> {
  const tensors = []
  for (const tensor of model.tensors) tensors.push({ name: tensor.name, dtype: tensor.dtype, shape: tensor.shape, data: await payload(tensor) })
  const frame = encodeFrame(modelSchema, { tensors, metadata: model.metadata }, { schema: true })
  const value = decodeFrame(frame, modelSchema).value
  return { tensors: fromKiln(Array.from(value.tensors, asLazy)), metadata: value.metadata }
}

/** As `openDirectory` gives them: with pieces for the asking. */
function asLazy(tensor: Tensor): KilnTensor {
  const { index, name, dtype, shape, byteLength, axis, groupSize, bytes } = tensor
  return {
    index, name, dtype, shape, byteLength, axis, groupSize, scale: undefined, outer: undefined,
    async *chunks() {
      if (bytes.length > 0) yield await Promise.resolve(bytes)
    },
  }
}

const readable = (format: string): readonly { readonly file: string; readonly bytes: Uint8Array }[] => [
  ...madeFiles.filter((made) => made.format === format),
  ...fixturesOf(format).filter(({ expect: wanted, file }) => wanted !== undefined && !file.endsWith('.json')),
]

test.each(readable('safetensors').map(({ file, bytes }) => [file, bytes] as const))(
  '%s is through Kiln what it is without',
  async (_, bytes) => {
    const model = await openSafetensors(memorySource(bytes))
    const direct = new MemorySink()
    await writeSafetensors(model, direct)
    const around = new MemorySink()
    await writeSafetensors(await throughKiln(model), around)
    expect(Buffer.compare(around.bytes, direct.bytes)).toBe(0)
    expect(await contents(await openSafetensors(memorySource(around.bytes)))).toEqual(await contents(await openSafetensors(memorySource(direct.bytes))))
  },
)

test.each(readable('gguf').filter(({ file }) => !file.includes('.v1.')).map(({ file, bytes }) => [file, bytes] as const))(
  '%s keeps its key-values with their types, and its tensors',
  async (_, bytes) => {
    const model = await openGguf(memorySource(bytes), { alone: true })
    const sink = new MemorySink()
    await writeGguf(await throughKiln(model), sink)
    const again = await openGguf(memorySource(sink.bytes), { alone: true })
    expect(again.keyValues).toEqual(model.keyValues)
    expect(await contents(again)).toEqual(await contents(model))
  },
)

// Those that stand alone: external data is compared in `fixtures.test.ts`, and a tensor of strings is none.
const others = ['npy', 'npz', 'onnx', 'onnx-tensorproto'].flatMap((format) =>
  readable(format)
    .filter(({ file }) => !/equal_string|external/.test(file))
    .map(({ file, bytes }) => [`${format}/${file}`, bytes] as const),
)

test.each(others)(
  '%s has in Kiln the tensors and strings that it had',
  async (file, bytes) => {
    const model = await openForeign(memorySource(bytes), { name: file })
    const kiln = await throughKiln(model)
    expect(await contents(kiln)).toEqual(await contents(model))
    expect([...kiln.metadata!]).toEqual([...model.metadata])
  },
)
