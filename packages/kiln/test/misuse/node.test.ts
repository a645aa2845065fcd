import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type FileSink, fileSink, type FileSource, nodeFolder, openFile, writeFile } from 'kiln-format/node'
import { faultOf } from '../support/fault.js'
import { expectedOf, outcomesOf, type Row } from './outcomes.js'

const folder = mkdtempSync(join(tmpdir(), 'kiln-misuse-'))
const path = join(folder, 'there')
const target = join(folder, 'made')
writeFileSync(path, 'abcd')
afterAll(() => rmSync(folder, { recursive: true }))

async function withFile(use: (file: FileSource) => Promise<unknown>): Promise<unknown> {
  await using file = await openFile(path)
  return await use(file)
}

async function withSink(use: (sink: FileSink) => Promise<unknown>): Promise<unknown> {
  const sink = await fileSink(target)
  try {
    await sink.write(new Uint8Array(4))
    return await use(sink)
  } finally {
    await sink.abort()
  }
}

const ROWS: readonly Row[] = [
  ['openFile: path', async (x) => (await openFile(x)).close(), 'TYPE', { EOF: 'text' }],
  ['openFile: options', async (x) => (await openFile(path, x)).close(), 'TYPE', { taken: 'undefined object bare array nulls symbols Date Map bytes promise' }],
  ['openFile: checkChanges', async (x) => (await openFile(path, { checkChanges: x })).close(), 'TYPE', { taken: 'undefined true' }],
  ['openFile: signal', async (x) => (await openFile(path, { signal: x })).close(), 'TYPE', { taken: 'undefined' }],
  ['a file: offset', (x) => withFile((file) => file.read(x, 1)), 'TYPE', { taken: 'zero' }],
  ['a file: length', (x) => withFile((file) => file.read(0, x)), 'TYPE', { taken: 'zero' }],
  ['a file: options', (x) => withFile((file) => file.read(0, 1, x)), 'TYPE', { taken: 'undefined object bare array nulls symbols Date Map bytes promise' }],
  ['nodeFolder', (x) => nodeFolder(x), 'TYPE', { EOF: 'text' }],
  ['a folder: open', async (x) => (await nodeFolder(folder)).open(x), 'TYPE', { EOF: 'text' }],
  ['fileSink: path', async (x) => (await fileSink(x === 'text' ? target : x)).abort(), 'TYPE', { taken: 'text' }],
  ['fileSink: options', async (x) => (await fileSink(target, x)).abort(), 'TYPE', { taken: 'undefined object bare array nulls symbols Date Map bytes promise' }],
  ['fileSink: mode', async (x) => (await fileSink(target, { mode: x })).abort(), 'TYPE', { taken: 'undefined null zero' }],
  ['fileSink: sources', async (x) => (await fileSink(target, { sources: x })).abort(), 'TYPE', { taken: 'undefined array' }],
  ['fileSink: a source', async (x) => (await fileSink(target, { sources: [x] })).abort(), 'TYPE', { taken: 'text' }],
  ['a sink: write', (x) => withSink((sink) => sink.write(x)), 'TYPE', { taken: 'bytes' }],
  ['a sink: write options', (x) => withSink((sink) => sink.write(new Uint8Array(1), x)), 'TYPE', { taken: 'undefined object bare array nulls symbols Date Map bytes promise' }],
  ['a sink: patch offset', (x) => withSink((sink) => sink.patch(x, new Uint8Array(1))), 'TYPE', { taken: 'zero' }],
  ['a sink: patch', (x) => withSink((sink) => sink.patch(0, x)), 'TYPE', { taken: 'bytes' }],
  ['writeFile: path', (x) => writeFile(x === 'text' ? target : x, new Uint8Array(1)), 'TYPE', { taken: 'text' }],
  ['writeFile: contents', (x) => writeFile(target, x), 'TYPE', { taken: 'array function bytes' }],
  ['writeFile: a part', (x) => writeFile(target, [x]), 'TYPE', { taken: 'bytes' }],
  ['writeFile: options', (x) => writeFile(target, new Uint8Array(1), x), 'TYPE', { taken: 'undefined object bare array nulls symbols Date Map bytes promise' }],
]

for (const row of ROWS) {
  test(row[0], async () => expect(await outcomesOf(row[1])).toEqual(expectedOf(row)))
}

test('contents that are none are called so', async () => {
  expect((await faultOf(writeFile(target, 5 as never))).message).toContain('TYPE: contents gives bytes piece by piece')
})
