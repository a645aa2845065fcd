import { type Case, frozen, frozenRefused } from './case.js'
import { bits, raw, str, u16, u32, u64, u8 } from './hex.js'

const S2 = '(FORMAT §2)'

/** Options, structs, and values as deep as a schema goes. */
export function structCases(): Case[] {
  return [...options(), ...structs(), ...names(), ...depth(), ...whole()]
}

/** What is in the option, its bytes, its value: many look like nothing. */
const SOME: readonly (readonly [type: string, label: string, hex: string, value: NonNullable<Case['value']>])[] = [
  ['bool', 'false', '00', false],
  ['u8', 'zero', '00', 0],
  ['u64', 'zero-64', u64(0), '0'],
  ['string', 'empty-text', str(''), ''],
  ['bytes', 'empty-bytes', u32(0), { hex: '' }],
  ['list<u8>', 'empty-list', u32(0), { count: 0, hex: '' }],
  ['list<string>', 'empty-list-of-text', u32(0), []],
  ['dict<u8,u8>', 'empty-dict', u32(0), []],
  ['f64', 'minus-zero', bits('8000000000000000'), { bits: '8000000000000000' }],
  ['f16', 'half', u16(0x3c00), 0x3c00],
  ['struct{a:option<u8>,}', 'struct-of-nothing', '00', { a: null }],
]

function options(): Case[] {
  return [
    ...SOME.flatMap(([type, label, hex, value]) => [
      frozen(`pod-option-none-${label}`, `The tag 0 is nothing, and no byte follows ${S2}.`, `option<${type}>`, '00',
        null),
      frozen(`pod-option-some-${label}`, `The tag 1 and a value, which is there even where it looks empty ${S2}.`,
        `option<${type}>`, `01${hex}`, value),
      frozenRefused(`pod-option-none-trailing-${label}`, `After the tag 0 comes nothing ${S2}.`, `option<${type}>`,
        `00${hex}`, 'TRAILING'),
      frozenRefused(`pod-option-some-short-${label}`, `After the tag 1 comes a value ${S2}.`, `option<${type}>`, '01',
        'EOF'),
    ]),
    frozen('pod-option-some-nan', `A NaN is there ${S2}.`, 'option<f64>', `01${bits('7ff8000000000000')}`,
      { bits: '7ff8000000000000' }, { canonical: false }),
    frozenRefused('pod-option-nothing', `The tag is there, or it is the end ${S2}.`, 'option<u8>', '', 'EOF'),
    ...[0x02, 0x80, 0xff].map((tag) =>
      frozenRefused(`pod-option-tag-${u8(tag)}`, `A tag is 0 or 1 ${S2}.`, 'option<u8>', `${u8(tag)}05`, 'TYPE'),
    ),
    frozenRefused('pod-option-tag-before-eof', `The tag is judged before the value that is not there ${S2}.`,
      'option<u64>', '02', 'TYPE'),
    frozenRefused('pod-option-tag-before-trailing', `The tag, before what follows ${S2}.`, 'option<u8>', '020000',
      'TYPE'),
    frozen('pod-option-list-option', `An option in a list in an option ${S2}.`, 'option<list<option<u8>>>',
      raw('01 03000000 00 0105 0100'), [null, 5, 0]),
  ]
}

function structs(): Case[] {
  const schema = 'struct{id:i64,name:string,ok:bool,tags:list<string>,}'
  const body = u64(-7) + str('oven') + u8(1) + u32(1) + str('hot')
  const pair = 'struct{a:bool,b:string,}'
  return [
    frozen('pod-struct', `A struct is its fields in order, nothing between ${S2}.`, schema, body,
      { id: '-7', name: 'oven', ok: true, tags: ['hot'] }),
    frozenRefused('pod-struct-short', `The last field is not all there ${S2}.`, schema, body.slice(0, -2), 'EOF'),
    frozenRefused('pod-struct-nothing', `A struct has at least one field ${S2}.`, 'struct{a:u8,}', '', 'EOF'),
    frozenRefused('pod-struct-trailing', `A struct alone with a byte after it ${S2}.`, schema, `${body}00`, 'TRAILING'),
    frozen('pod-struct-order', `The order is the schema's, not that of the names ${S2}.`, 'struct{b:u8,a:u8,}', '0102',
      { b: 1, a: 2 }),
    frozen('pod-struct-nested', `A struct in a struct adds no byte ${S2}.`, 'struct{a:struct{b:u8,c:u16,},d:u8,}',
      raw('01 0200 03'), { a: { b: 1, c: 2 }, d: 3 }),
    frozenRefused('pod-struct-first-fault-type', `The first field at fault decides: a bool, then a string ${S2}.`,
      pair, raw('02 ffffffff'), 'TYPE'),
    frozenRefused('pod-struct-second-fault', `A good field, then the string's cap ${S2}.`, pair, raw('01 ffffffff'),
      'LIMIT'),
    frozenRefused('pod-struct-first-fault-utf8', `The first field at fault decides: a string, then a bool ${S2}.`,
      'struct{a:string,b:bool,}', raw('01000000 ff 02'), 'UTF8'),
    frozenRefused('pod-struct-type-before-trailing', `A field at fault, before what follows ${S2}.`, pair,
      raw('02 00000000 00'), 'TYPE'),
    frozenRefused('pod-struct-type-before-eof', `Fields are read in order; nobody counts them first ${S2}.`,
      'struct{a:bool,b:u64,}', '02', 'TYPE'),
    frozen('pod-struct-every-type', `Every type but tensors ${S2}.`,
      'struct{a:bool,b:i8,c:u8,d:i16,e:u16,f:i32,g:u32,h:i64,i:u64,j:f16,k:bf16,l:f32,m:f64,n:string,o:bytes,' +
        'p:list<i16>,q:dict<bool,u8>,r:option<u8>,s:struct{t:u8,},}',
      raw('01 ff fe feff feff feffffff feffffff') + u64(-2) + u64(2) + u16(0x3c00) + u16(0x3f80) + bits('3fc00000') +
        bits('3ff8000000000000') + str('n') + raw('02000000 0102 01000000 0300 01000000 0105 0106 07'),
      {
        a: true,
        b: -1,
        c: 254,
        d: -2,
        e: 65534,
        f: -2,
        g: 4294967294,
        h: '-2',
        i: '2',
        j: 0x3c00,
        k: 0x3f80,
        l: { bits: '3fc00000' },
        m: { bits: '3ff8000000000000' },
        n: 'n',
        o: { hex: '0102' },
        p: { count: 1, hex: '0300' },
        q: [[true, 5]],
        r: 6,
        s: { t: 7 },
      }),
  ]
}

