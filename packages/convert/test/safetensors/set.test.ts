import { folderOf, openSafetensorsSet } from 'kiln-convert'
import { KilnError, type ByteSource } from 'kiln-format'
import { expect, test } from 'vitest'
import { hex, utf8 } from '../support/bytes.js'
import { faultOf } from '../support/fault.js'
import { contents } from '../support/model.js'
import { safetensors } from '../support/safetensors.js'
import { source, type TestSource } from '../support/source.js'

/** A shard of `u8` tensors of one byte each, by name and byte. */
function shard(tensors: Readonly<Record<string, number>>, metadata?: object): Uint8Array {
  const names = Object.keys(tensors)
  const header = Object.fromEntries(names.map((name, i) => [name, { dtype: 'U8', shape: [1], data_offsets: [i, i + 1] }]))
  return safetensors({ ...(metadata && { __metadata__: metadata }), ...header }, Uint8Array.from(Object.values(tensors)))
}

const S = (number: number, of: number): string => `m-0000${number}-of-0000${of}.safetensors`
const INDEX = 'm.safetensors.index.json'

function index(weightMap: object, more: object = {}): Uint8Array {
  return utf8(JSON.stringify({ metadata: { total_size: Object.keys(weightMap).length }, weight_map: weightMap, ...more }))
}

/** A folder that remembers its sources, so that a test sees that each was closed. */
function folder(files: Readonly<Record<string, Uint8Array>>) {
  const opened: TestSource[] = []
  return {
    opened,
    open(name: string): Promise<ByteSource> {
      const bytes = Object.hasOwn(files, name) ? files[name] : undefined
      if (bytes === undefined) return Promise.reject(new KilnError('EOF', `no file ${name}`))
      const file = source(bytes, name)
      opened.push(file)
      return Promise.resolve(file)
    },
    list: () => Promise.resolve(Object.keys(files)),
  }
}

const whole = {
  [INDEX]: index({ b: S(2, 2), a: S(1, 2), c: S(2, 2) }),
  [S(1, 2)]: shard({ a: 1 }, { format: 'pt' }),
  [S(2, 2)]: shard({ c: 3, b: 2 }, { format: 'pt', more: 'x' }),
}

test.each([['the index', INDEX], ['the first shard', S(1, 2)], ['the last shard', S(2, 2)], ['the folder', undefined]])(
  'a set opens by %s, in the order of its index',
  async (_, name) => {
    const files = folder(whole)
    const model = await openSafetensorsSet(files, name)
    expect(await contents(model)).toEqual([['b', 'u8', [1], '02'], ['a', 'u8', [1], '01'], ['c', 'u8', [1], '03']])
    expect([...model.metadata]).toEqual([['format', 'pt'], ['more', 'x']])
    expect(model.omitted).toEqual([])
    expect(model.shards).toEqual([S(2, 2), S(1, 2)])
    expect([...model.shardOf]).toEqual([['b', S(2, 2)], ['a', S(1, 2)], ['c', S(2, 2)]])
    await model.close()
    expect(files.opened.map((file) => file.closed)).toEqual(files.opened.map(() => 1))
  },
)

test('a set without an index opens by any shard and by its folder, in the order of the shards', async () => {
  const { [INDEX]: _, ...shards } = whole
  for (const name of [S(1, 2), S(2, 2), undefined]) {
    const model = await openSafetensorsSet(folder(shards), name)
    expect((await contents(model)).map(([tensor]) => tensor)).toEqual(['a', 'c', 'b'])
  }
})

test('an index that does not name the given shard is another model’s', async () => {
  const files = { ...whole, [INDEX]: index({ z: 'other.safetensors' }) }
  expect((await contents(await openSafetensorsSet(folder(files), S(2, 2)))).map(([name]) => name)).toEqual(['a', 'c', 'b'])
})

