import { KilnError } from 'kiln-format'
import type { ByteSource } from 'kiln-format'
import { expect, test } from 'vitest'
import { openGgufSet } from '../../src/gguf/open-set.js'
import { openGguf } from '../../src/gguf/open.js'
import type { GgufKeyValue } from '../../src/gguf/value-types.js'
import { writeGgufSet } from '../../src/gguf/write-set.js'
import type { Folder, WritableModel } from '../../src/model.js'
import { memorySource, MemorySink, memoryTensor, payload } from '../support/memory.js'
import { buildGguf } from './build.js'
import type { BuiltTensor } from './build.js'

/** A folder that counts what is opened and closed. */
class CountingFolder implements Folder {
  open_ = 0
  readonly opened: string[] = []
  private readonly files: Readonly<Record<string, Uint8Array>>

  constructor(files: Readonly<Record<string, Uint8Array>>) {
    this.files = files
  }

  open(name: string): Promise<ByteSource> {
    const bytes = this.files[name]
    if (bytes === undefined) return Promise.reject(new KilnError('EOF', `there is no file ${name}`))
    this.opened.push(name)
    this.open_++
    return Promise.resolve({
      ...memorySource(bytes, name),
      close: () => {
        this.open_--
        return Promise.resolve()
      },
    })
  }
}

const split = (no: number, count: number, tensors: number): GgufKeyValue[] => [
  { key: 'split.no', type: 'uint16', value: no },
  { key: 'split.count', type: 'uint16', value: count },
  { key: 'split.tensors.count', type: 'int32', value: tensors },
]
const arch: GgufKeyValue = { key: 'general.architecture', type: 'string', value: 'test' }
const i8 = (name: string, byte: number): BuiltTensor => ({
  name,
  ne: [4],
  type: 24,
  offset: 0,
  payload: new Uint8Array(4).fill(byte),
})

const name = (i: number, count = 3): string => `m-0000${i}-of-0000${count}.gguf`
const whole = {
  [name(1)]: buildGguf([arch, ...split(0, 3, 2)]),
  [name(2)]: buildGguf(split(1, 3, 2), [i8('a', 1)]),
  [name(3)]: buildGguf(split(2, 3, 2), [i8('b', 2)]),
}

test.each([1, 2, 3])('a set opens by its file %i, whole and in order', async (i) => {
  const folder = new CountingFolder(whole)
  const model = await openGgufSet(folder, name(i))
  expect(model.tensors.map((t) => t.name)).toEqual(['a', 'b'])
  expect([...model.metadata]).toEqual([['general.architecture', 'test']])
  expect(await payload(model.tensors[1]!)).toEqual(Uint8Array.of(2, 2, 2, 2))
  expect(model.omitted).toEqual([])
  expect(folder.open_).toBe(3)
  await model.close()
  expect(folder.open_).toBe(0)
})

test('a file that is of no set opens as it is, with a split of one file too', async () => {
  const folder = new CountingFolder({
    'x.gguf': buildGguf([arch], [i8('a', 1)]),
    'y.gguf': buildGguf(split(0, 1, 1), [i8('a', 1)]),
  })
  const x = await openGgufSet(folder, 'x.gguf')
  expect(x.tensors).toHaveLength(1)
  await x.close()
  const y = await openGgufSet(folder, 'y.gguf')
  expect(y.keyValues).toEqual(split(0, 1, 1))
  await y.close()
  expect(folder.open_).toBe(0)
  await expect(openGguf(memorySource(buildGguf(split(0, 1, 1))))).resolves.toMatchObject({ tensors: [] })
})

