import { type TensorSpec, at, block, directory, directoryRefused } from './block.js'
import type { Case } from './case.js'
import { type DtypeRow, GGML_ROWS, PLAIN_ROWS } from './dtype-rows.js'
import { type Hex, bits, patched, u64, u8 } from './hex.js'

/** Dtypes, and the bytes that they need: FORMAT §4, Dtypes and Foreign blocks. */
export function dtypeCases(): Case[] {
  return [...PLAIN_ROWS.flatMap(plain), ...narrow(), ...kept(), ...GGML_ROWS.flatMap(foreign), ...blocks()]
}

/** Bytes that tell each other apart, the last with every bit set: unused bits are kept as given. */
function pattern(bytes: number): Hex {
  return Array.from({ length: bytes }, (_, i) => u8(i === bytes - 1 ? 0xff : 16 + (i % 200))).join('')
}

/** byte_length one off, and the payload with it, so that nothing else is at fault. */
function oneOff(tensor: TensorSpec, by: 1 | -1): Hex {
  const length = tensor.data.length / 2 + by
  const data = by === 1 ? `${tensor.data}00` : tensor.data.slice(0, -2)
  return patched(block([{ ...tensor, data }]), at(0, 'byteLength'), u64(length))
}

function sizes(label: string, tensor: TensorSpec, rule: string): Case[] {
  return [
    directoryRefused(`dir-dtype-${label}-one-over`, `${rule}, not one more (FORMAT §4 step 5).`, oneOff(tensor, 1),
      'TYPE'),
    directoryRefused(`dir-dtype-${label}-one-under`, `${rule}, not one fewer (FORMAT §4 step 5).`, oneOff(tensor, -1),
      'TYPE'),
  ]
}

function plain([name, , elements, bytes]: DtypeRow): Case[] {
  const tensor = { name: 'w', dtype: name, shape: [elements], data: pattern(bytes) }
  const rule = `${elements} elements of ${name} are ${bytes} bytes`
  return [
    directory(`dir-dtype-${name}`, `${rule} (FORMAT §4 Dtypes).`, [tensor]),
    directory(`dir-dtype-${name}-none`, `No elements of ${name} are no bytes (FORMAT §4 Dtypes).`,
      [{ name: 'w', dtype: name, shape: [0], data: '' }]),
    ...sizes(name, tensor, rule),
  ]
}

/** Dtype, elements, bytes: where an element ends inside a byte. */
const NARROW: readonly (readonly [dtype: string, elements: number, bytes: number])[] = [
  ['u1', 1, 1],
  ['u1', 7, 1],
  ['u1', 8, 1],
  ['u1', 16, 2],
  ['u1', 17, 3],
  ['u2', 1, 1],
  ['u2', 3, 1],
  ['u2', 4, 1],
  ['i2', 6, 2],
  ['u4', 1, 1],
  ['u4', 2, 1],
  ['i4', 5, 3],
  ['e2m1', 1, 1],
  ['e2m1', 2, 1],
  ['e3m2', 1, 1],
  ['e3m2', 2, 2],
  ['e3m2', 4, 3],
  ['e3m2', 5, 4],
  ['e2m3', 1, 1],
  ['e2m3', 3, 3],
  ['e2m3', 4, 3],
  ['e2m3', 8, 6],
]

function narrow(): Case[] {
  return [
    ...NARROW.flatMap(([dtype, elements, bytes]) => {
      const tensor = { dtype, shape: [elements], data: pattern(bytes) }
      const rule = `${elements} of ${dtype} take ${bytes} bytes, and bits left over are kept as given`
      return [
        directory(`dir-narrow-${dtype}-${elements}`, `${rule} (FORMAT §4 Dtypes).`, [tensor]),
        ...sizes(`narrow-${dtype}-${elements}`, tensor, rule),
      ]
    }),
    directory('dir-narrow-matrix',
      'Rows of a narrow dtype follow without padding: 9 elements, 5 bytes (FORMAT §4 Dtypes).',
      [{ dtype: 'u4', shape: [3, 3], data: '2143658709' }]),
    directory('dir-narrow-scalar', 'A narrow tensor of rank 0 is one byte (FORMAT §4 Dtypes).',
      [{ dtype: 'u1', shape: [], data: 'fe' }]),
  ]
}

