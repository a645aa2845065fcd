import { NONE, type TensorSpec, at, block, directory, directoryRefused } from './block.js'
import type { Case } from './case.js'
import { type Hex, patched, u16, u32, u8 } from './hex.js'

const S5 = '(FORMAT §5)'

function numbers(dtype: string, bytesEach: number, shape: readonly number[], name: string): TensorSpec {
  const count = shape.reduce((product, size) => product * size, 1)
  return { name, dtype, shape, data: '3c'.repeat(bytesEach * count) }
}

/** A data tensor of scheme 1; its scale is tensor 1. */
function data(shape: readonly number[], axis: number, groupSize: number): TensorSpec {
  return { ...numbers('i8', 1, shape, 'w'), scheme: 1, axis, groupSize, scale: 1 }
}

const SCALE = (shape: readonly number[]): TensorSpec => numbers('f16', 2, shape, 's')
const OUTER = (shape: readonly number[]): TensorSpec => numbers('f32', 4, shape, 'o')

/** Links to scales and to what is over them: FORMAT §5, checked in FORMAT §4 step 7. */
export function linkCases(): Case[] {
  return [...groups(), ...shared(), ...without(), ...scaleFaults(), ...outers(), ...outerFaults(), ...chains()]
}

/** The data's shape, axis and group size, and shapes of the scale that fit. */
const GROUPS: readonly (readonly [
  label: string,
  what: string,
  shape: readonly number[],
  axis: number,
  groupSize: number,
  scale: readonly number[],
])[] = [
  ['axis-0', 'Groups along the first dimension: 2 times 3', [4, 3], 0, 2, [2, 3]],
  ['axis-1', 'Groups along the last dimension: 4 times 2', [4, 6], 1, 3, [4, 2]],
  ['axis-middle', 'Groups along a dimension in the middle: 2 times 2 times 2', [2, 4, 2], 1, 2, [2, 2, 2]],
  ['not-dividing', 'A last group that is not full counts: 3 for 5 by 2', [5], 0, 2, [3]],
  ['not-dividing-matrix', 'A last group that is not full counts in every row', [2, 5], 1, 4, [2, 2]],
  ['size-1', 'Groups of one: a scale for each element', [4], 0, 1, [4]],
  ['size-whole', 'A group as long as the dimension', [4], 0, 4, [1]],
  ['size-larger', 'A group longer than the dimension is one', [4], 0, 5, [1]],
  ['size-most', 'The greatest group size', [4], 0, 0xffffffff, [1]],
  ['scale-flat', 'Only the number of scales counts, not their shape', [4, 6], 1, 3, [8]],
  ['scale-rank-0', 'A scale of rank 0 has one element', [4], 0, 4, []],
  ['scale-rank-8', 'A scale of rank 8', [4], 0, 2, [1, 1, 2, 1, 1, 1, 1, 1]],
  ['rank-8', 'The last of eight dimensions', [1, 1, 1, 1, 1, 1, 1, 4], 7, 2, [2]],
  ['no-elements', 'No elements need no scales', [0], 0, 32, [0]],
  ['no-elements-beside', 'A 0 in another dimension leaves no scales', [0, 4], 1, 2, [0, 7]],
]

