import { HEADER, type TensorSpec, at, block, valueOf } from './block.js'
import { type Case, type CaseCaps, type CaseError, frozen, frozenRefused } from './case.js'
import { type Hex, patched, str, u16, u32, u64, u8 } from './hex.js'

const STEP8 = '(FORMAT §4 step 8)'

const A: TensorSpec = { name: 'a', dtype: 'u8', shape: [3], data: '010203' }
const ONE = block([A])
const ONE_VALUE = valueOf([A])
const EMPTY = block([])

/** Directories as fields: wherever a type may stand, and nothing after them but the next field. */
export function fieldCases(): Case[] {
  return [...places(), ...layouts(), ...counts(), ...faults()]
}

function places(): Case[] {
  const note = `The next field starts where the block ends ${STEP8}.`
  return [
    frozen('dir-field-alone', `A directory may be the whole value ${STEP8}.`, 'tensors', ONE, ONE_VALUE),
    frozen('dir-field-alone-empty', `An empty directory may be the whole value ${STEP8}.`, 'tensors', EMPTY, []),
    frozen('dir-field-first', note, 'struct{t:tensors,n:u16,}', ONE + u16(258), { t: ONE_VALUE, n: 258 }),
    frozen('dir-field-middle', `A block begins at any byte, 5 here; its payloads count from there ${STEP8}.`,
      'struct{s:string,t:tensors,n:u16,}', str('x') + ONE + u16(258), { s: 'x', t: ONE_VALUE, n: 258 }),
    frozen('dir-field-last', note, 'struct{s:string,t:tensors,}', str('x') + ONE, { s: 'x', t: ONE_VALUE }),
    frozen('dir-field-two', note, 'struct{a:tensors,b:tensors,}', ONE + EMPTY, { a: ONE_VALUE, b: [] }),
    frozen('dir-field-in-list', note, 'list<tensors>', u32(3) + ONE + EMPTY + ONE, [ONE_VALUE, [], ONE_VALUE]),
    frozen('dir-field-in-dict', note, 'dict<string,tensors>', u32(2) + str('x') + ONE + str('y') + EMPTY,
      [['x', ONE_VALUE], ['y', []]]),
    frozen('dir-field-in-option', note, 'option<tensors>', u8(1) + ONE, ONE_VALUE),
    frozen('dir-field-in-option-none', `A directory that is not there ${STEP8}.`, 'option<tensors>', u8(0), null),
    frozen('dir-field-deep', note, 'struct{a:struct{b:list<option<tensors>>,},c:bool,}',
      u32(2) + u8(1) + ONE + u8(0) + u8(1), { a: { b: [ONE_VALUE, null] }, c: true }),
    frozen('dir-field-model', 'What a model file holds (FORMAT §7).',
      'struct{tensors:tensors,metadata:dict<string,string>,}', ONE + u32(1) + str('k') + str('v'),
      { tensors: ONE_VALUE, metadata: [['k', 'v']] }),
    frozen('dir-field-links', `Indexes count in their own directory ${STEP8}.`, 'list<tensors>',
      u32(2) + block(QUANT) + block(QUANT), [valueOf(QUANT), valueOf(QUANT)]),
  ]
}

const QUANT: readonly TensorSpec[] = [
  { name: 'w', dtype: 'u8', shape: [2], data: '0102', scheme: 1, axis: 0, groupSize: 2, scale: 1 },
  { name: 's', dtype: 'u8', shape: [1], data: '03' },
]

/** Blocks that no writer makes, as fields. */
function layouts(): Case[] {
  const schema = 'struct{t:tensors,n:u16,}'
  const value = { t: ONE_VALUE, n: 258 }
  const options = { canonical: false } as const
  return [
    frozen('dir-field-longer', `total_size says where the next field starts, not the last payload ${STEP8}.`, schema,
      block([A], { tail: 5 }) + u16(258), value, options),
    frozen('dir-field-later-base', `A later payload_base in a field ${STEP8}.`, schema,
      block([A], { base: 512 }) + u16(258), value, options),
    frozen('dir-field-tail-not-zero', `Bytes after the payloads are not read, in a field either ${STEP8}.`, schema,
      `${patched(ONE, HEADER.totalSize, u64(260))}ff${u16(258)}`, value, options),
    frozen('dir-field-stale-checksum', `A checksum is not compared in reading, in a field either ${STEP8}.`, schema,
      block([{ ...A, checksum: 7 }]) + u16(258), { t: valueOf([{ ...A, checksum: 7 }]), n: 258 }, options),
    frozen('dir-field-checksum', `A writer computes the checksum of a field's tensor ${STEP8}.`, schema,
      block([{ ...A, checksum: 0x55bc801d }]) + u16(258),
      { t: valueOf([{ ...A, checksum: 0x55bc801d }]), n: 258 }),
  ]
}

