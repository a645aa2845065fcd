import { type Case, frozen, frozenRefused } from './case.js'
import { raw, str, strOf, u16, u32, u64, u8, utf8 } from './hex.js'
import { BAD_UTF8 } from './utf8-forms.js'

const S2 = '(FORMAT §2)'

/** Dicts: keys of every type, order, keys that stand twice, counts. */
export function dictCases(): Case[] {
  return [...keys(), ...texts(), ...twice(), ...counts()]
}

/** Key type, two keys as they stand, and as values. The first is the greater: nothing sorts. */
const KEYS: readonly (readonly [type: string, a: string, b: string, x: Key, y: Key])[] = [
  ['bool', '01', '00', true, false],
  ['u8', 'ff', '00', 255, 0],
  ['i8', '7f', 'ff', 127, -1],
  ['u16', 'ffff', '0100', 65535, 1],
  ['i16', '0100', '0080', 1, -32768],
  ['u32', 'ffffffff', '00000080', 4294967295, 2147483648],
  ['i32', 'ffffffff', '00000080', -1, -2147483648],
  ['u64', u64(2n ** 53n + 1n), u64(2n ** 53n), '9007199254740993', '9007199254740992'],
  ['i64', u64(-(2n ** 53n)), u64(-(2n ** 53n) - 1n), '-9007199254740992', '-9007199254740993'],
  ['string', str('b'), str('a'), 'b', 'a'],
]
type Key = string | number | boolean

function keys(): Case[] {
  return KEYS.flatMap(([type, a, b, x, y]) => {
    const dict = `dict<${type},u8>`
    const label = `pod-dict-${type}`
    return [
      frozen(`${label}-empty`, `A dict without entries is its count ${S2}.`, dict, u32(0), []),
      frozen(`${label}-one`, `An entry is the key, then the value ${S2}.`, dict, `${u32(1)}${a}09`, [[x, 9]]),
      frozen(`${label}-order`, `Entries stay in the order in which they stand ${S2}.`, dict,
        `${u32(2)}${a}01${b}02`, [[x, 1], [y, 2]]),
      frozenRefused(`${label}-twice`, `A key stands once ${S2}.`, dict, `${u32(2)}${a}01${a}02`, 'TYPE'),
      frozenRefused(`${label}-twice-apart`, `A key stands once, whatever stands between ${S2}.`, dict,
        `${u32(3)}${a}01${b}02${a}01`, 'TYPE'),
      frozenRefused(`${label}-value-short`, `An entry without its value ${S2}.`, dict, `${u32(1)}${a}`, 'EOF'),
      frozenRefused(`${label}-trailing`, `A dict alone with a byte after it ${S2}.`, dict, `${u32(1)}${a}0900`,
        'TRAILING'),
    ]
  })
}

function texts(): Case[] {
  const dict = 'dict<string,u8>'
  const two = (a: string, b: string): string => `${u32(2)}${str(a)}01${str(b)}02`
  return [
    frozen('pod-dict-key-empty', `The empty string is a key like any ${S2}.`, dict, `${u32(1)}${str('')}01`, [['', 1]]),
    frozenRefused('pod-dict-key-empty-twice', `The empty string stands once, too ${S2}.`, dict, two('', ''), 'TYPE'),
    frozen('pod-dict-key-nul', `Keys are compared by all their bytes, NUL too ${S2}.`, dict, two('a', 'a\u0000'),
      [['a', 1], ['a\u0000', 2]]),
    frozen('pod-dict-key-case', `Keys are compared by their bytes, not by letters ${S2}.`, dict, two('k', 'K'),
      [['k', 1], ['K', 2]]),
    frozen('pod-dict-key-normal-forms', `Composed and decomposed text are two keys ${S2}.`, dict,
      two('\u00e9', 'e\u0301'), [['\u00e9', 1], ['e\u0301', 2]]),
    frozen('pod-dict-key-bom', `With and without U+FEFF are two keys ${S2}.`, dict, two('\ufeffk', 'k'),
      [['\ufeffk', 1], ['k', 2]]),
    frozen('pod-dict-key-prototype', `No key is special: __proto__ and its like are kept as they are ${S2}.`, dict,
      `${u32(4)}${str('__proto__')}01${str('constructor')}02${str('hasOwnProperty')}03${str('toString')}04`,
      [['__proto__', 1], ['constructor', 2], ['hasOwnProperty', 3], ['toString', 4]]),
    frozenRefused('pod-dict-key-prototype-twice', `__proto__ stands once, like any key ${S2}.`, dict,
      two('__proto__', '__proto__'), 'TYPE'),
    frozen('pod-dict-key-digits', `Keys that look like indexes stay in their order ${S2}.`, dict,
      `${u32(3)}${str('2')}01${str('b')}02${str('1')}03`, [['2', 1], ['b', 2], ['1', 3]]),
    frozen('pod-dict-key-number-and-text', `Keys such as 1 and 01 are different text ${S2}.`, dict, two('1', '01'),
      [['1', 1], ['01', 2]]),
    ...BAD_UTF8.slice(0, 12).map(([label, hex, why]) =>
      frozenRefused(`pod-dict-key-bad-${label}`, `A key is UTF-8: ${why} ${S2}.`, dict, `${u32(1)}${strOf(hex)}01`,
        'UTF8'),
    ),
    frozenRefused('pod-dict-key-over-cap', `A key is a string, with the cap of strings ${S2}.`, dict,
      `${u32(1)}${str('kilns')}01`, 'LIMIT', { string: 4 }),
    frozenRefused('pod-dict-key-short', `A key that is not all there ${S2}.`, dict,
      `${u32(1)}${u32(9)}${utf8('kiln')}`, 'EOF'),
    frozenRefused('pod-dict-key-bool-bad', `A bool key is 0 or 1 ${S2}.`, 'dict<bool,u8>', raw('01000000 02 01'),
      'TYPE'),
  ]
}