test.each<[string, Readonly<Record<string, Uint8Array | undefined>>, string, string, RegExp]>([
  [
    'two files missing',
    { [name(2)]: undefined, [name(3)]: undefined },
    name(1),
    'EOF',
    /2 of 3 files are not in the folder: "m-00002-of-00003.gguf", "m-00003-of-00003.gguf"/,
  ],
  [
    'the first missing',
    { [name(1)]: undefined },
    name(2),
    'EOF',
    /1 of 3 files are not in the folder: "m-00001-of-00003.gguf"/,
  ],
  [
    'a file of another count',
    { [name(2)]: buildGguf(split(1, 4, 2), [i8('a', 1)]) },
    name(1),
    'TYPE',
    /in "m-00002-of-00003.gguf": split.count is 4/,
  ],
  [
    'a file of another number of tensors',
    { [name(2)]: buildGguf(split(1, 3, 9), [i8('a', 1)]) },
    name(1),
    'TYPE',
    /split.tensors.count 9; in the file that was named they are 3 and 2/,
  ],
  [
    'a file of another number',
    { [name(2)]: buildGguf(split(2, 3, 2), [i8('a', 1)]) },
    name(1),
    'TYPE',
    /split.no is 2, counted from 0; by its name the file is 1/,
  ],
  ['a file of no set', { [name(2)]: buildGguf([], [i8('a', 1)]) }, name(1), 'TYPE', /this file is of no set/],
  [
    'a tensor twice',
    { [name(3)]: buildGguf(split(2, 3, 2), [i8('a', 1)]) },
    name(1),
    'TYPE',
    /tensor "a" is in "m-00002-of-00003.gguf" and in "m-00003-of-00003.gguf"/,
  ],
  [
    'too few tensors',
    { [name(3)]: buildGguf(split(2, 3, 2)) },
    name(1),
    'TYPE',
    /the set has 1 tensors, and by split.tensors.count it should have 2/,
  ],
  [
    'a number over its count',
    { [name(1)]: buildGguf(split(3, 3, 2)) },
    name(1),
    'TYPE',
    /split.no is 3, counted from 0, and split.count is 3/,
  ],
  [
    'no number',
    { [name(1)]: buildGguf(split(0, 3, 2).slice(1)) },
    name(1),
    'TYPE',
    /split.count is 3, and there is no split.no/,
  ],
  [
    'a count that is a string',
    { [name(1)]: buildGguf([{ key: 'split.count', type: 'string', value: '3' }]) },
    name(1),
    'TYPE',
    /split.count must be of an integer type; it is of type string/,
  ],
  [
    'a count below 0',
    { [name(1)]: buildGguf([{ key: 'split.count', type: 'int32', value: -3 }]) },
    name(1),
    'TYPE',
    /split.count is -3, which is no count/,
  ],
  [
    'a name without numbers',
    { 'm.gguf': whole[name(1)] },
    'm.gguf',
    'TYPE',
    /"m.gguf" is file 1 of a set of 3, and does not end in -00001-of-00003.gguf/,
  ],
  [
    'a name of another count',
    { 'm-00001-of-00004.gguf': whole[name(1)] },
    'm-00001-of-00004.gguf',
    'TYPE',
    /is of 4 files by its name, and of 3 by its split.count/,
  ],
  [
    'a name of another number',
    { 'n-00002-of-00003.gguf': whole[name(1)] },
    'n-00002-of-00003.gguf',
    'TYPE',
    /is file 2 by its name, and 1 by its split.no/,
  ],
  [
    'a file that is malformed',
    { [name(3)]: whole[name(3)]!.subarray(0, 60) },
    name(1),
    'EOF',
    /in "m-00003-of-00003.gguf": /,
  ],
  ['a name that leads out', {}, '../m-00001-of-00003.gguf', 'TYPE', /it leads to another folder/],
])('a set with %s is refused, and everything closed', async (_what, changes, start, code, detail) => {
  const files: Record<string, Uint8Array> = {}
  for (const [file, bytes] of Object.entries({ ...whole, ...changes })) if (bytes !== undefined) files[file] = bytes
  const folder = new CountingFolder(files)
  await expect(openGgufSet(folder, start)).rejects.toMatchObject({
    code,
    detail: expect.stringMatching(detail) as unknown,
  })
  expect(folder.open_).toBe(0)
})

test.each([65_536, 999_999_999])('a count of %i files is refused before their names are listed', async (count) => {
  const file = `m-00001-of-${count}.gguf`
  const bytes = buildGguf([
    { key: 'split.no', type: 'uint32', value: 0 },
    { key: 'split.count', type: 'uint32', value: count },
    { key: 'split.tensors.count', type: 'int32', value: 0 },
  ])
  const folder = new CountingFolder({ [file]: bytes })
  await expect(openGgufSet(folder, file)).rejects.toMatchObject({
    code: 'LIMIT',
    detail: `in "${file}": split.count is ${count}; a set has at most 65535 files`,
  })
  expect(folder.opened).toEqual([file])
  expect(folder.open_).toBe(0)
})

test('keys of later files that the first has not, or otherwise, are reported', async () => {
  const folder = new CountingFolder({
    ...whole,
    [name(2)]: buildGguf([...split(1, 3, 2), arch, { key: 'only.here', type: 'bool', value: true }], [i8('a', 1)]),
    [name(3)]: buildGguf(
      [...split(2, 3, 2), { key: 'general.architecture', type: 'string', value: 'other' }],
      [i8('b', 1)],
    ),
  })
  const model = await openGgufSet(folder, name(1))
  expect(model.omitted).toEqual([
    {
      name: 'key only.here',
      reason: `a key of "${name(2)}" which the first file has not; a set's keys are those of its first file`,
    },
    {
      name: 'key general.architecture',
      reason:
        `a key of "${name(3)}" of which the first file has another value; ` +
        "a set's keys are those of its first file",
    },
  ])
  await model.close()
})

