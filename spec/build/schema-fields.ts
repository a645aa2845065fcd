import type { Case } from './case.js'
import { accepted, refused } from './schema-case.js'

/** Fields and their names: FORMAT §3. */
export function schemaFieldCases(): Case[] {
  return [...fields(), ...names(), ...twice(), ...hashes()]
}

function fields(): Case[] {
  return [
    accepted('schema-fields-one', 'A field is a name, a colon, a type and a comma', 'struct{a:u8,}'),
    accepted('schema-fields-order', 'Fields stay in their order, which is part of the schema', 'struct{b:u8,a:u8,}'),
    accepted('schema-fields-other-order', 'The same fields in another order are another schema', 'struct{a:u8,b:u8,}'),
    accepted(
      'schema-fields-no-last-comma',
      'People may leave out the last comma; printing has it',
      'struct{a:u8}',
      'struct{a:u8,}',
    ),
    accepted(
      'schema-fields-no-last-comma-of-two',
      'Only the last comma may be left out',
      'struct{a:u8,b:u8}',
      'struct{a:u8,b:u8,}',
    ),
    accepted(
      'schema-fields-no-last-comma-nested',
      'At each level the last comma may be left out',
      'struct{a:struct{b:u8},c:list<struct{d:u8}>}',
      'struct{a:struct{b:u8,},c:list<struct{d:u8,}>,}',
    ),
    refused('schema-fields-none', 'A struct has a field', 'struct{}'),
    refused('schema-fields-comma-alone', 'A comma is no field', 'struct{,}'),
    refused('schema-fields-comma-first', 'No comma stands before the first field', 'struct{,a:u8,}'),
    refused('schema-fields-comma-twice', 'One comma stands after a field', 'struct{a:u8,,}'),
    refused('schema-fields-comma-missing', 'A comma stands between two fields', 'struct{a:u8 b:u8,}'),
    refused('schema-fields-colon-missing', 'A colon stands after a name', 'struct{a u8,}'),
    refused('schema-fields-colon-twice', 'One colon stands after a name', 'struct{a::u8,}'),
    refused('schema-fields-name-missing', 'A field has a name', 'struct{:u8,}'),
    refused('schema-fields-type-only', 'A field is not a type alone', 'struct{u8,}'),
    refused('schema-fields-open', 'A struct is closed', 'struct{a:u8,'),
    refused('schema-fields-open-after-type', 'A struct is closed, after a last field without comma too', 'struct{a:u8'),
    refused('schema-fields-open-after-name', 'A struct that ends after a name', 'struct{a'),
    refused('schema-fields-open-at-once', 'A struct that ends at its brace', 'struct{'),
    refused('schema-fields-closed-wrong', 'A struct is closed by its own mark', 'struct{a:u8,>'),
    refused('schema-fields-brackets', 'A struct has braces', 'struct<a:u8,>'),
    refused('schema-fields-bare', 'A struct says its fields', 'struct'),
  ]
}

/** Names that look odd and are names. */
const GOOD_NAMES: readonly (readonly [label: string, name: string])[] = [
  ['first-character', '!'],
  ['last-character', '~'],
  ['digit', '0'],
  ['digits', '007'],
  ['type-word', 'u8'],
  ['list', 'list'],
  ['struct', 'struct'],
  ['constructor', 'constructor'],
  ['to-string', 'toString'],
  ['proto-single', '_proto_'],
  ['proto-longer', '__proto__x'],
  ['proto-shorter', '__proto_'],
  ['prototype', 'prototype'],
  ['quotes', '"\'`'],
  ['slashes', '/\\'],
  ['brackets', '[0](1)'],
  ['punctuation', '!"#$%&\'()*+-./;=?@[\\]^_`|~'],
  ['upper-and-lower', 'aA'],
]

const BAD_NAMES: readonly (readonly [label: string, name: string])[] = [
  ['brace-open', 'a{b'],
  ['brace-close', 'a}b'],
  ['less', 'a<b'],
  ['greater', 'a>b'],
  ['colon', 'a:b'],
  ['comma', 'a,b'],
  ['space-inside', 'a b'],
  ['nul', 'a\u0000'],
  ['control', 'a\u001f'],
  ['delete', 'a\u007f'],
  ['c1', 'a\u0080'],
  ['accent', '\u00e9'],
  ['emoji', '\u{1f600}'],
  ['full-width', '\uff41'],
]

function names(): Case[] {
  const longest = 'n'.repeat(255)
  return [
    ...GOOD_NAMES.map(([label, name]) =>
      accepted(`schema-name-${label}`, 'A name is printable ASCII without the six marks', `struct{${name}:u8,}`),
    ),
    ...BAD_NAMES.map(([label, name]) =>
      refused(`schema-name-${label}`, 'A name is printable ASCII without the six marks', `struct{${name}:u8,}`),
    ),
    accepted('schema-name-of-255', 'A name has at most 255 characters', `struct{${longest}:u8,}`),
    refused('schema-name-of-256', 'A name has not 256 characters', `struct{${longest}n:u8,}`),
    refused('schema-name-proto', '__proto__ is no name', 'struct{__proto__:u8,}'),
    refused('schema-name-proto-second', '__proto__ is no name of a later field either', 'struct{a:u8,__proto__:u8,}'),
  ]
}

function twice(): Case[] {
  return [
    refused('schema-twice', 'A name stands once in a struct', 'struct{a:u8,a:u8,}'),
    refused('schema-twice-other-type', 'A name stands once, with another type too', 'struct{a:u8,a:string,}'),
    refused('schema-twice-apart', 'A name stands once, whatever stands between', 'struct{a:u8,b:u8,a:u8,}'),
    refused('schema-twice-inner', 'A name stands once in an inner struct', 'struct{a:struct{b:u8,b:u8,},}'),
    refused(
      'schema-twice-constructor',
      'A name stands once, however it is called',
      'struct{constructor:u8,constructor:u8,}',
    ),
    accepted('schema-twice-case', 'Names are compared by their bytes, not by letters', 'struct{a:u8,A:u8,}'),
    accepted('schema-twice-in-two', 'A name may stand in two structs', 'struct{a:struct{a:u8,},b:struct{a:u8,},}'),
  ]
}

/** What the hash tells apart, and what it does not. */
function hashes(): Case[] {
  return [
    accepted('schema-hash-name-and-type', 'Each token is closed by one more multiplication', 'struct{ab:u8,}'),
    accepted('schema-hash-collision-a', 'Two schemas may hash alike: the first of a pair', 'struct{jGqNUqh7_9B:u8,}'),
    accepted('schema-hash-collision-b', 'Two schemas may hash alike: the second of a pair', 'struct{kXDMO9RWEzE:u8,}'),
    accepted(
      'schema-hash-request',
      'Every kind of type in one hash',
      'struct{id:u64,model:string,temperature:f32,stop:list<string>,tags:dict<string,string>,' +
        'seed:option<u32>,prompt:tensors,}',
    ),
  ]
}
