import { folderOf } from 'kiln-convert'
import { expect, test } from 'vitest'
import { hex } from '../support/bytes.js'
import { codeOf } from '../support/fault.js'
import { source } from '../support/source.js'

test('a folder of open sources gives them by name and leaves them open', async () => {
  const a = source(hex('01'), 'a')
  const folder = folderOf([['a', a], ['sub/b', source(hex('02'), 'b')]])
  const opened = await folder.open('./a')
  expect([...(await opened.read(0, 1))]).toEqual([1])
  await opened.close?.()
  expect(a.closed).toBe(0)
  expect((await folder.open('sub/b')).size).toBe(1)
  expect(await folder.list?.()).toEqual(['a'])
})

test('a name that leads out is TYPE, one that is not there EOF', async () => {
  const folder = folderOf(new Map([['../a', source(hex('01'))]]))
  expect(await codeOf(folder.open('../a'))).toBe('TYPE')
  expect(await codeOf(folder.open('__proto__'))).toBe('EOF')
})