function kept(): Case[] {
  const kept = (label: string, dtype: string, count: number, data: Hex): Case =>
    directory(`dir-kept-${label}`, 'The bits of a tensor are the bits written (FORMAT §2).',
      [{ dtype, shape: [count], data }])
  return [
    kept('f32-nans', 'f32', 3, bits('7fc00001') + bits('7f800001') + bits('ffffffff')),
    kept('f32-minus-zero', 'f32', 1, bits('80000000')),
    kept('f64-nans', 'f64', 2, bits('7ff0000000000001') + bits('fff8000000000001')),
    kept('f16-nans', 'f16', 2, `${bits('7c01')}${bits('fe01')}`),
    kept('bf16-nans', 'bf16', 2, `${bits('7f81')}${bits('ffff')}`),
    kept('f8-nans', 'f8e4m3', 2, '7fff'),
    kept('f8e4m3fnuz-nan', 'f8e4m3fnuz', 1, '80'),
    kept('e8m0-nan', 'e8m0', 1, 'ff'),
    kept('bool-bytes', 'bool', 4, '000102ff'),
  ]
}

function foreign([name, , elements, bytes]: DtypeRow): Case[] {
  const label = name.replaceAll('_', '-')
  const tensor = { name: 'w', dtype: name, shape: [elements], data: pattern(bytes) }
  const rule = `A block of ${name} is ${elements} elements in ${bytes} bytes`
  return [
    directory(`dir-dtype-${label}`, `${rule}, stored as it came (FORMAT §4 Foreign blocks).`, [tensor]),
    directoryRefused(`dir-dtype-${label}-part`,
      `${rule}; a last dimension of one element fewer is refused (FORMAT §4 step 5).`,
      patched(block([tensor]), at(0, 'shape'), u64(elements - 1)), 'TYPE'),
    ...sizes(label, tensor, rule),
  ]
}

const Q8: TensorSpec = { name: 'w', dtype: 'ggml_q8_0', shape: [32], data: pattern(34) }

function blocks(): Case[] {
  const shape = (label: string, what: string, dims: readonly (number | bigint)[], count: number): Case =>
    directory(`dir-foreign-${label}`, `${what} (FORMAT §4 Foreign blocks).`,
      [{ ...Q8, shape: dims, data: pattern(34).repeat(count) }])
  const refused = (label: string, what: string, hex: Hex): Case =>
    directoryRefused(`dir-foreign-${label}`, `${what} (FORMAT §4 step 5).`, hex, 'TYPE')
  return [
    shape('two-blocks', 'Two blocks in one row', [64], 2),
    shape('rows', 'A block in each of three rows', [3, 32], 3),
    shape('rank-8', 'Blocks run along the last dimension', [1, 1, 1, 1, 1, 1, 2, 32], 2),
    shape('no-blocks', 'A last dimension of 0 is a multiple of any block', [0], 0),
    shape('no-rows', 'No rows of blocks', [0, 32], 0),
    shape('rows-of-nothing', 'Rows of no blocks', [5, 0], 0),
    shape('no-rows-most', 'A 0 makes 0 bytes of blocks, beside the greatest multiple', [2n ** 53n - 1n, 0, 32], 0),
    refused('rank-0', 'A foreign block has a dimension', block([{ ...Q8, shape: [] }])),
    refused('last-dimension', 'The last dimension is the one of blocks, not the product',
      block([{ ...Q8, shape: [32, 1] }])),
    refused('last-dimension-16', 'Two rows of half a block are no block', block([{ ...Q8, shape: [2, 16] }])),
    refused('last-dimension-33', 'A last dimension of a block and one',
      block([{ ...Q8, shape: [33], data: pattern(35) }])),
    refused('last-dimension-no-rows', 'The last dimension is a multiple of the block, even where there are no rows',
      block([{ ...Q8, shape: [0, 31], data: '' }])),
    refused('byte-length-elements', 'byte_length is that of the blocks, not one byte an element',
      block([{ ...Q8, data: pattern(32) }])),
  ]
}