const metadata = new Map([
  ['general.architecture', 'test'],
  ['general.alignment', '64'],
  ['gguf:types', '{"general.alignment":"uint32"}'],
])
const model: WritableModel = {
  tensors: Array.from({ length: 10 }, (_, i) =>
    memoryTensor(`t${i}`, 'i8', [100 + i], new Uint8Array(100 + i).fill(i)),
  ),
  metadata,
}

async function writeSet(
  given: WritableModel,
  shardSize: number,
): Promise<{ files: Record<string, Uint8Array>; sinks: MemorySink[] }> {
  const sinks = new Map<string, MemorySink>()
  const open = (file: string): Promise<MemorySink> => {
    const sink = new MemorySink()
    sinks.set(file, sink)
    return Promise.resolve(sink)
  }
  const written = await writeGgufSet(given, open, { shardSize })
  const files = Object.fromEntries([...sinks].map(([file, sink]) => [file, sink.bytes]))
  expect(written.files).toEqual([...sinks.keys()])
  expect(written.bytes).toBe(Object.values(files).reduce((sum, { length }) => sum + length, 0))
  return { files, sinks: [...sinks.values()] }
}

test.each([1, 300, 512, 640, 1000, 1500])('a set of files of %i bytes at most comes back whole', async (shardSize) => {
  const { files, sinks } = await writeSet(model, shardSize)
  const names = Object.keys(files)
  expect(names.length).toBeGreaterThan(1)
  expect(sinks.every(({ ended }) => ended === 'closed')).toBe(true)
  const again = await openGgufSet(new CountingFolder(files), names.at(-1)!)
  expect(again.tensors.map((t) => t.name)).toEqual(model.tensors.map((t) => t.name))
  expect([...again.metadata]).toEqual([...metadata])
  expect(again.omitted).toEqual([])
  for (const [i, t] of again.tensors.entries()) expect(await payload(t)).toEqual(new Uint8Array(100 + i).fill(i))
  for (const [file, bytes] of Object.entries(files)) {
    const one = await openGguf(memorySource(bytes), { alone: true })
    expect(one.alignment).toBe(64)
    // Over the size only where one tensor is alone.
    if (bytes.length > shardSize) expect([file, one.tensors.length]).toEqual([file, 1])
  }
})

test('files are as full as their size allows', async () => {
  const { files } = await writeSet(model, 100_000)
  expect(Object.keys(files)).toEqual(['model.gguf'])
  const size = files['model.gguf']!.length
  const [exact, less] = [await writeSet(model, size), await writeSet(model, size - 1)]
  expect(Object.keys(exact.files)).toEqual(['model.gguf'])
  expect(Object.keys(less.files)).toEqual(['model-00001-of-00002.gguf', 'model-00002-of-00002.gguf'])
  const first = less.files['model-00001-of-00002.gguf']!.length
  const same = await writeSet(model, first)
  expect(same.files['model-00001-of-00002.gguf'] ?? same.files['model-00001-of-00003.gguf']).toHaveLength(first)
  const smaller = await writeSet(model, first - 1)
  expect(Object.values(smaller.files)[0]!.length).toBeLessThan(first)
})

test('keys that split another set are not kept', async () => {
  const opened = await openGguf(memorySource(whole[name(2)]!), { alone: true })
  const { files } = await writeSet(opened, 1000)
  const again = await openGguf(memorySource(files['model.gguf']!))
  expect(again.keyValues).toEqual([])
})

test.each([0, -1, NaN])('a size of %d is refused', async (shardSize) => {
  await expect(writeGgufSet(model, () => Promise.resolve(new MemorySink()), { shardSize })).rejects.toMatchObject({
    code: 'TYPE',
  })
})

test('an error in a later file leaves none', async () => {
  const sinks: MemorySink[] = []
  const bad = { ...memoryTensor('bad', 'i8', [5], new Uint8Array(4)), byteLength: 5 }
  const open = (): Promise<MemorySink> => {
    const sink = new MemorySink()
    sinks.push(sink)
    return Promise.resolve(sink)
  }
  await expect(writeGgufSet({ tensors: [...model.tensors, bad] }, open, { shardSize: 400 })).rejects.toMatchObject({
    code: 'TYPE',
  })
  expect(sinks.length).toBeGreaterThan(1)
  expect(sinks.every(({ ended }) => ended === 'aborted')).toBe(true)
})
