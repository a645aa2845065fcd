import { isKilnError, type ByteSource, type ReadOptions } from 'kiln-format'
import {
  folderOf, openForeign, openGguf, openNpy, openNpz, openOnnx, openSafetensors, openTensorProto, openTfjs, sniffSource, type ForeignModel,
} from 'kiln-convert'
import { describe, expect, test } from 'vitest'
import { faultOf } from '../support/fault.js'
import { madeFiles } from '../support/made-files.js'
import { memorySource } from '../support/memory.js'

const text = new TextEncoder()
const manifest = text.encode(
  '[{"paths":["a.bin"],"weights":[{"name":"w","shape":[3],"dtype":"float32"}]}]',
)
const weights = Uint8Array.from({ length: 12 }, (_, i) => i)
type Open = (source: ByteSource, options?: ReadOptions) => Promise<ForeignModel>

/** Each opener, with a file of its own. */
const OPENERS: readonly (readonly [name: string, open: Open, bytes: Uint8Array])[] = [
  ['openSafetensors', openSafetensors, made('safetensors')],
  ['openGguf', openGguf, made('gguf')],
  ['openNpy', openNpy, made('npy')],
  ['openNpz', openNpz, made('npz')],
  ['openOnnx', (source, options) => openOnnx(source, undefined, options), made('onnx')],
  ['openTensorProto', (source, options) => openTensorProto(source, undefined, options), made('onnx-tensorproto')],
  ['openTfjs, the manifest', (source, options) => openTfjs(source, folderOf([['a.bin', memorySource(weights)]]), options), manifest],
  ['openTfjs, a file of weights', (source, options) => openTfjs(memorySource(manifest, 'weights_manifest.json'), { open: async () => source }, options), weights],
  ['openForeign', openForeign, made('npz')],
]

function made(format: string): Uint8Array {
  return madeFiles.find((file) => file.format === format)!.bytes
}

/** Everything that a model can be asked for, as bytes. */
async function contents(open: Open, source: ByteSource, options?: ReadOptions): Promise<unknown[]> {
  const model = await open(source, options)
  const all: unknown[] = []
  for (const tensor of model.tensors) {
    const bytes: number[] = []
    for await (const piece of tensor.chunks(options)) bytes.push(...piece)
    all.push([tensor.name, bytes, await tensor.read?.(0, tensor.byteLength, options).then((read) => [...read])])
  }
  await model.close()
  return all
}

/** A source that keeps its promise for a number of reads, and then gives something else. */
function lying(bytes: Uint8Array, reads: number, lie: (right: Uint8Array) => unknown): ByteSource & { asked: number } {
  const inner = memorySource(bytes)
  const source = {
    ...inner,
    asked: 0,
    read: async (offset: number, length: number) => {
      const right = await inner.read(offset, length)
      return (source.asked++ < reads ? right : lie(right)) as Uint8Array
    },
  }
  return source
}

describe.each(OPENERS)('%s holds a source to its promise', (_, open, bytes) => {
  test.each<[string, (right: Uint8Array) => unknown, string]>([
    ['nothing', () => new Uint8Array(0), 'EOF'],
    ['a byte too few', (right) => right.subarray(1), 'EOF'],
    ['a byte too many', (right) => Uint8Array.of(...right, 0), 'EOF'],
    ['text', () => 'x', 'TYPE'],
    ['null', () => null, 'TYPE'],
    ['undefined', () => undefined, 'TYPE'],
  ])('%s, at any of its reads', async (_, lie, code) => {
    const whole = lying(bytes, Infinity, lie)
    await contents(open, whole)
    expect(whole.asked).toBeGreaterThan(0)
    for (let reads = 0; reads < whole.asked; reads++) {
      expect([reads, (await faultOf(contents(open, lying(bytes, reads, lie)))).code]).toEqual([reads, code])
    }
  })

  test('a buffer is as good as a view of it', async () => {
    const buffers = lying(bytes, 0, (right) => right.slice().buffer)
    expect(await contents(open, buffers)).toEqual(await contents(open, memorySource(bytes)))
  })

  test('a read that never ends is left when the signal aborts', async () => {
    const reason = new Error('enough')
    const controller = new AbortController()
    const stuck: ByteSource = { ...memorySource(bytes), read: () => new Promise(() => controller.abort(reason)) }
    await expect(contents(open, stuck, { signal: controller.signal })).rejects.toBe(reason)
  })
})

test('what stands behind a name is looked for in the same way', async () => {
  const fault = await sniffSource({ ...memorySource(made('npz')), read: async () => 5 as never }).catch((error: unknown) => error)
  expect(isKilnError(fault) && fault.code).toBe('TYPE')
})
