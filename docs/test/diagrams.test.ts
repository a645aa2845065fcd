import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { DESCRIPTOR_SIZE } from '../../packages/kiln/src/tensors/descriptor.js'
import * as descriptorFields from '../../packages/kiln/src/tensors/descriptor-fields.js'
import { descriptorRules } from '../../packages/kiln/src/walk/rules.js'
import { diagrams, fieldsOf } from '../diagrams/diagrams.js'
import { root } from './documents.js'

const folder = `${root}docs/format`

if (process.env['UPDATE'] === '1') {
  for (const [name, svg] of Object.entries(diagrams)) writeFileSync(`${folder}/${name}`, svg)
}

test.each(Object.keys(diagrams))('%s is drawn from the tables in the code as they are; UPDATE=1 draws it anew', (name) => {
  expect(readFileSync(`${folder}/${name}`, 'utf8')).toBe(diagrams[name])
})

test('there are no pictures of the format but those', () => {
  expect(readdirSync(folder).filter((name) => name.endsWith('.svg')).sort()).toEqual(Object.keys(diagrams).sort())
})

test('the page shows every picture', () => {
  const page = readFileSync(`${folder}/index.md`, 'utf8')
  for (const name of Object.keys(diagrams)) expect(page).toContain(`(./${name})`)
})

test('fields tile what they are drawn in', () => {
  const fields = fieldsOf(descriptorFields, DESCRIPTOR_SIZE, descriptorRules)
  let end = 0
  for (const { offset, length } of fields) {
    expect(offset).toBe(end)
    end += length
  }
  expect(end).toBe(128)
  expect(fields[0]).toEqual({ offset: 0, length: 64, name: 'shape', type: 'u64[8]' })
})

test('a field that moved is drawn elsewhere', () => {
  const moved = { ...descriptorFields, rank: descriptorFields.scheme, scheme: descriptorFields.rank }
  expect(fieldsOf(moved, DESCRIPTOR_SIZE, descriptorRules)).not.toEqual(fieldsOf(descriptorFields, DESCRIPTOR_SIZE, descriptorRules))
})
