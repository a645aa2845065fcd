import { type Case, frozen, frozenRefused } from './case.js'
import { bits, raw, str, u16, u32, u64, u8 } from './hex.js'

const S2 = '(FORMAT §2)'

/** Lists: of fixed-width numbers, of bools, and of everything else. */
export function listCases(): Case[] {
  return [...numbers(), ...keptBits(), ...numberCaps(), ...bools(), ...others(), ...nested()]
}

/** The number types, their width, and three elements as they stand. */
const NUMBERS: readonly (readonly [type: string, width: number, three: string])[] = [
  ['i8', 1, '80ff7f'],
  ['u8', 1, '00ff01'],
  ['i16', 2, '0080ffffff7f'],
  ['u16', 2, '0000ffff0102'],
  ['i32', 4, '00000080ffffffffffffff7f'],
  ['u32', 4, '00000000ffffffff01020304'],
  ['i64', 8, '0000000000000080ffffffffffffffffffffffffffffff7f'],
  ['u64', 8, '0000000000000000ffffffffffffffff0100000000002000'],
  ['f16', 2, '003c00c0007c'],
  ['bf16', 2, '803f00c0807f'],
  ['f32', 4, '0000803f000000c00000807f'],
  ['f64', 8, '000000000000f03f00000000000000c0000000000000f07f'],
]

function numbers(): Case[] {
  return NUMBERS.flatMap(([type, width, three]) => {
    const list = `list<${type}>`
    const one = three.slice(0, 2 * width)
    return [
      frozen(`pod-list-${type}-empty`, `A list without elements is its count ${S2}.`, list, u32(0),
        { count: 0, hex: '' }),
      frozen(`pod-list-${type}-one`, `A list is its count and the bits, nothing between ${S2}.`, list, u32(1) + one,
        { count: 1, hex: one }),
      frozen(`pod-list-${type}-three`, `A list is its count and the bits in order ${S2}.`, list, u32(3) + three,
        { count: 3, hex: three }),
      frozenRefused(`pod-list-${type}-one-short`, `count times ${width} bytes are there, or it is the end ${S2}.`,
        list, u32(3) + three.slice(2), 'EOF'),
      frozenRefused(`pod-list-${type}-trailing`, `A list alone with a byte after it ${S2}.`, list,
        `${u32(3)}${three}00`, 'TRAILING'),
      frozenRefused(`pod-list-${type}-default-cap`, `The default cap of numbers is 2^28; one more ${S2}.`, list,
        u32(2 ** 28 + 1), 'LIMIT'),
      frozenRefused(`pod-list-${type}-default-cap-at`, `2^28 numbers are under the cap, but not there ${S2}.`, list,
        u32(2 ** 28), 'EOF'),
      frozenRefused(
        `pod-list-${type}-count-most`,
        `The greatest count times ${width} is an exact product, in no number of bits too few ${S2}.`,
        list,
        u32(0xffffffff) + three,
        'EOF',
        { numbers: 0xffffffff },
      ),
    ]
  })
}

/** Bits that a trip through a number would change. */
const KEPT: readonly (readonly [type: string, label: string, hex: string])[] = [
  ['f32', 'nans', bits('7fc00001') + bits('7f800001') + bits('ffffffff') + bits('ff800001')],
  ['f32', 'minus-zero', bits('80000000') + bits('00000000')],
  ['f32', 'subnormals', bits('00000001') + bits('807fffff')],
  ['f64', 'nans', bits('7ff8000000000001') + bits('7ff0000000000001') + bits('ffffffffffffffff')],
  ['f64', 'minus-zero', bits('8000000000000000') + bits('0000000000000000')],
  ['f64', 'subnormals', bits('0000000000000001') + bits('800fffffffffffff')],
  ['f16', 'nans', u16(0x7e01) + u16(0x7c01) + u16(0xffff)],
  ['f16', 'minus-zero', u16(0x8000)],
  ['bf16', 'nans', u16(0x7fc1) + u16(0x7f81) + u16(0xffff)],
  ['bf16', 'minus-zero', u16(0x8000)],
  ['u64', 'beyond-doubles', u64(2n ** 53n + 1n) + u64(2n ** 64n - 1n)],
  ['i64', 'beyond-doubles', u64(-(2n ** 53n) - 1n) + u64(-(2n ** 63n))],
]

function keptBits(): Case[] {
  return KEPT.map(([type, label, hex]) => {
    const width = NUMBERS.find(([name]) => name === type)![1]
    const count = hex.length / 2 / width
    return frozen(
      `pod-list-${type}-${label}`,
      `The bits of a list are the bits written, NaN payloads and minus zero too ${S2}.`,
      `list<${type}>`,
      u32(count) + hex,
      { count, hex },
    )
  })
}