function groups(): Case[] {
  return [
    ...GROUPS.map(([label, what, shape, axis, groupSize, scale]) =>
      directory(`dir-group-${label}`, `${what} ${S5}.`, [data(shape, axis, groupSize), SCALE(scale)]),
    ),
    directory('dir-group-exact-product', `The number of scales is exact, of 2^53 - 1 twice and a 0 as well ${S5}.`, [
      { ...data([0], 2, 1), shape: [2n ** 53n - 1n, 2n ** 53n - 1n, 0] },
      { ...SCALE([0]), shape: [0, 2n ** 53n - 1n, 2n ** 53n - 1n] },
    ]),
    ...[
      ['one-fewer', [7]],
      ['one-more', [9]],
      ['none', [0]],
      ['rank-0', []],
      ['twice', [4, 4]],
    ].map(([label, scale]) =>
      directoryRefused(`dir-group-count-${label as string}`, `Four rows of two groups need 8 scales ${S5}.`,
        block([data([4, 6], 1, 3), SCALE(scale as number[])]), 'TYPE'),
    ),
    directoryRefused('dir-group-count-floor', `A last group that is not full counts ${S5}.`,
      block([data([5], 0, 2), SCALE([2])]), 'TYPE'),
    directoryRefused('dir-group-count-other-axis', `The groups run along quant_axis, not along the other ${S5}.`,
      block([data([4, 6], 0, 3), SCALE([4, 2])]), 'TYPE'),
    directoryRefused('dir-group-count-for-nothing', `No elements need no scales, not one ${S5}.`,
      block([data([0], 0, 32), SCALE([1])]), 'TYPE'),
    directoryRefused('dir-group-count-bytes', `Scales are counted by elements, not by bytes ${S5}.`,
      block([data([4], 0, 1), SCALE([2])]), 'TYPE'),
  ]
}

function shared(): Case[] {
  const w = data([4], 0, 2)
  const q8: TensorSpec = { name: 'q', dtype: 'ggml_q8_0', shape: [32], data: '11'.repeat(34) }
  return [
    directory('dir-scale-before-data', `A scale may stand before its data ${S5}.`,
      [SCALE([2]), { ...w, scale: 0 }]),
    directory('dir-scale-shared', `Two tensors may share a scale ${S5}.`, [w, SCALE([2]), { ...w, name: 'v' }]),
    directory('dir-scale-unnamed', `A scale needs no name ${S5}.`, [{ ...w, name: '' }, { ...SCALE([2]), name: '' }]),
    directory('dir-scale-far', `A scale may stand anywhere in the directory ${S5}.`,
      [{ ...w, scale: 3 }, OUTER([2]), OUTER([3]), SCALE([2])].map((t, i) => ({ ...t, name: `t${i}` }))),
    ...['bool', 'u1', 'e8m0', 'f8e4m3', 'i64', 'c64'].map((dtype) => {
      const bytes = { bool: 2, u1: 1, e8m0: 2, f8e4m3: 2, i64: 16, c64: 16 }[dtype]!
      return directory(`dir-scale-of-${dtype}`, `The dtype of a scale is free ${S5}.`,
        [w, { name: 's', dtype, shape: [2], data: '01'.repeat(bytes) }])
    }),
    directory('dir-scale-foreign', `A foreign block may be a scale, for 32 groups here ${S5}.`, [data([32], 0, 1), q8]),
    directory('dir-scale-of-foreign', `A foreign block may have a scale, counted by its elements ${S5}.`,
      [{ ...q8, scheme: 1, axis: 0, groupSize: 32, scale: 1 }, SCALE([1])]),
    directory('dir-scale-of-narrow', `A narrow dtype with an odd count may have a scale ${S5}.`,
      [{ name: 'w', dtype: 'u4', shape: [3], data: '21f3', scheme: 1, axis: 0, groupSize: 2, scale: 1 }, SCALE([2])]),
  ]
}

/** Scheme 0 says nothing else. */
function without(): Case[] {
  const hex = block([SCALE([2]), SCALE([2])].map((t, i) => ({ ...t, name: `t${i}` })))
  const refused = (label: string, what: string, bytes: Hex): Case =>
    directoryRefused(`dir-scheme-0-${label}`, `${what} ${S5}.`, bytes, 'TYPE')
  return [
    refused('group-size', 'Without links group_size is 0', patched(hex, at(0, 'groupSize'), u32(1))),
    refused('axis', 'Without links quant_axis is FFFF', patched(hex, at(0, 'axis'), u16(0))),
    refused('axis-fffe', 'Without links quant_axis is FFFF', patched(hex, at(0, 'axis'), u16(0xfffe))),
    refused('scale', 'Without links scale_index is FFFFFFFF', patched(hex, at(0, 'scale'), u32(1))),
    refused('scale-zero', 'Without links scale_index is not 0', patched(hex, at(1, 'scale'), u32(0))),
    refused('outer', 'Without links outer_index is FFFFFFFF', patched(hex, at(0, 'outer'), u32(1))),
    refused('of-second', 'Every descriptor is checked', patched(hex, at(1, 'groupSize'), u32(1))),
    ...[3, 4, 128, 255].map((scheme) =>
      directoryRefused(`dir-scheme-${scheme}`, `There are the schemes 0, 1 and 2 ${S5}.`,
        patched(hex, at(0, 'scheme'), u8(scheme)), 'TYPE'),
    ),
    directoryRefused('dir-scheme-3-with-links', `There is no scheme 3, with good links either ${S5}.`,
      block([{ ...data([4], 0, 2), scheme: 3 }, SCALE([2])]), 'TYPE'),
  ]
}

