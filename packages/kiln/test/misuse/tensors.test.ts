import { expect, test } from 'vitest'
import {
  DirectoryReader, dtypeOf, dtypeOfCode, elementCount, encodeDirectory, payloadLength, readDirectory, scaleCount,
  tensor, verifyDirectory,
} from 'kiln-format'
import { expectedOf, outcomesOf, type Row } from './outcomes.js'

const block = encodeDirectory([tensor('w', 'f32', [2], [1, 2])])
const directory = readDirectory(block)
const plain = { name: 'w', dtype: 'f32', shape: [2], data: new Float32Array(2) } as const
const linked = { ...plain, scale: 's', outer: 'o', axis: 0, groupSize: 2 }
const scales = tensor('s', 'f32', [1], [1])
const outer = tensor('o', 'f32', [1], [1])

const ROWS: readonly Row[] = [
  ['readDirectory: bytes', (x) => readDirectory(x), 'TYPE', { EOF: 'bytes' }],
  ['readDirectory: options', (x) => readDirectory(block, x), 'TYPE', { taken: 'undefined object bare array nulls symbols Date Map bytes promise' }],
  ['readDirectory: strict', (x) => readDirectory(block, { strict: x }), 'TYPE', { taken: 'undefined true' }],
  ['a directory: at', (x) => directory.at(x), 'TYPE', { taken: 'zero' }],
  ['a directory: get', (x) => directory.get(x), 'TYPE'],
  ['a directory: has', (x) => directory.has(x), 'taken'],
  ['a tensor: borrow', (x) => directory.at(0).borrow(x), 'TYPE', { taken: 'undefined' }],
  ['a tensor: copy', (x) => directory.at(0).copy(x), 'TYPE', { taken: 'undefined' }],
  ['a tensor: load', (x) => directory.at(0).load(x), 'TYPE'],
  ['DirectoryReader: options', (x) => new DirectoryReader(x), 'TYPE', { taken: 'undefined object bare array nulls symbols Date Map bytes promise' }],
  ['DirectoryReader: bytes', (x) => new DirectoryReader().read(x), 'TYPE', { EOF: 'bytes' }],
  ['verifyDirectory: bytes', (x) => verifyDirectory(x), 'TYPE', { EOF: 'bytes' }],
  ['verifyDirectory: options', (x) => verifyDirectory(block, x), 'TYPE', { taken: 'undefined object bare array nulls symbols Date Map bytes promise' }],
  ['encodeDirectory: tensors', (x) => encodeDirectory(x), 'TYPE', { taken: 'array' }],
  ['encodeDirectory: a tensor', (x) => encodeDirectory([x]), 'TYPE'],
  ['encodeDirectory: options', (x) => encodeDirectory([], x), 'TYPE', { taken: 'undefined object bare array nulls symbols Date Map bytes promise' }],
  ['encodeDirectory: alignment', (x) => encodeDirectory([], { alignment: x }), 'TYPE', { taken: 'undefined' }],
  ['encodeDirectory: checksums', (x) => encodeDirectory([], { checksums: x }), 'TYPE', { taken: 'undefined true' }],
  ['encodeDirectory: name', (x) => encodeDirectory([{ ...plain, name: x }]), 'TYPE', { taken: 'undefined empty text' }],
  ['encodeDirectory: dtype', (x) => encodeDirectory([{ ...plain, dtype: x }]), 'TYPE'],
  ['encodeDirectory: shape', (x) => encodeDirectory([{ ...plain, shape: x }]), 'TYPE'],
  ['encodeDirectory: data', (x) => encodeDirectory([{ ...plain, data: x }]), 'TYPE'],
  ['encodeDirectory: scale', (x) => encodeDirectory([{ ...linked, scale: x }, scales, outer]), 'TYPE'],
  ['encodeDirectory: outer', (x) => encodeDirectory([{ ...linked, outer: x }, scales, outer]), 'TYPE', { taken: 'undefined' }],
  ['encodeDirectory: axis', (x) => encodeDirectory([{ ...linked, axis: x }, scales, outer]), 'TYPE', { taken: 'zero' }],
  ['encodeDirectory: groupSize', (x) => encodeDirectory([{ ...linked, groupSize: x }, scales, outer]), 'TYPE'],
  ['tensor: name', (x) => tensor(x, 'f32', [2], [1, 2]), 'TYPE', { taken: 'empty text' }],
  ['tensor: dtype', (x) => tensor('w', x, [2], [1, 2]), 'TYPE'],
  ['tensor: shape', (x) => tensor('w', 'f32', x, [1, 2]), 'TYPE'],
  ['tensor: a dimension', (x) => tensor('w', 'f32', [x], [1, 2]), 'TYPE'],
  ['tensor: data', (x) => tensor('w', 'f32', [2], x), 'TYPE'],
  ['tensor: a number', (x) => tensor('w', 'f32', [1], [x]), 'TYPE', { taken: 'zero negative fraction NaN Infinity unsafe' }],
  ['tensor: a bigint', (x) => tensor('w', 'u64', [1], [x]), 'TYPE', { taken: 'zero bigint' }],
  ['tensor: options', (x) => tensor('w', 'f32', [2], [1, 2], x), 'TYPE', { taken: 'undefined object bare array nulls symbols Date Map bytes promise' }],
  ['dtypeOf', (x) => dtypeOf(x), 'TYPE'],
  ['dtypeOfCode', (x) => dtypeOfCode(x), 'taken'],
  ['elementCount', (x) => elementCount(x), 'TYPE', { taken: 'array bytes' }],
  ['elementCount: a dimension', (x) => elementCount([3, x]), 'TYPE', { taken: 'zero' }],
  ['payloadLength: dtype', (x) => payloadLength(x, [2]), 'TYPE'],
  ['payloadLength: shape', (x) => payloadLength(dtypeOf('f32'), x), 'TYPE', { taken: 'array bytes' }],
  ['payloadLength: a dimension', (x) => payloadLength(dtypeOf('f32'), [3, x]), 'TYPE', { taken: 'zero' }],
  ['scaleCount: shape', (x) => scaleCount(x, 0, 2), 'TYPE', { taken: 'bytes' }],
  ['scaleCount: a dimension', (x) => scaleCount([4, x], 0, 2), 'TYPE', { taken: 'zero' }],
  ['scaleCount: axis', (x) => scaleCount([4], x, 2), 'TYPE', { taken: 'zero' }],
  ['scaleCount: groupSize', (x) => scaleCount([4], 0, x), 'TYPE'],
]

for (const row of ROWS) {
  test(row[0], async () => expect(await outcomesOf(row[1])).toEqual(expectedOf(row)))
}