function numberCaps(): Case[] {
  const cap = { numbers: 3 }
  return [
    frozenRefused('pod-list-count-word-none', `The count word is there, or it is the end ${S2}.`, 'list<u8>', '',
      'EOF'),
    frozenRefused('pod-list-count-word-short', `The count word is four bytes, not three ${S2}.`, 'list<u8>',
      '000000', 'EOF'),
    frozen('pod-list-numbers-at-cap', `A count equal to the cap is under it ${S2}.`, 'list<u8>',
      raw('03000000 010203'), { count: 3, hex: '010203' }, { caps: cap }),
    frozenRefused('pod-list-numbers-over-cap', `A count over the cap of numbers ${S2}.`, 'list<u8>',
      raw('04000000 01020304'), 'LIMIT', cap),
    frozenRefused('pod-list-numbers-cap-elements', `The cap counts elements, not bytes ${S2}.`, 'list<u64>',
      u32(4) + u64(1) + u64(2) + u64(3) + u64(4), 'LIMIT', cap),
    frozen('pod-list-numbers-cap-not-bytes', `The cap counts elements, not bytes ${S2}.`, 'list<u64>',
      u32(3) + u64(1) + u64(2) + u64(3), { count: 3, hex: u64(1) + u64(2) + u64(3) }, { caps: cap }),
    frozen('pod-list-numbers-other-caps', `A list of numbers has a cap of its own ${S2}.`, 'list<u16>',
      raw('02000000 01000200'), { count: 2, hex: '01000200' }, { caps: { count: 0, string: 0, tensors: 0, body: 0 } }),
    frozen('pod-list-numbers-cap-zero-empty', `An empty list is under any cap ${S2}.`, 'list<f64>', u32(0),
      { count: 0, hex: '' }, { caps: { numbers: 0 } }),
    frozenRefused('pod-list-numbers-cap-before-eof', `The cap is looked at before the bytes available ${S2}.`,
      'list<u8>', raw('04000000 01'), 'LIMIT', cap),
    frozenRefused('pod-list-numbers-product-wraps-32', `2^29 times 8 is 2^32, not 0 ${S2}.`, 'list<f64>',
      u32(2 ** 29), 'EOF', { numbers: 2 ** 32 }),
    frozenRefused('pod-list-numbers-product-wraps-16', `2^31 times 2 is 2^32, not 0 ${S2}.`, 'list<u16>',
      u32(2 ** 31), 'EOF', { numbers: 2 ** 32 }),
    frozenRefused('pod-list-numbers-product-wraps-some', `2^29 + 1 times 8 is not 8 ${S2}.`, 'list<i64>',
      u32(2 ** 29 + 1) + u64(1), 'EOF', { numbers: 2 ** 32 }),
    frozen('pod-list-numbers-cap-not-sum', `The cap is for each list, not for all ${S2}.`, 'list<list<u8>>',
      raw('02000000 03000000 010203 03000000 040506'),
      [{ count: 3, hex: '010203' }, { count: 3, hex: '040506' }], { caps: cap }),
  ]
}

function bools(): Case[] {
  const list = 'list<bool>'
  return [
    frozen('pod-list-bool-empty', `A list of bools without any is its count ${S2}.`, list, u32(0), []),
    frozen('pod-list-bool-some', `A list of bools is a byte each ${S2}.`, list, raw('04000000 01000001'),
      [true, false, false, true]),
    ...[
      ['first', '020001'],
      ['middle', '000201'],
      ['last', '0000ff'],
    ].map(([label, hex]) =>
      frozenRefused(`pod-list-bool-bad-${label}`, `Every byte of a list of bools is 0 or 1 ${S2}.`, list,
        `${u32(3)}${hex}`, 'TYPE'),
    ),
    frozenRefused('pod-list-bool-one-short', `A byte each is there, or it is the end ${S2}.`, list,
      raw('03000000 0001'), 'EOF'),
    frozenRefused('pod-list-bool-eof-before-type', `All bytes are counted before the first is judged ${S2}.`, list,
      raw('03000000 0202'), 'EOF'),
    frozenRefused('pod-list-bool-type-before-trailing', `A wrong bool, before what follows ${S2}.`, list,
      raw('01000000 02 00'), 'TYPE'),
    frozen('pod-list-bool-at-cap', `Bools are stored one by one, so the cap is count ${S2}.`, list,
      raw('03000000 010101'), [true, true, true], { caps: { count: 3, numbers: 0 } }),
    frozenRefused('pod-list-bool-over-cap', `Bools over the cap of count ${S2}.`, list, raw('04000000 01010101'),
      'LIMIT', { count: 3 }),
    frozenRefused('pod-list-bool-cap-before-eof', `The cap, before the bytes available ${S2}.`, list,
      raw('04000000 01'), 'LIMIT', { count: 3 }),
    frozenRefused('pod-list-bool-default-cap', `The default cap of count is 2^24; one more ${S2}.`, list,
      u32(2 ** 24 + 1), 'LIMIT'),
    frozenRefused('pod-list-bool-default-cap-at', `2^24 bools are under the cap, but not there ${S2}.`, list,
      u32(2 ** 24), 'EOF'),
    frozenRefused('pod-list-bool-count-most', `The greatest count ${S2}.`, list, u32(0xffffffff), 'EOF',
      { count: 0xffffffff }),
  ]
}