function counts(): Case[] {
  const S2 = '(FORMAT §2)'
  return [
    frozenRefused('dir-list-min-size', `A directory has at least 64 bytes, so two are not in 127 ${S2}.`,
      'list<tensors>', u32(2) + EMPTY + EMPTY.slice(2), 'EOF'),
    frozenRefused('dir-list-min-size-first', `The count needs 128 bytes, before a magic is looked at ${S2}.`,
      'list<tensors>', u32(2) + `00${EMPTY.slice(2)}` + EMPTY.slice(2), 'EOF'),
    frozenRefused('dir-list-magic', `Enough bytes, then the first magic ${S2}.`, 'list<tensors>',
      u32(2) + `00${EMPTY.slice(2)}` + EMPTY, 'FRAME'),
    frozenRefused('dir-list-over-cap', `A list of directories has the cap of count ${S2}.`, 'list<tensors>',
      u32(2) + EMPTY + EMPTY, 'LIMIT', { count: 1 }),
    frozen('dir-list-at-cap', `A list of directories has the cap of count, not that of tensors ${S2}.`, 'list<tensors>',
      u32(2) + EMPTY + EMPTY, [[], []], { caps: { count: 2, tensors: 0 } }),
    frozenRefused('dir-list-count-most', `2^26 directories are at least 2^32 bytes, not 0 ${S2}.`, 'list<tensors>',
      u32(2 ** 26), 'EOF', { count: 2 ** 32 }),
    frozenRefused('dir-dict-min-size', `Key and directory are at least 65 bytes together ${S2}.`, 'dict<u8,tensors>',
      u32(2) + u8(1) + EMPTY + u8(2) + EMPTY.slice(2), 'EOF'),
    frozenRefused('dir-dict-twice-before-magic', `A key that stands twice, before its directory ${S2}.`,
      'dict<u8,tensors>', u32(2) + u8(1) + EMPTY + u8(1) + `00${EMPTY.slice(2)}`, 'TYPE'),
    frozenRefused('dir-field-count-over-cap', 'The cap of tensors is for each directory (FORMAT §4 step 3).',
      'struct{a:tensors,b:tensors,}', EMPTY + ONE, 'LIMIT', { tensors: 0 }),
    frozen('dir-field-count-cap-each', 'The cap of tensors is for each directory, not for all (FORMAT §4 step 3).',
      'struct{a:tensors,b:tensors,}', ONE + ONE, { a: ONE_VALUE, b: ONE_VALUE }, { caps: { tensors: 1 } }),
  ]
}

/** A fault of the block, its code; each is refused as a field as it is alone. */
const FAULTS: readonly (readonly [label: string, hex: Hex, error: CaseError, caps?: CaseCaps])[] = [
  ['magic', patched(ONE, HEADER.magic, '4c'), 'FRAME'],
  ['version', patched(ONE, HEADER.version, u8(1)), 'FRAME'],
  ['tensor-count', ONE, 'LIMIT', { tensors: 0 }],
  ['total-size', patched(ONE, HEADER.totalSize, u64(1000)), 'EOF'],
  ['payload-base', patched(ONE, HEADER.payloadBase, u64(257)), 'FRAME'],
  ['flags', patched(ONE, at(0, 'flags'), u16(2)), 'FRAME'],
  ['dtype', patched(ONE, at(0, 'dtype'), u16(0)), 'TYPE'],
  ['payload-past-total', patched(ONE, at(0, 'byteOffset'), u64(64)), 'EOF'],
  ['name-utf8', patched(ONE, 64 + 128, 'ff'), 'UTF8'],
  ['heap-gap', patched(ONE, 255, '01'), 'FRAME'],
  ['scheme', patched(ONE, at(0, 'scheme'), u8(3)), 'TYPE'],
]

function faults(): Case[] {
  const schema = 'struct{n:u8,t:tensors,s:string,}'
  return [
    ...FAULTS.map(([label, hex, error, caps]) =>
      frozenRefused(`dir-field-bad-${label}`, 'A field is checked as strictly as a block alone (FORMAT §4).', schema,
        u8(1) + hex + str('x'), error, caps),
    ),
    frozenRefused('dir-field-nothing', 'A field without its header (FORMAT §4 step 1).', schema, u8(1), 'EOF'),
    frozenRefused('dir-field-short', 'A field with 63 bytes of header (FORMAT §4 step 1).', schema,
      u8(1) + EMPTY.slice(2), 'EOF'),
    frozenRefused('dir-field-trailing', `Bytes after a directory that is the whole value ${STEP8}.`, 'tensors',
      `${ONE}00`, 'TRAILING'),
    frozenRefused('dir-field-next-short', `After the block the next field is missing ${STEP8}.`, schema, u8(1) + ONE,
      'EOF'),
    frozenRefused('dir-field-next-trailing', `Bytes after the last field ${STEP8}.`, schema,
      `${u8(1)}${ONE}${str('x')}00`, 'TRAILING'),
    frozenRefused('dir-field-before-next', `A fault of the block, before one of the next field ${STEP8}.`,
      'struct{t:tensors,b:bool,}', `${patched(ONE, at(0, 'scheme'), u8(3))}`.concat('02'), 'TYPE'),
    frozenRefused('dir-field-after-previous', `A fault of the field before, first ${STEP8}.`,
      'struct{b:bool,t:tensors,}', `02${patched(ONE, 0, '00')}`, 'TYPE'),
    frozenRefused('dir-field-second', `The second directory is checked as well ${STEP8}.`,
      'struct{a:tensors,b:tensors,}', ONE + patched(ONE, HEADER.version, u8(1)), 'FRAME'),
    frozenRefused('dir-field-total-takes-next', `A block that says it holds the next field leaves none ${STEP8}.`,
      'struct{t:tensors,n:u16,}', patched(EMPTY, HEADER.totalSize, u64(66)) + u16(258), 'EOF'),
  ]
}