/** A key that stands twice is found before its value is looked at. */
function twice(): Case[] {
  return [
    frozenRefused('pod-dict-twice-before-value-eof', `The key, before its value that is cut short ${S2}.`,
      'dict<u8,string>', `${u32(2)}${u8(1)}${str('')}${u8(1)}${u32(9)}`, 'TYPE'),
    frozenRefused('pod-dict-twice-before-value-limit', `The key, before its value that is over the cap ${S2}.`,
      'dict<u8,string>', `${u32(2)}${u8(1)}${str('')}${u8(1)}${str('kilns')}`, 'TYPE', { string: 4 }),
    frozenRefused('pod-dict-twice-before-value-utf8', `The key, before its value that is not UTF-8 ${S2}.`,
      'dict<string,string>', `${u32(2)}${str('a')}${str('')}${str('a')}${strOf('ff')}`, 'TYPE'),
    frozenRefused('pod-dict-value-before-twice', `A value before it at fault comes first ${S2}.`,
      'dict<u8,string>', `${u32(2)}${u8(1)}${strOf('ff')}${u8(1)}${str('')}`, 'UTF8'),
    frozenRefused('pod-dict-twice-before-trailing', `The key, before what follows the dict ${S2}.`, 'dict<u8,u8>',
      raw('02000000 0101 0102 00'), 'TYPE'),
    frozenRefused('pod-dict-eof-before-twice', `The count needs the bytes of all entries first ${S2}.`,
      'dict<u8,u8>', raw('03000000 0101 0102'), 'EOF'),
    frozenRefused('pod-dict-eof-before-bool', `The count needs the bytes of all entries, before a wrong bool ${S2}.`,
      'dict<bool,bool>', raw('02000000 0202 02'), 'EOF'),
    frozen('pod-dict-values-equal', `Only keys stand once; values may repeat ${S2}.`, 'dict<u8,string>',
      `${u32(2)}${u8(1)}${str('x')}${u8(2)}${str('x')}`, [[1, 'x'], [2, 'x']]),
    frozen('pod-dict-keys-each-dict', `A key stands once in its own dict only ${S2}.`, 'list<dict<u8,u8>>',
      raw('02000000 01000000 0101 01000000 0101'), [[[1, 1]], [[1, 1]]]),
    frozen('pod-dict-in-dict', `A dict as a value ${S2}.`, 'dict<string,dict<u16,option<bool>>>',
      `${u32(2)}${str('a')}${u32(1)}${u16(5)}0101${str('b')}${u32(1)}${u16(5)}00`,
      [['a', [[5, true]]], ['b', [[5, null]]]]),
  ]
}

function counts(): Case[] {
  const cap = { count: 2 }
  return [
    frozenRefused('pod-dict-count-word-none', `The count word is there, or it is the end ${S2}.`, 'dict<u8,u8>', '',
      'EOF'),
    frozenRefused('pod-dict-count-word-short', `The count word is four bytes ${S2}.`, 'dict<u8,u8>', '010000', 'EOF'),
    frozen('pod-dict-at-cap', `A count equal to the cap is under it ${S2}.`, 'dict<u8,u8>', raw('02000000 0101 0202'),
      [[1, 1], [2, 2]], { caps: { count: 2, numbers: 0, string: 0 } }),
    frozenRefused('pod-dict-over-cap', `A dict over the cap of count ${S2}.`, 'dict<u8,u8>',
      raw('03000000 0101 0202 0303'), 'LIMIT', cap),
    frozenRefused('pod-dict-cap-before-eof', `The cap, before the bytes available ${S2}.`, 'dict<u8,u8>',
      raw('03000000 01'), 'LIMIT', cap),
    frozenRefused('pod-dict-default-cap', `The default cap of count is 2^24; one more ${S2}.`, 'dict<u8,u8>',
      u32(2 ** 24 + 1), 'LIMIT'),
    frozenRefused('pod-dict-default-cap-at', `2^24 entries are under the cap, but not there ${S2}.`, 'dict<u8,u8>',
      u32(2 ** 24), 'EOF'),
    frozenRefused('pod-dict-key-and-value', `The least entry is key and value together, 5 bytes here ${S2}.`,
      'dict<u8,string>', raw('02000000 01 00000000 02 000000'), 'EOF'),
    frozen('pod-dict-key-and-value-fit', `Two entries of the least size are just there ${S2}.`, 'dict<u8,string>',
      raw('02000000 01 00000000 02 00000000'), [[1, ''], [2, '']]),
    frozenRefused('pod-dict-count-before-twice', `2 entries of at least 5 bytes are not in 9, before the keys ${S2}.`,
      'dict<u8,string>', raw('02000000 01 00000000 01 000000'), 'EOF'),
    frozenRefused('pod-dict-product-wraps', `2^28 times 16 is 2^32, not 0 ${S2}.`, 'dict<u64,u64>', u32(2 ** 28),
      'EOF', { count: 2 ** 32 }),
    frozenRefused('pod-dict-count-most', `The greatest count ${S2}.`, 'dict<string,bytes>', u32(0xffffffff), 'EOF',
      { count: 0xffffffff }),
  ]
}