/** Element, its min_size, an element of exactly that size, and its value. */
const OTHERS: readonly (readonly [type: string, label: string, least: number, hex: string, value: Case['value']])[] = [
  ['string', 'string', 4, str(''), ''],
  ['bytes', 'bytes', 4, u32(0), { hex: '' }],
  ['list<u8>', 'list', 4, u32(0), { count: 0, hex: '' }],
  ['list<bool>', 'list-bool', 4, u32(0), []],
  ['dict<u8,u8>', 'dict', 4, u32(0), []],
  ['option<u64>', 'option', 1, u8(0), null],
  ['struct{a:u8,b:u32,}', 'struct', 5, u8(1) + u32(2), { a: 1, b: 2 }],
  ['struct{a:struct{b:bool,c:i16,},d:option<f64>,e:string,}', 'struct-deep', 8,
    u8(1) + u16(2) + u8(0) + str(''), { a: { b: true, c: 2 }, d: null, e: '' }],
]

function others(): Case[] {
  return OTHERS.flatMap(([type, label, least, hex, value]) => {
    const list = `list<${type}>`
    return [
      frozen(`pod-list-of-${label}-empty`, `An empty list is an empty array ${S2}.`, list, u32(0), []),
      frozen(`pod-list-of-${label}-two`, `Two of the least size, ${least} bytes each, are just there ${S2}.`, list,
        u32(2) + hex + hex, [value!, value!]),
      frozenRefused(
        `pod-list-of-${label}-one-short`,
        `count times min_size, ${least} here, is available before an element is read ${S2}.`,
        list,
        (u32(2) + hex + hex).slice(0, -2),
        'EOF',
      ),
      frozen(`pod-list-of-${label}-at-cap`, `A count equal to the cap is under it ${S2}.`, list, u32(2) + hex + hex,
        [value!, value!], { caps: { count: 2, numbers: 0, string: 0 } }),
      frozenRefused(`pod-list-of-${label}-over-cap`, `A count over the cap, before the bytes available ${S2}.`, list,
        u32(3) + hex, 'LIMIT', { count: 2 }),
      frozenRefused(`pod-list-of-${label}-default-cap`, `The default cap of count is 2^24; one more ${S2}.`, list,
        u32(2 ** 24 + 1), 'LIMIT'),
      frozenRefused(`pod-list-of-${label}-default-cap-at`, `2^24 are under the cap, but not there ${S2}.`, list,
        u32(2 ** 24) + hex, 'EOF'),
      frozenRefused(`pod-list-of-${label}-count-most`, `The greatest count times ${least} is exact ${S2}.`, list,
        u32(0xffffffff) + hex, 'EOF', { count: 0xffffffff }),
    ]
  })
}

function nested(): Case[] {
  return [
    frozen('pod-list-list', `Lists in a list stand one after the other ${S2}.`, 'list<list<u16>>',
      raw('03000000 01000000 0100 00000000 02000000 02000300'),
      [{ count: 1, hex: '0100' }, { count: 0, hex: '' }, { count: 2, hex: '02000300' }]),
    frozen('pod-list-dict', `Dicts in a list ${S2}.`, 'list<dict<u8,string>>',
      u32(2) + u32(1) + u8(7) + str('x') + u32(0), [[[7, 'x']], []]),
    frozen('pod-list-unaligned', `Numbers lie where they come to lie: at byte 7 here ${S2}.`,
      'struct{a:u8,b:u16,c:list<f64>,}', raw('01 0200 01000000') + bits('3ff8000000000000'),
      { a: 1, b: 2, c: { count: 1, hex: bits('3ff8000000000000') } }),
    frozenRefused('pod-list-inner-count', `An inner count is checked against what is left then ${S2}.`,
      'list<list<u16>>', raw('02000000 02000000 01000200 01000000 03'), 'EOF'),
    frozenRefused('pod-list-outer-eof-before-inner-limit',
      `The outer count needs 12 bytes, before the inner cap ${S2}.`,
      'list<list<u8>>', raw('03000000 05000000 010203 0000'), 'EOF', { numbers: 4 }),
    frozenRefused('pod-list-inner-limit', `The inner cap, once the outer count is good ${S2}.`, 'list<list<u8>>',
      raw('02000000 05000000 0102030405 00000000'), 'LIMIT', { numbers: 4 }),
    frozenRefused('pod-list-first-element-first', `The first element at fault decides: wrong, then cut short ${S2}.`,
      'list<list<bool>>', raw('02000000 01000000 02 05000000'), 'TYPE'),
    frozenRefused('pod-list-second-element', `The first element at fault decides: cut short, then wrong ${S2}.`,
      'list<list<bool>>', raw('02000000 06000000 02 01000000'), 'EOF'),
    frozenRefused('pod-list-struct-product-wraps', `2^28 times 16 is 2^32, not 0 ${S2}.`,
      'list<struct{a:u64,b:u64,}>', u32(2 ** 28), 'EOF', { count: 2 ** 32 }),
  ]
}
