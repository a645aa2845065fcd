import { readFileSync, writeFileSync } from 'node:fs'
import { dtypes } from 'kiln-format'
import type { Dtype } from 'kiln-format'
import { expect, test } from 'vitest'
import { ggmlOfDtype, swappedFields } from '../../packages/convert/src/gguf/tensor-types.js'
import { TYPES_KEY } from '../../packages/convert/src/gguf/metadata.js'
import { SPLIT_KEYS } from '../../packages/convert/src/gguf/split.js'
import { descrOfDtype } from '../../packages/convert/src/npy/descr.js'
import { dataType } from '../../packages/convert/src/onnx/data-types.js'
import { ONNX_PREFIX } from '../../packages/convert/src/onnx/metadata.js'
import { safetensorsDtype } from '../../packages/convert/src/safetensors/dtypes.js'
import { INDEX_METADATA } from '../../packages/convert/src/safetensors/index-metadata.js'
import { kilnDtype } from '../../packages/convert/src/tfjs/dtypes.js'
import { TFJS_PREFIX, TFJS_QUANTIZATION } from '../../packages/convert/src/tfjs/open.js'
import { root } from './documents.js'

const path = `${root}docs/formats.md`
const TFJS = ['float32', 'float16', 'int32', 'uint16', 'uint8', 'bool', 'complex64']

const code = (text: string | number | undefined): string =>
  text === undefined ? '–' : `\`${String(text).replaceAll('|', '\\|')}\``
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

function onnxName(dtype: Dtype): string | undefined {
  for (let number = 1; number < 100; number++) {
    const type = dataType(number)
    if (type?.dtype === dtype.name) return type.name
  }
  return undefined
}

// What the page has to say, out of the tables that the converters work by.
const TABLES: Readonly<Record<string, string>> = {
  dtypes: table(
    ['Kiln', 'bits', 'safetensors', 'GGUF type', 'NPY, NPZ', 'ONNX', 'TensorFlow.js'],
    dtypes
      .filter(({ foreign }) => !foreign)
      .map((dtype) => [
        code(dtype.name),
        String(dtype.blockBits),
        code(safetensorsDtype(dtype.name)?.name),
        code(ggmlOfDtype(dtype.name)),
        code(descrOfDtype(dtype.name)),
        code(onnxName(dtype)),
        code(TFJS.find((name) => kilnDtype(name) === dtype.name)),
      ]),
  ),
  blocks: table(
    ['Kiln', 'GGUF type', 'elements a block', 'bytes a block', 'in big-endian files'],
    dtypes
      .filter(({ foreign }) => foreign)
      .map(({ name, blockElements, blockBits }) => [
        code(name),
        code(ggmlOfDtype(name)),
        String(blockElements),
        String(blockBits / 8),
        swappedFields.has(name) ? 'read' : 'refused',
      ]),
  ),
}

test('the tables of docs/formats.md are those of the converters; UPDATE=1 writes them anew', () => {
  let page = readFileSync(path, 'utf8')
  for (const [name, rows] of Object.entries(TABLES)) {
    const place = new RegExp(`(<!-- ${name} -->\n)([^]*?)(<!-- end -->)`)
    expect(page).toMatch(place)
    page = page.replace(place, (_all, before: string, _rows, after: string) => `${before}\n${rows}\n\n${after}`)
  }
  if (process.env['UPDATE'] === '1') writeFileSync(path, page)
  expect(readFileSync(path, 'utf8')).toBe(page)
})

test('the dtypes of TensorFlow.js that the page lists are all that there are', () => {
  const known = ['float32', 'float16', 'int32', 'uint16', 'uint8', 'bool', 'complex64', 'string', 'int8', 'float64', 'uint32', 'int64']
  expect(known.filter((name) => kilnDtype(name) !== undefined)).toEqual(TFJS)
})

test.each([
  TYPES_KEY,
  ...SPLIT_KEYS,
  INDEX_METADATA,
  `${ONNX_PREFIX}ir_version`,
  `${ONNX_PREFIX}opset_import`,
  TFJS_PREFIX,
  TFJS_QUANTIZATION,
])('the page names the metadata key %s', (key) => {
  expect(readFileSync(path, 'utf8')).toContain(`\`${key}\``)
})