function scaleFaults(): Case[] {
  const w = data([4, 4], 1, 4)
  const refused = (label: string, what: string, tensors: readonly TensorSpec[]): Case =>
    directoryRefused(`dir-scale-${label}`, `${what} ${S5}.`, block(tensors), 'TYPE')
  return [
    refused('rank-0-data', 'A quantized tensor has at least one dimension',
      [{ ...w, shape: [], data: '3c' }, SCALE([1])]),
    refused('rank-0-data-axis-none', 'A quantized tensor has at least one dimension, whatever its axis',
      [{ ...w, shape: [], data: '3c', axis: 0xffff }, SCALE([1])]),
    refused('axis-at-rank', 'quant_axis is less than the rank', [{ ...w, axis: 2 }, SCALE([4])]),
    refused('axis-beyond-rank', 'quant_axis is less than the rank, not than 8', [{ ...w, axis: 7 }, SCALE([4])]),
    refused('axis-none', 'quant_axis is less than the rank', [{ ...w, axis: 0xffff }, SCALE([4])]),
    refused('axis-256', 'quant_axis is a u16', [{ ...w, axis: 256 }, SCALE([4])]),
    refused('group-size-0', 'group_size is at least 1', [{ ...w, groupSize: 0 }, SCALE([4])]),
    refused('self', 'A tensor is not its own scale', [{ ...data([1], 0, 1), scale: 0 }, SCALE([1])]),
    refused('index-count', 'scale_index is a tensor of this directory', [{ ...w, scale: 2 }, SCALE([4])]),
    refused('index-none', 'scale_index is a tensor of this directory', [{ ...w, scale: NONE }, SCALE([4])]),
    refused('index-wraps', 'scale_index is a u32', [{ ...w, scale: 0x80000001 }, SCALE([4])]),
    refused('outer-set', 'With scheme 1 outer_index is FFFFFFFF', [{ ...w, outer: 2 }, SCALE([4]), OUTER([1])]),
    refused('outer-zero', 'With scheme 1 outer_index is not 0', [{ ...w, outer: 0 }, SCALE([4])]),
    refused('of-second', 'Every descriptor is checked',
      [w, SCALE([4]), { ...w, name: 'v', groupSize: 3 }]),
  ]
}

/** A data tensor of scheme 2; its scale is tensor 1 and its outer tensor 2. */
const W2: TensorSpec = { ...data([4], 0, 2), scheme: 2, outer: 2 }

function outers(): Case[] {
  return [
    ...[[], [1], [1, 1], [1, 1, 1, 1, 1, 1, 1, 1]].map((shape) =>
      directory(`dir-outer-rank-${shape.length}`, `An outer has one element, of whatever rank ${S5}.`,
        [W2, SCALE([2]), OUTER(shape)]),
    ),
    directory('dir-outer-shared', `Two tensors may share scale and outer ${S5}.`,
      [W2, SCALE([2]), OUTER([1]), { ...W2, name: 'v' }]),
    directory('dir-outer-first', `Scale and outer may stand before the data ${S5}.`,
      [OUTER([1]), SCALE([2]), { ...W2, scale: 1, outer: 0 }]),
    directory('dir-outer-f32-scale', `The scale may be f32 as well ${S5}.`,
      [W2, numbers('f32', 4, [2], 's'), OUTER([1])]),
    directory('dir-outer-is-scale-elsewhere', `An outer may be the scale of another tensor ${S5}.`,
      [W2, SCALE([2]), OUTER([1]), { ...data([2], 0, 2), name: 'v', scale: 2 }]),
  ]
}

