import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nodeFolder } from 'kiln-format/node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { faultOf } from '../support/fault.js'
import { failed, withSystem } from '../support/system.js'

let outer = ''
let inner = ''
beforeAll(async () => {
  outer = await mkdtemp(join(tmpdir(), 'kiln-folder-'))
  inner = join(outer, 'inner')
  await mkdir(join(inner, 'below'), { recursive: true })
  await writeFile(join(outer, 'secret'), 'secret')
  await mkdir(join(outer, 'inner2'))
  await writeFile(join(outer, 'inner2', 'near'), 'secret')
  await writeFile(join(inner, 'a.bin'), 'a')
  await writeFile(join(inner, '..b'), 'b')
  await writeFile(join(inner, 'below', 'c.bin'), 'c')
  await symlink('a.bin', join(inner, 'link'))
  await symlink(join(inner, 'below', 'c.bin'), join(inner, 'deep'))
  await symlink('../secret', join(inner, 'out'))
  await symlink('..', join(inner, 'up'))
  await symlink('nowhere', join(inner, 'dangling'))
  await symlink('below', join(inner, 'dir'))
})
afterAll(() => rm(outer, { recursive: true, force: true }))

test('files of the folder and below are opened, links to them too', async () => {
  const folder = await nodeFolder(inner)
  for (const [name, text] of [
    ['a.bin', 'a'],
    ['..b', 'b'],
    ['below/c.bin', 'c'],
    ['link', 'a'],
    ['deep', 'c'],
    ['dir/c.bin', 'c'],
    ['./a.bin', 'a'],
  ] as const) {
    await using file = await folder.open(name)
    expect(new TextDecoder().decode(await file.read(0, file.size))).toBe(text)
  }
})

test('nothing leads out', async () => {
  const folder = await nodeFolder(inner)
  for (const name of [
    '../secret',
    '/etc/passwd',
    'below/../../secret',
    'out',
    'up/secret',
    '..',
    '.',
    '',
    'a\0b',
    '../inner2/near',
    'up/inner2/near',
    join(outer, 'secret'),
  ]) {
    const error = await faultOf(folder.open(name))
    expect([name, error.code]).toEqual([name, 'TYPE'])
  }
})

test('a missing file is EOF by its name, a folder TYPE', async () => {
  const folder = await nodeFolder(inner)
  const error = await faultOf(folder.open('shard-2.bin'))
  expect(error.code).toBe('EOF')
  expect(error.detail).toContain('shard-2.bin')
  expect(await faultOf(folder.open('dangling'))).toMatchObject({ code: 'EOF' })
  expect(await faultOf(folder.open('below'))).toMatchObject({ code: 'TYPE' })
})

test('the list has files and links to files inside, sorted', async () => {
  expect(await (await nodeFolder(inner)).list()).toEqual(['..b', 'a.bin', 'deep', 'link'])
})

test('a folder that is none', async () => {
  expect(await faultOf(nodeFolder(join(inner, 'a.bin')))).toMatchObject({ code: 'TYPE' })
  expect(await faultOf(nodeFolder(join(inner, 'none')))).toMatchObject({ code: 'EOF' })
})

test('the list is sorted as texts are compared, not as their bytes', async () => {
  const folder = join(outer, 'wide')
  await mkdir(folder)
  for (const name of ['\uff5e', '\u{1f600}', 'z']) await writeFile(join(folder, name), 'x')
  expect(await (await nodeFolder(folder)).list()).toEqual(['z', '\u{1f600}', '\uff5e'])
})

test('a link whose file goes while the folder is listed is not in the list; of others nothing is asked', async () => {
  const folder = await nodeFolder(inner)
  const asked: unknown[] = []
  await withSystem('stat', () => (...given) => (asked.push(...given), Promise.reject(failed('ENOENT'))), async () => {
    expect(await folder.list()).toEqual(['..b', 'a.bin'])
  })
  expect(asked.sort()).toEqual(['a.bin', join('below', 'c.bin'), 'below'].map((name) => join(folder.path, name)).sort())
})
