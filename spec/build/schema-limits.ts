import type { Case } from './case.js'
import { accepted, refused } from './schema-case.js'

/** White space, length and depth, and which fault comes first: FORMAT §3 and §2, Caps. */
export function schemaLimitCases(): Case[] {
  return [...white(), ...lengths(), ...depths(), ...order()]
}

const SPREAD = ' struct { id : i64 , tags : dict < string , list < u8 > > , seed : option < u32 > } '
const PACKED = 'struct{id:i64,tags:dict<string,list<u8>>,seed:option<u32>,}'

function white(): Case[] {
  const between = (space: string): string => SPREAD.replaceAll(' ', space)
  const none: readonly (readonly [label: string, space: string])[] = [
    ['vertical-tab', '\u000b'],
    ['form-feed', '\u000c'],
    ['no-break', '\u00a0'],
    ['bom', '\ufeff'],
    ['line-separator', '\u2028'],
    ['next-line', '\u0085'],
    ['nul', '\u0000'],
  ]
  return [
    accepted('schema-white-space', 'A space may stand between any two words and marks', SPREAD, PACKED),
    accepted('schema-white-tab', 'So may a tab', between('\t'), PACKED),
    accepted('schema-white-lf', 'So may a line feed', between('\n'), PACKED),
    accepted('schema-white-cr', 'So may a carriage return', between('\r'), PACKED),
    accepted('schema-white-many', 'So may any number of them', between(' \t\r\n '), PACKED),
    accepted('schema-white-start', 'White space may stand before the schema', '\n\tu8', 'u8'),
    accepted('schema-white-end', 'White space may stand after the schema', 'u8 \r\n', 'u8'),
    accepted(
      'schema-white-before-close',
      'White space may stand after the last comma',
      'struct{a:u8, }',
      'struct{a:u8,}',
    ),
    refused('schema-white-only', 'White space is no schema', ' \n'),
    refused('schema-white-in-word', 'A word has no space in it', 'stri ng'),
    refused('schema-white-in-list', 'A word has no space in it, before its mark either', 'li st<u8>'),
    ...none.map(([label, space]) =>
      refused(
        `schema-white-not-${label}`,
        'White space is space, tab, LF and CR, and nothing else',
        `list<${space}u8>`,
      ),
    ),
    ...none.map(([label, space]) =>
      refused(`schema-white-not-${label}-first`, 'Nothing else stands before a schema either', `${space}u8`),
    ),
  ]
}

const CAP = 65_536

function lengths(): Case[] {
  const padded = (bytes: number): string => 'u8'.padEnd(bytes, ' ')
  return [
    accepted('schema-length-at-cap', 'The text has at most 65,536 bytes, white space included', padded(CAP), 'u8'),
    refused('schema-length-over-cap', 'The text has not 65,537 bytes, were they spaces', padded(CAP + 1), 'LIMIT'),
    refused(
      'schema-length-before-fault',
      'The length is checked before anything in the text',
      '?'.repeat(CAP + 1),
      'LIMIT',
    ),
    refused('schema-length-fault-at-cap', 'A text of 65,536 bytes is looked at', '?'.repeat(CAP)),
    refused(
      'schema-length-bytes',
      'The length is in bytes of UTF-8, two for this letter',
      '\u00e9'.repeat(CAP / 2 + 1),
      'LIMIT',
    ),
    refused(
      'schema-length-bytes-at-cap',
      'The length is in bytes of UTF-8, and 65,536 are looked at',
      '\u00e9'.repeat(CAP / 2),
    ),
    refused(
      'schema-length-bytes-of-four',
      'A character beyond FFFF is four bytes',
      '\u{1f600}'.repeat(CAP / 4) + 'u',
      'LIMIT',
    ),
  ]
}

const nest = (levels: number, open: string, core: string, close: string): string =>
  open.repeat(levels) + core + close.repeat(levels)