/** Names that an object of a host language may have already. */
function names(): Case[] {
  const schema = 'struct{constructor:u8,toString:u8,hasOwnProperty:u8,valueOf:u8,length:u8,name:u8,then:u8,}'
  return [
    frozen('pod-struct-host-names', `Names that objects have already are names like any ${S2}.`, schema,
      '01020304050607',
      { constructor: 1, toString: 2, hasOwnProperty: 3, valueOf: 4, length: 5, name: 6, then: 7 }),
    frozen('pod-struct-digit-names', `Names that look like indexes do not change the order of the bytes ${S2}.`,
      'struct{b:u8,1:u16,0:u8,}', '01020003', { b: 1, 1: 2, 0: 3 }),
    frozen('pod-struct-marked-names', `Names hold any printable ASCII but the six marks ${S2}.`,
      'struct{a.b:u8,[0]:u8,"q":u8,\\:u8,\':u8,`$(x)`:u8,-:u8,list:u8,}',
      '0102030405060708',
      { 'a.b': 1, '[0]': 2, '"q"': 3, '\\': 4, "'": 5, '`$(x)`': 6, '-': 7, list: 8 }),
    frozen('pod-struct-same-name-apart', `A name stands once in its own struct only ${S2}.`,
      'struct{a:struct{a:u8,},b:struct{a:u8,},}', '0102', { a: { a: 1 }, b: { a: 2 } }),
  ]
}

/** 64 levels, every one of them there in the value. */
function depth(): Case[] {
  const wrap = (levels: number, open: string, close: string, core: string): string =>
    open.repeat(levels) + core + close.repeat(levels)
  let lists: NonNullable<Case['value']> = { count: 1, hex: '07' }
  for (let i = 0; i < 63; i++) lists = [lists]
  let structs: NonNullable<Case['value']> = 7
  for (let i = 0; i < 64; i++) structs = { a: structs }
  const pairs = (levels: number): NonNullable<Case['value']> =>
    levels === 0 ? 7 : [[1, levels === 1 ? 7 : pairs(levels - 1)]]
  return [
    frozen('pod-depth-64-lists', `64 levels of lists are the most there is ${S2}.`, wrap(64, 'list<', '>', 'u8'),
      `${u32(1).repeat(64)}07`, lists),
    frozen('pod-depth-64-structs', `64 levels of structs are the most there is ${S2}.`,
      wrap(64, 'struct{a:', ',}', 'u8'), '07', structs),
    frozen('pod-depth-64-dicts', `64 levels of dicts are the most there is ${S2}.`, wrap(64, 'dict<u8,', '>', 'u8'),
      `${(u32(1) + u8(1)).repeat(64)}07`, pairs(64)),
    frozenRefused('pod-depth-64-inner-eof', `A fault at the innermost of 64 levels ${S2}.`,
      wrap(64, 'list<', '>', 'u8'), u32(1).repeat(64), 'EOF'),
  ]
}

/** What a service or a training run would send. */
function whole(): Case[] {
  const request =
    'struct{id:i64,model:string,temperature:f32,stop:list<string>,tags:dict<string,string>,seed:option<u32>,}'
  const head = u64(42) + str('kiln-1') + bits('3f333333')
  return [
    frozen('pod-request', `Every kind of field in one record ${S2}.`, request,
      head + u32(2) + str('\n') + str('END') + u32(1) + str('user') + str('\u00e9va') + u8(1) + u32(123456789),
      {
        id: '42',
        model: 'kiln-1',
        temperature: { bits: '3f333333' },
        stop: ['\n', 'END'],
        tags: [['user', '\u00e9va']],
        seed: 123456789,
      }),
    frozen('pod-request-empty', `The same record with all that can be empty empty ${S2}.`, request,
      u64(0) + str('') + bits('00000000') + u32(0) + u32(0) + u8(0),
      { id: '0', model: '', temperature: { bits: '00000000' }, stop: [], tags: [], seed: null }),
    frozen('pod-rows', `Rows of a table ${S2}.`, 'list<struct{id:u32,score:f32,vector:list<f16>,}>',
      u32(2) + u32(1) + bits('3f000000') + u32(2) + u16(0x3c00) + u16(0xc000) + u32(2) + bits('bf000000') + u32(0),
      [
        { id: 1, score: { bits: '3f000000' }, vector: { count: 2, hex: '003c00c0' } },
        { id: 2, score: { bits: 'bf000000' }, vector: { count: 0, hex: '' } },
      ]),
  ]
}
