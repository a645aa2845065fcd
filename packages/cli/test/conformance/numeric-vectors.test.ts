import { expect, test } from 'vitest'
import { isNumericVector, runNumericVector } from '../../src/conformance/numeric-vectors.js'
import { vectorFile } from '../../../kiln/test/numeric/shared-vectors.js'

const FILES = { 'numeric-widen': 47, 'numeric-narrow': 97, 'numeric-dequantize': 299, 'numeric-ggml': 115 }

for (const [name, lines] of Object.entries(FILES)) {
  const file = vectorFile(name)
  const title = `every line of ${name} passes${file.missing === undefined ? '' : `: ${file.missing}`}`
  test.skipIf(file.missing !== undefined)(title, () => {
    expect(file.lines).toHaveLength(lines)
    file.lines.forEach((line, i) => {
      expect(isNumericVector(line)).toBe(true)
      expect(runNumericVector(line), `line ${i + 1}`).toEqual({ passed: true })
    })
  })
}

const widenLine = { op: 'widen', dtype: 'f8e4m3', codes: [56, 127], f32: ['3f800000', 'nan'] }
const narrowLine = {
  op: 'narrow', dtype: 'bf16', from: 'f64', bits: ['3ff0000000000000'], mode: 'saturate', codes: [16256],
}
const dequantizeLine = {
  op: 'dequantize', dtype: 'e2m1', shape: [2], data: '24', axis: 0, group_size: 2,
  scale_dtype: 'e8m0', scale_shape: [1], scale_data: '80', outer: null, f32: ['40800000', '40000000'],
}
const ggmlLine = { op: 'ggml', dtype: 'ggml_q8_0', data: `003c${'01'.repeat(32)}`, f32: Array(32).fill('3f800000') }

test('lines without op are known by their keys', () => {
  for (const line of [widenLine, narrowLine, dequantizeLine, ggmlLine]) {
    const { op: _op, ...rest } = line
    expect(isNumericVector(rest)).toBe(true)
    expect(runNumericVector({ ...rest, note: 'passed over' })).toEqual({ passed: true })
  }
})

test('what is no numeric vector is told', () => {
  const others = [null, 1, 'widen', [], {}, { op: 'widen' }, { ...widenLine, op: 'decode' }, { schema: 'i32' }]
  for (const line of others) {
    expect(isNumericVector(line)).toBe(false)
    expect(runNumericVector(line)).toMatchObject({ passed: false, expected: 'a numeric vector' })
  }
})

test('the first difference is reported', () => {
  expect(runNumericVector({ ...widenLine, f32: ['3f800001', 'nan'] })).toEqual({
    passed: false, expected: 'f32[0] 3f800001', came: '3f800000',
  })
  expect(runNumericVector({ ...widenLine, f32: ['3f800000'] })).toEqual({
    passed: false, expected: '1 of f32', came: '2',
  })
  expect(runNumericVector({ ...narrowLine, codes: [16257] })).toEqual({
    passed: false, expected: 'codes[0] 16257', came: '16256',
  })
  expect(runNumericVector({ ...dequantizeLine, outer: '40000000' })).toEqual({
    passed: false, expected: 'f32[0] 40800000', came: '41000000',
  })
  // The sign of zero counts.
  expect(runNumericVector({ ...widenLine, codes: [128], f32: ['00000000'] })).toEqual({
    passed: false, expected: 'f32[0] 00000000', came: '80000000',
  })
})

test('a line that is broken fails with the reason, and nothing is thrown', () => {
  const broken: [object, RegExp][] = [
    [{ ...widenLine, dtype: 'f9' }, /"f9" is no dtype/],
    [{ ...widenLine, dtype: 7 }, /TYPE at dtype: this has to be a dtype's name/],
    [{ ...widenLine, codes: [-1] }, /TYPE at codes: this has to be integers from 0 on/],
    [{ ...widenLine, codes: {} }, /TYPE at codes: this has to be an array/],
    [{ ...narrowLine, mode: 'round' }, /TYPE at mode/],
    [{ ...narrowLine, from: 'f16' }, /TYPE at from/],
    [{ ...narrowLine, bits: ['3ff'] }, /TYPE at bits: this has to be 16 hex digits each/],
    [{ ...narrowLine, dtype: 'e2m1', bits: ['7ff8000000000000'] }, /e2m1 has no NaN/],
    [{ ...dequantizeLine, data: '2' }, /TYPE at data: this has to be bytes in hex/],
    [{ ...dequantizeLine, outer: 1 }, /TYPE at outer/],
    [{ ...dequantizeLine, axis: 1 }, /TYPE at axis/],
    [{ ...dequantizeLine, scale_data: '8080' }, /the payload has 2 bytes/],
    [{ ...ggmlLine, data: '00' }, /the payload has 1 bytes/],
    [{ ...ggmlLine, dtype: 'ggml_q8_1' }, /ggml_q8_1 can't be dequantized/],
  ]
  for (const [line, message] of broken) {
    expect(runNumericVector(line)).toEqual({
      passed: false, expected: expect.stringContaining('a result of '), came: expect.stringMatching(message),
    })
  }
})