function outerFaults(): Case[] {
  const refused = (label: string, what: string, tensors: readonly TensorSpec[]): Case =>
    directoryRefused(`dir-outer-${label}`, `${what} ${S5}.`, block(tensors), 'TYPE')
  const scale = SCALE([2])
  const whole: TensorSpec = { ...numbers('f32', 4, [1], 'w'), scheme: 2, axis: 0, groupSize: 1, scale: 1 }
  return [
    refused('none', 'Scheme 2 has an outer', [{ ...W2, outer: NONE }, scale, OUTER([1])]),
    refused('index-count', 'outer_index is a tensor of this directory', [{ ...W2, outer: 3 }, scale, OUTER([1])]),
    refused('self', 'A tensor is not its own outer', [{ ...whole, outer: 0 }, SCALE([1])]),
    refused('is-scale', 'The outer is not the scale', [{ ...whole, outer: 1 }, numbers('f32', 4, [1], 's')]),
    ...['f16', 'bf16', 'f64', 'u32', 'i32', 'e8m0'].map((dtype) => {
      const bytes = { f16: 2, bf16: 2, f64: 8, u32: 4, i32: 4, e8m0: 1 }[dtype]!
      return refused(`of-${dtype}`, 'The outer is f32', [W2, scale, numbers(dtype, bytes, [1], 'o')])
    }),
    refused('two-elements', 'The outer has one element', [W2, scale, OUTER([2])]),
    refused('no-elements', 'The outer has one element', [W2, scale, OUTER([0])]),
    refused('two-of-rank-2', 'The outer has one element', [W2, scale, OUTER([1, 2])]),
    refused('scale-missing', 'With scheme 2 the scale is checked as with scheme 1',
      [{ ...W2, scale: NONE }, scale, OUTER([1])]),
    refused('scale-count', 'With scheme 2 the scales are counted as with scheme 1', [W2, SCALE([3]), OUTER([1])]),
    refused('scale-self', 'With scheme 2 a tensor is not its own scale', [{ ...W2, scale: 0 }, scale, OUTER([1])]),
    refused('group-size-0', 'With scheme 2 group_size is at least 1', [{ ...W2, groupSize: 0 }, scale, OUTER([1])]),
  ]
}

/** What is linked to has no links. */
function chains(): Case[] {
  const refused = (label: string, what: string, tensors: readonly TensorSpec[]): Case =>
    directoryRefused(`dir-chain-${label}`, `${what} ${S5}.`, block(tensors), 'TYPE')
  const one = (name: string, scale: number): TensorSpec => ({ ...data([1], 0, 1), name, scale })
  return [
    refused('scale', 'A scale has no scale of its own', [one('a', 1), one('b', 2), SCALE([1])]),
    refused('scale-later', 'A scale has no scale of its own, where the good link stands first',
      [one('b', 2), one('a', 0), SCALE([1])]),
    refused('ring', 'Two tensors are not each other\'s scale', [one('a', 1), one('b', 0)]),
    refused('outer', 'An outer has no scale of its own', [
      { ...W2, outer: 2 },
      SCALE([2]),
      { ...OUTER([1]), scheme: 1, axis: 0, groupSize: 1, scale: 3 },
      { ...SCALE([1]), name: 'p' },
    ]),
    refused('scale-of-scheme-2', 'A scale has no scheme 2 either', [
      one('a', 1),
      { ...data([1], 0, 1), name: 'b', scheme: 2, scale: 2, outer: 3 },
      SCALE([1]),
      OUTER([1]),
    ]),
  ]
}