const COMPOSITES: readonly (readonly [label: string, open: string, close: string])[] = [
  ['list', 'list<', '>'],
  ['dict', 'dict<u8,', '>'],
  ['struct', 'struct{a:', ',}'],
  ['option', 'list<option<', '>>'],
]

function depths(): Case[] {
  return [
    ...COMPOSITES.slice(0, 3).flatMap(([label, open, close]) => [
      accepted(`schema-depth-64-${label}`, `64 levels of ${label} are the most`, nest(64, open, 'u8', close)),
      refused(
        `schema-depth-65-${label}`,
        `65 levels of ${label} are one too many`,
        nest(65, open, 'u8', close),
        'LIMIT',
      ),
    ]),
    accepted('schema-depth-64-option', 'An option is a level', nest(32, 'list<option<', 'u8', '>>')),
    refused(
      'schema-depth-65-option',
      'An option is a level, the 65th here',
      nest(32, 'option<list<', 'option<u8>', '>>'),
      'LIMIT',
    ),
    accepted('schema-depth-word', 'A type of one word is no level', nest(64, 'list<', 'tensors', '>')),
    accepted(
      'schema-depth-beside',
      'Levels are counted downwards, not side by side',
      `struct{${Array.from({ length: 70 }, (_, i) => `a${i}:list<u8>,`).join('')}}`,
    ),
  ]
}

/** Faults are found from left to right, and at a type word in one order. */
function order(): Case[] {
  const in64 = (core: string): string => `${'list<'.repeat(64)}${core}`
  return [
    refused(
      'schema-order-depth-before-rest',
      'The 65th level, before what is missing after it',
      in64('list<'),
      'LIMIT',
    ),
    refused(
      'schema-order-depth-before-inner',
      'The 65th level, before the unknown type in it',
      in64('list<int>'),
      'LIMIT',
    ),
    refused(
      'schema-order-depth-struct',
      'The 65th level, before the struct without fields that it is',
      in64('struct{}'),
      'LIMIT',
    ),
    refused(
      'schema-order-unknown-before-depth',
      'An unknown word at the 65th level is unknown first',
      in64('lisst<u8>'),
    ),
    refused(
      'schema-order-mark-before-depth',
      'A word without its mark at the 65th level lacks the mark first',
      in64('list>'),
    ),
    refused('schema-order-brace-before-depth', 'A struct with the wrong mark at the 65th level', in64('struct<a:u8,>')),
    refused(
      'schema-order-end-before-depth',
      'A word that ends the text at the 65th level lacks its mark first',
      in64('dict'),
    ),
    refused(
      'schema-order-option-before-depth',
      'An option in an option at the 65th level is not allowed first',
      `${'list<'.repeat(63)}option<option<u8>`,
    ),
    refused(
      'schema-order-key-before-depth',
      'A key that is put together, at the 65th level, is no key first',
      `${'list<'.repeat(63)}dict<list<u8>,u8>`,
    ),
    refused(
      'schema-order-left-schema',
      'A fault further left comes first: a bad field, then 65 levels',
      `struct{a:int,b:${nest(64, 'list<', 'u8', '>')},}`,
    ),
    refused(
      'schema-order-left-limit',
      'A fault further left comes first: 65 levels, then a bad field',
      `struct{b:${nest(64, 'list<', 'u8', '>')},a:int,}`,
      'LIMIT',
    ),
    refused(
      'schema-order-twice-before-depth',
      'A name that stands twice comes before its type of 65 levels',
      `struct{a:u8,a:${nest(64, 'list<', 'u8', '>')},}`,
    ),
    refused(
      'schema-order-colon-before-depth',
      'A missing colon comes before 65 levels',
      `struct{a ${nest(64, 'list<', 'u8', '>')},}`,
    ),
    refused(
      'schema-order-depth-before-tail',
      '65 levels come before text after the schema',
      `${nest(65, 'list<', 'u8', '>')}u8`,
      'LIMIT',
    ),
    refused('schema-order-key-word', 'A key is judged before what follows it', 'dict<f32'),
  ]
}
