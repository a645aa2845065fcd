import { parseSchema } from 'kiln-format'
import { expect, test } from 'vitest'
import { schemaChanges } from '../../src/schema/difference.js'
import { temporaryFolder } from '../support/folder.js'
import { kiln, kilnJson } from '../support/in-process.js'
import { writeFileSync } from 'node:fs'

const inFolder = temporaryFolder()
const words = (a: string, b: string): string[] => schemaChanges(parseSchema(a), parseSchema(b)).map(({ text }) => text)

test('schemas that print alike have no changes', () => {
  expect(words('struct{a:u8}', 'struct { a : u8 , }')).toEqual([])
})

test('fields that are new, gone, moved and of another type', () => {
  expect(words('struct{a:u8}', 'struct{a:u8,b:string}')).toEqual(['b (string) is new, after a'])
  expect(words('struct{a:u8}', 'struct{b:string,a:u8}')).toEqual(['b (string) is new, in front'])
  expect(words('struct{a:u8,b:string}', 'struct{b:string}')).toEqual(['a (u8) is gone'])
  expect(words('struct{a:u8,b:u8,c:u8}', 'struct{b:u8,c:u8,a:u8}')).toEqual(['a moved from place 1 to place 3'])
  expect(words('struct{a:u8}', 'struct{a:u16}')).toEqual(['a was u8, is u16'])
})

test('changes are told where they are', () => {
  expect(words('struct{a:list<struct{x:f32,}>}', 'struct{a:list<struct{x:f64,}>}')).toEqual(['a[].x was f32, is f64'])
  expect(words('dict<string,struct{x:u8,}>', 'dict<u32,struct{x:u8,y:u8,}>')).toEqual(['{key} was string, is u32', '{}.y (u8) is new, after x'])
  expect(words('struct{a:u8}', 'struct{a:option<u8>}')).toEqual(['a was u8, is option<u8> (may be missing now)'])
  expect(words('struct{a:option<u8>}', 'struct{a:u8}')).toEqual(['a was option<u8>, is u8 (must be there now)'])
  expect(words('option<u8>', 'option<u16>')).toEqual(['? was u8, is u16'])
  expect(words('u8', 'list<u8>')).toEqual(['the value was u8, is list<u8>'])
})

test('the command takes text, files with text and files of frames', async () => {
  const file = inFolder('schema.txt')
  writeFileSync(file, 'struct {\n  id: i64,\n  batch: tensors\n}\n')
  expect((await kiln(['schema', file])).stdout).toBe('struct{id:i64,batch:tensors,}\n0xe58aadc7552f0d82\n')
  expect(await kilnJson(['schema', '-'], { stdin: 'u8' })).toEqual({ schema: 'u8', hash: '0x4d3ccb193e937808', depth: 0 })
  expect(await kilnJson(['schema', 'diff', file, 'struct{id:u64,batch:tensors}'])).toMatchObject({
    same: false,
    a: { hash: '0xe58aadc7552f0d82' },
    changes: [{ path: 'id', change: 'type', from: 'i64', to: 'u64' }],
  })
  expect(await kiln(['schema', 'strut{a:u8}'])).toMatchObject({ code: 1, stderr: expect.stringMatching(/^kiln: SCHEMA \(byte 0\): /) as string })
  expect(await kiln(['schema', 'nothing'])).toMatchObject({ code: 1, stderr: expect.stringMatching(/^kiln: EOF at nothing: /) as string })
})
