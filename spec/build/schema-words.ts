import type { Case } from './case.js'
import { accepted, refused } from './schema-case.js'

/** Types that are one word each, and where a word may stand: FORMAT §3. */
export function schemaWordCases(): Case[] {
  return [...words(), ...unknown(), ...composites(), ...keys(), ...options()]
}

const WORDS = [
  'bool',
  'i8',
  'u8',
  'i16',
  'u16',
  'i32',
  'u32',
  'i64',
  'u64',
  'f16',
  'bf16',
  'f32',
  'f64',
  'string',
  'bytes',
  'tensors',
] as const

const KEYS = ['string', 'bool', 'i8', 'u8', 'i16', 'u16', 'i32', 'u32', 'i64', 'u64'] as const

function words(): Case[] {
  return WORDS.map((word) => accepted(`schema-word-${word}`, `${word} is a type of one word`, word))
}

/** What looks like a type and is none. */
const UNKNOWN: readonly (readonly [label: string, text: string])[] = [
  ['int', 'int'],
  ['i128', 'i128'],
  ['u4', 'u4'],
  ['e2m1', 'e2m1'],
  ['f8e4m3', 'f8e4m3'],
  ['c64', 'c64'],
  ['map', 'map<u8,u8>'],
  ['upper-case', 'U8'],
  ['upper-case-list', 'List<u8>'],
  ['word-and-more', 'u8x'],
  ['word-cut-short', 'strin'],
  ['number', '8'],
  ['constructor', 'constructor'],
  ['proto', '__proto__'],
  ['to-string', 'toString'],
  ['tensor', 'tensor'],
  ['quoted', '"u8"'],
]

function unknown(): Case[] {
  return [
    ...UNKNOWN.map(([label, text]) =>
      refused(`schema-unknown-${label}`, 'A type word is one of those that there are', text),
    ),
    refused('schema-unknown-empty', 'A schema is not nothing', ''),
    refused('schema-unknown-mark', 'A mark is no type', '{'),
    refused('schema-unknown-inner', 'The type in a list is one that there is', 'list<int>'),
    refused('schema-unknown-none-inner', 'A list is of something', 'list<>'),
    refused('schema-unknown-field', 'The type of a field is one that there is', 'struct{a:int,}'),
    refused('schema-unknown-no-field-type', 'A field has a type', 'struct{a:,}'),
    refused('schema-unknown-value', 'The value of a dict is a type that there is', 'dict<u8,int>'),
    refused('schema-unknown-no-value', 'A dict has a value', 'dict<u8,>'),
    refused('schema-unknown-no-key', 'A dict has a key', 'dict<,u8>'),
  ]
}

function composites(): Case[] {
  return [
    ...WORDS.map((word) => accepted(`schema-list-${word}`, 'A list may be of any type', `list<${word}>`)),
    ...WORDS.map((word) =>
      accepted(`schema-dict-to-${word}`, 'The value of a dict may be any type', `dict<u8,${word}>`),
    ),
    ...WORDS.map((word) =>
      accepted(`schema-option-${word}`, 'What an option holds may be any type but an option', `option<${word}>`),
    ),
    accepted(
      'schema-struct-example',
      "This struct is the ten tokens of the format's example",
      'struct{id:i64,batch:tensors,}',
    ),
    accepted(
      'schema-struct-every-word',
      'Fields may be of any type',
      `struct{${WORDS.map((word) => `${word}:${word},`).join('')}}`,
    ),
    accepted('schema-struct-nested', 'A struct may be in a struct', 'struct{a:struct{b:struct{c:u8,},d:u8,},}'),
    accepted('schema-list-of-lists', 'A list may be of lists', 'list<list<u8>>'),
    accepted('schema-list-of-dicts', 'A list may be of dicts', 'list<dict<string,list<u8>>>'),
    accepted('schema-list-of-structs', 'A list may be of structs', 'list<struct{a:u8,}>'),
    accepted('schema-dict-of-dicts', 'The value of a dict may be a dict', 'dict<string,dict<bool,option<u8>>>'),
    accepted(
      'schema-model-file',
      'The schema of a model file',
      'struct{tensors:tensors,metadata:dict<string,string>,}',
    ),
    refused('schema-list-two', 'A list is of one type', 'list<u8,u8>'),
    refused('schema-list-comma', 'A list has no comma after its type', 'list<u8,>'),
    refused('schema-list-braces', 'A list has angle brackets', 'list{u8}'),
    refused('schema-list-bare', 'A list says of what', 'list'),
    refused('schema-list-open', 'A list is closed', 'list<u8'),
    refused('schema-list-closed-wrong', 'A list is closed by its own mark', 'list<u8}'),
    refused('schema-dict-one', 'A dict has a key and a value', 'dict<u8>'),
    refused('schema-dict-three', 'A dict has one key and one value', 'dict<u8,u8,u8>'),
    refused('schema-dict-comma', 'A dict has no comma after its value', 'dict<u8,u8,>'),
    refused('schema-dict-colon', 'Key and value have a comma between them', 'dict<u8:u8>'),
    refused('schema-dict-bare', 'A dict says of what', 'dict'),
    refused('schema-dict-open', 'A dict is closed', 'dict<u8,u8'),
    refused('schema-dict-key-open', 'A dict that ends after its key', 'dict<u8'),
    refused('schema-option-two', 'An option is of one type', 'option<u8,u8>'),
    refused('schema-option-bare', 'An option says of what', 'option'),
    refused('schema-option-open', 'An option is closed', 'option<u8'),
    refused('schema-word-with-brackets', 'A type of one word takes no brackets', 'u8<u8>'),
    refused('schema-word-with-braces', 'A type of one word takes no braces', 'u8{a:u8,}'),
    refused('schema-tail-word', 'One type, and nothing after it', 'u8 u8'),
    refused('schema-tail-comma', 'One type, and no comma after it', 'u8,'),
    refused('schema-tail-bracket', 'Brackets are closed once', 'list<u8>>'),
    refused('schema-tail-brace', 'Braces are closed once', 'struct{a:u8,}}'),
    refused('schema-tail-type', 'One type, and no second one', 'list<u8>list<u8>'),
  ]
}

function keys(): Case[] {
  const none = ['f16', 'bf16', 'f32', 'f64', 'bytes', 'tensors']
  const composite = ['list<u8>', 'dict<u8,u8>', 'option<u8>', 'struct{a:u8,}']
  return [
    ...KEYS.map((key) => accepted(`schema-key-${key}`, `${key} may be a key`, `dict<${key},string>`)),
    ...none.map((key) => refused(`schema-key-${key}`, `${key} is no key`, `dict<${key},u8>`)),
    ...composite.map((key) =>
      refused(`schema-key-${/^[a-z]+/.exec(key)![0]}`, 'What is put together is no key', `dict<${key},u8>`),
    ),
  ]
}

function options(): Case[] {
  return [
    refused('schema-option-in-option', 'An option is not straight in an option', 'option<option<u8>>'),
    refused(
      'schema-option-in-option-deep',
      'An option is not straight in an option, wherever they stand',
      'struct{a:list<option<option<u8>>>,}',
    ),
    accepted('schema-option-list-option', 'An option may be in a list in an option', 'option<list<option<u8>>>'),
    accepted(
      'schema-option-struct-option',
      'An option may be in a struct in an option',
      'option<struct{a:option<u8>,}>',
    ),
    accepted('schema-option-dict-option', 'An option may be in a dict in an option', 'option<dict<u8,option<u8>>>'),
  ]
}
