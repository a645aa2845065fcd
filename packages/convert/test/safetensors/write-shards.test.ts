import { folderOf, openSafetensorsSet, writeSafetensorsShards, type ForeignTensor, type ShardOptions } from 'kiln-convert'
import { expect, test } from 'vitest'
import { faultOf } from '../support/fault.js'
import { memorySource, MemorySink, memoryTensor } from '../support/memory.js'
import { contents } from '../support/model.js'

async function shards(tensors: readonly ForeignTensor[], options: ShardOptions, metadata?: ReadonlyMap<string, string>) {
  const sinks = new Map<string, MemorySink>()
  const open = (name: string): Promise<MemorySink> => {
    const sink = new MemorySink()
    sinks.set(name, sink)
    return Promise.resolve(sink)
  }
  const written = await writeSafetensorsShards({ tensors, metadata }, open, options)
  expect([...sinks.keys()]).toEqual([...written.files, ...(written.index === undefined ? [] : [written.index])])
  expect([...sinks.values()].every((sink) => sink.ended === 'closed')).toBe(true)
  expect([...sinks.values()].reduce((sum, sink) => sum + sink.bytes.length, 0)).toBe(written.bytes)
  return { ...written, sinks, folder: folderOf([...sinks].map(([name, sink]) => [name, memorySource(sink.bytes)])) }
}

const tensors = Array.from({ length: 10 }, (_, i) => memoryTensor(`t${i}`, 'u8', [100], new Uint8Array(100).fill(i)))

test('a model is dealt out to files that are no larger than asked for, and comes back whole', async () => {
  for (const shardSize of [400, 500, 777, 1500]) {
    const metadata = new Map([['format', 'pt'], ['safetensors.index.by', '"me"'], ['safetensors.index.free', 'no JSON']])
    const set = await shards(tensors, { shardSize }, metadata)
    expect(Math.max(...set.files.map((name) => set.sinks.get(name)!.bytes.length))).toBeLessThanOrEqual(shardSize)
    expect(set.files.length).toBeGreaterThan(1)
    expect(set.files[0]).toBe(`model-00001-of-${String(set.files.length).padStart(5, '0')}.safetensors`)
    const model = await openSafetensorsSet(set.folder)
    expect(await contents(model)).toEqual(await contents({ tensors }))
    expect([...model.metadata]).toEqual([['format', 'pt'], ['safetensors.index.by', '"me"'], ['safetensors.index.free', '"no JSON"']])
    expect(model.omitted).toEqual([])
  }
})

test('the index has the form that others write', async () => {
  const set = await shards(tensors.slice(0, 2), { shardSize: 300, name: 'm' }, new Map([['safetensors.index.by', '1']]))
  expect(set.index).toBe('m.safetensors.index.json')
  expect(new TextDecoder().decode(set.sinks.get(set.index!)!.bytes)).toBe(`{
  "metadata": {
    "total_size": 200,
    "by": 1
  },
  "weight_map": {
    "t0": "m-00001-of-00002.safetensors",
    "t1": "m-00002-of-00002.safetensors"
  }
}
`)
})

test('the size is met to the byte: a file of exactly that many bytes is one, of one more two', async () => {
  const one = await shards(tensors, { shardSize: 10_000 })
  expect([one.files, one.index]).toEqual([['model.safetensors'], undefined])
  const sizes = new Set<number>()
  for (let shardSize = one.bytes - 12; shardSize <= one.bytes + 12; shardSize++) {
    const set = await shards(tensors, { shardSize })
    for (const name of set.files) expect(set.sinks.get(name)!.bytes.length).toBeLessThanOrEqual(shardSize)
    sizes.add(set.files.length)
  }
  expect([...sizes].sort()).toEqual([1, 2])
})

test('a tensor that is larger than a file may be has one of its own', async () => {
  const big = memoryTensor('big', 'u8', [5000], new Uint8Array(5000), 999)
  const set = await shards([tensors[0]!, big, tensors[1]!], { shardSize: 300 })
  expect(set.files).toHaveLength(3)
  expect((await contents(await openSafetensorsSet(set.folder))).map(([name]) => name)).toEqual(['t0', 'big', 't1'])
})

test('a model without tensors is one file, and keeps its index’s values', async () => {
  const set = await shards([], { shardSize: 100 }, new Map([['safetensors.index.by', '1']]))
  expect(set.files).toEqual(['model.safetensors'])
  expect([...(await openSafetensorsSet(set.folder)).metadata]).toEqual([['safetensors.index.by', '1']])
})

test('an error leaves no part of a set', async () => {
  const sinks: MemorySink[] = []
  const open = (): Promise<MemorySink> => {
    if (sinks.length === 2) return Promise.reject(new Error('no space for a third'))
    sinks.push(new MemorySink())
    return Promise.resolve(sinks.at(-1)!)
  }
  await expect(writeSafetensorsShards({ tensors }, open, { shardSize: 300 })).rejects.toThrow('no space for a third')
  expect(sinks.map((sink) => sink.ended)).toEqual(['aborted', 'aborted'])
})

test.each([
  [{ shardSize: 0 }, 'TYPE'],
  [{ shardSize: Number.NaN }, 'TYPE'],
  [{ shardSize: 300, name: '../m' }, 'TYPE'],
  [{ shardSize: 300, limits: { shards: 2 } }, 'LIMIT'],
] as const)('%j is refused before a file is opened', async (options, code) => {
  const open = (): Promise<MemorySink> => Promise.reject(new Error('opened'))
  expect((await faultOf(writeSafetensorsShards({ tensors }, open, options))).code).toBe(code)
})

test('strings of the index that no reader would take are refused, and none is nested too deep', async () => {
  for (const [key, value] of [['safetensors.index.a', 'x\ud800'], ['safetensors.index.\udc00', 'x']] as const) {
    const fault = await faultOf(shards(tensors, { shardSize: 400 }, new Map([[key, value]])))
    expect([fault.code, fault.detail]).toEqual(['UTF8', expect.stringMatching(/^the metadata (key|value of) "safetensors\.index\..*" has a lone surrogate at index \d+/)])
  }
  for (const depth of [126, 127]) {
    const value = '['.repeat(depth) + ']'.repeat(depth)
    const { folder } = await shards(tensors, { shardSize: 400 }, new Map([['safetensors.index.deep', value]]))
    expect([...(await openSafetensorsSet(folder)).metadata.values()]).toEqual([depth === 126 ? value : JSON.stringify(value)])
  }
})
