import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { open } from 'kiln-format'
import { openFile } from 'kiln-format/node'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { hex } from './support/bytes.js'
import { safetensors } from './support/safetensors.js'
import { toKiln } from './support/readme-snippet.js'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kiln-convert-'))
})
afterAll(() => rm(folder, { recursive: true }))

const near = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

test('the code of the README is what is run here', async () => {
  const readme = await readFile(near('../README.md'), 'utf8')
  const code = /```ts\n(.*?)```/s.exec(readme)?.[1]
  expect(code).toBe(await readFile(near('./support/readme-snippet.ts'), 'utf8'))
})

test('and it converts a file', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  const header = { __metadata__: { k: 'v' }, w: { dtype: 'F16', shape: [2], data_offsets: [0, 4] }, x: { dtype: 'F3', shape: [8], data_offsets: [4, 7] } }
  await writeFile(join(folder, 'm.safetensors'), safetensors(header, hex('0102030405 0607')))
  const omitted = await toKiln(join(folder, 'm.safetensors'), join(folder, 'm.kiln'))
  expect(omitted.map(({ name }) => name)).toEqual(['x'])
  expect(log.mock.calls).toEqual([['w', 'f16', [2]]])
  log.mockRestore()
  const model = await open(openFile(join(folder, 'm.kiln')))
  expect([...model.metadata]).toEqual([['k', 'v']])
  expect([...(await model.load('w')).bytes]).toEqual([1, 2, 3, 4])
  await model.close()
})