test.each([
  ['a shard that is missing', { ...whole, [S(2, 2)]: undefined }, INDEX, 'EOF', `1 of 2 shards are not in the folder: "${S(2, 2)}"`],
  ['a missing shard, by another one', { [S(1, 3)]: shard({ a: 1 }) }, S(1, 3), 'EOF', `2 of 3 shards are not in the folder: "${S(2, 3)}", "${S(3, 3)}"`],
  ['a tensor that its shard lacks', { ...whole, [S(1, 2)]: shard({ x: 1 }) }, INDEX, 'TYPE', `"${S(1, 2)}" lacks "a"; "${S(1, 2)}" holds "x"`],
  ['a tensor in the wrong shard', { ...whole, [INDEX]: index({ a: S(2, 2), b: S(2, 2), c: S(2, 2) }) }, INDEX, 'TYPE', `"${S(2, 2)}" lacks "a"`],
  ['a tensor that the index does not name', { ...whole, [S(1, 2)]: shard({ a: 1, extra: 9 }) }, INDEX, 'TYPE', 'holds "extra"'],
  ['a tensor in two shards', { ...whole, [S(1, 2)]: shard({ a: 1, b: 9 }) }, INDEX, 'TYPE', `"${S(1, 2)}" holds "b"`],
  ['a tensor in two shards, without an index', { [S(1, 2)]: shard({ a: 1 }), [S(2, 2)]: shard({ a: 2 }) }, S(1, 2), 'TYPE', `"a" is in "${S(1, 2)}" and in "${S(2, 2)}"`],
  ['a shard that is damaged', { ...whole, [S(2, 2)]: safetensors('{', hex('00')) }, INDEX, 'FRAME', `in "${S(2, 2)}"`],
  ['a shard with bytes over', { ...whole, [S(2, 2)]: Uint8Array.of(...whole[S(2, 2)]!, 1) }, INDEX, 'TRAILING', `in "${S(2, 2)}"`],
  ['an index without a map', { ...whole, [INDEX]: utf8('{"metadata":{}}') }, INDEX, 'TYPE', 'no weight_map'],
  ['an index that is no JSON', { ...whole, [INDEX]: utf8('{"weight_map":') }, INDEX, 'FRAME', `in "${INDEX}"`],
  ['a tensor named twice in the index', { ...whole, [INDEX]: utf8(`{"weight_map":{"a":"${S(1, 2)}","a":"${S(2, 2)}"}}`) }, INDEX, 'TYPE', '"a" stands twice'],
  ['an index with another kind of value', { ...whole, [INDEX]: utf8('{"weight_map":{"a":1}}') }, INDEX, 'TYPE', 'must be a string'],
] as const)('%s is refused, and everything opened is closed', async (_, given, name, code, words) => {
  const files = folder(Object.fromEntries(Object.entries(given).filter(([, bytes]) => bytes !== undefined)) as Record<string, Uint8Array>)
  const fault = await faultOf(openSafetensorsSet(files, name))
  expect(fault.detail).toContain(words)
  expect(fault.code).toBe(code)
  expect(files.opened.map((file) => file.closed)).toEqual(files.opened.map(() => 1))
})

test.each([
  '../x.safetensors', '/x.safetensors', 'C:x.safetensors', 'C:\\x.safetensors', 'a\\..\\..\\b', 'a/../b', 'a/b.safetensors', '', '.', '..', 'x\0.safetensors',
  'nul', 'COM1.safetensors', 'x.safetensors:stream', '.. ', 'x.',
])('a shard named %j is refused, and nothing is opened but the index', async (name) => {
  const files = folder({ [INDEX]: index({ a: name }), [name]: shard({ a: 1 }) })
  const fault = await faultOf(openSafetensorsSet(files, INDEX))
  expect(fault.code).toBe('TYPE')
  expect(fault.detail).toContain('is not opened')
  expect(files.opened.map((file) => file.label)).toEqual([INDEX])
})

test('the index’s own values are kept as JSON under a prefix; a wrong total_size is reported', async () => {
  const files = {
    ...whole,
    [INDEX]: index({ b: S(2, 2), a: S(1, 2), c: S(2, 2) }, { metadata: { total_size: 99, by: 'me', list: [1, { a: 2.50 }] }, note: 1 }),
  }
  const model = await openSafetensorsSet(folder(files), INDEX)
  expect([...model.metadata]).toEqual([
    ['format', 'pt'], ['more', 'x'], ['safetensors.index.by', '"me"'], ['safetensors.index.list', '[1,{"a":2.5}]'],
  ])
  expect(model.omitted).toEqual([
    { name: 'note', reason: 'a key of the index that is not of the format' },
    { name: 'total_size', reason: 'the index says 99, the tensors have 3 bytes; the tensors are kept' },
  ])
})

test('strings that differ between shards are reported, and the first is kept', async () => {
  const model = await openSafetensorsSet(folder({ [S(1, 2)]: shard({ a: 1 }, { k: '1' }), [S(2, 2)]: shard({ b: 2 }, { k: '2' }) }), S(1, 2))
  expect([...model.metadata]).toEqual([['k', '1']])
  expect(model.omitted).toEqual([{ name: 'k', reason: `the metadata of "${S(2, 2)}" has "2", an earlier shard has "1", which is kept` }])
})

test('a name that announces a billion shards is refused without trying them all', async () => {
  const name = 'm-000000001-of-999999999.safetensors'
  const fault = await faultOf(openSafetensorsSet(folder({ [name]: shard({ a: 1 }) }), name))
  expect(fault.code).toBe('LIMIT')
  const under = 'm-00001-of-99999.safetensors'
  const missing = await faultOf(openSafetensorsSet(folder({ [under]: shard({ a: 1 }) }), under))
  expect([missing.code, missing.detail.slice(0, 70)]).toEqual(['EOF', 'the set is not whole: at least 32 of 99999 shards are not in the folde'])
})

test('a folder with two models is refused, naming them, and one without any too', async () => {
  const fault = await faultOf(openSafetensorsSet(folder({ ...whole, 'other.safetensors': shard({ o: 1 }) })))
  expect([fault.code, fault.detail]).toEqual(['TYPE', `the folder holds more than one model: name one of "${INDEX}", "other.safetensors"`])
  expect((await faultOf(openSafetensorsSet(folder({ 'a.txt': hex('00') })))).code).toBe('EOF')
  const unlisted = folderOf(Object.entries(whole).map(([name, bytes]) => [name, source(bytes)]))
  delete unlisted.list
  expect((await faultOf(openSafetensorsSet(unlisted))).code).toBe('TYPE')
})

test('a file that is of no set opens as what it is', async () => {
  const model = await openSafetensorsSet(folder({ 'one.safetensors': shard({ a: 7 }) }))
  expect(await contents(model)).toEqual([['a', 'u8', [1], '07']])
})
