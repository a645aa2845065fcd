import { HEADER, type TensorSpec, at, block, directory, directoryRefused } from './block.js'
import type { Case, CaseError } from './case.js'
import { type Hex, patched, size, u32, utf8 } from './hex.js'
import { BAD_UTF8, GOOD_UTF8 } from './utf8-forms.js'

const STEP5 = '(FORMAT §4 step 5)'
const STEP6 = '(FORMAT §4 step 6)'

function byte(name: string): TensorSpec {
  return { name, dtype: 'u8', shape: [1], data: '05' }
}

/** The name heap: FORMAT §4 steps 5 and 6. */
export function nameCases(): Case[] {
  return [...text(), ...unique(), ...places(), ...filled()]
}

function refused(name: string, what: string, hex: Hex, error: CaseError): Case {
  return directoryRefused(name, `${what} ${STEP5}.`, hex, error)
}

/** A tensor whose name is given as bytes of the length of a placeholder. */
function named(bytes: Hex): Hex {
  const hex = block([byte('x'.repeat(size(bytes)))])
  return patched(hex, 64 + 128, bytes)
}

function text(): Case[] {
  const long = 'layers.0.attention.query.weight/'.repeat(10)
  return [
    ...GOOD_UTF8.map(([label, , name]) =>
      directory(`dir-name-${label}`, `A name is UTF-8, kept as it is ${STEP5}.`, [byte(name)]),
    ),
    ...BAD_UTF8.map(([label, bytes, why]) =>
      refused(`dir-name-bad-${label}`, `A name is UTF-8: ${why}`, named(bytes), 'UTF8'),
    ),
    directory('dir-name-long', `A name has no cap but its heap ${STEP5}.`, [byte(long)], { caps: { string: 4 } }),
    directory('dir-name-64', `A heap of 64 bytes needs no padding ${STEP5}.`, [byte('n'.repeat(64))]),
    directory('dir-name-65', `A heap of 65 bytes is padded by 63 ${STEP5}.`, [byte('n'.repeat(65))]),
    directory('dir-name-prototype', `No name is special ${STEP5}.`, [byte('__proto__'), byte('constructor')]),
    refused('dir-name-letter-split', 'Each name is UTF-8 by itself, not only the heap',
      patched(block([byte('x'), byte('y')]), 64 + 256, utf8('\u00e9')), 'UTF8'),
  ]
}

function unique(): Case[] {
  return [
    directory('dir-names-two', `Names stand one after the other, nothing between ${STEP5}.`, [byte('a'), byte('bc')]),
    refused('dir-names-twice', 'A name stands once', block([byte('a'), byte('a')]), 'TYPE'),
    refused('dir-names-twice-apart', 'A name stands once, whatever stands between',
      block([byte('a'), byte('b'), byte(''), byte('a')]), 'TYPE'),
    refused('dir-names-twice-prototype', 'A name such as __proto__ stands once, like any',
      block([byte('__proto__'), byte('__proto__')]), 'TYPE'),
    directory('dir-names-none-twice', `Tensors without a name may be many ${STEP5}.`, [byte(''), byte(''), byte('')]),
    directory('dir-names-some', `Tensors with and without a name ${STEP5}.`,
      [byte(''), byte('a'), byte(''), byte('b')]),
    directory('dir-names-case', `Names are compared by their bytes, not by letters ${STEP5}.`, [byte('w'), byte('W')]),
    directory('dir-names-normal-forms', `Composed and decomposed text are two names ${STEP5}.`,
      [byte('\u00e9'), byte('e\u0301')]),
    directory('dir-names-bom', `With and without U+FEFF are two names ${STEP5}.`, [byte('\ufeffw'), byte('w')]),
    directory('dir-names-nul', `NUL is part of a name ${STEP5}.`, [byte('w'), byte('w\u0000')]),
    directory('dir-names-order', `A writer keeps the order of tensors; it does not sort ${STEP5}.`,
      [byte('z'), byte('a'), byte('m')]),
    directory('dir-names-digits', `Names that look like indexes stay in their order ${STEP5}.`,
      [byte('2'), byte('1'), byte('0')]),
  ]
}

function places(): Case[] {
  const two = block([byte('ab'), byte('cd')])
  const bare = block([byte('ab'), byte(''), byte('cd')])
  const offset = (hex: Hex, index: number, value: number): Hex => patched(hex, at(index, 'nameOffset'), u32(value))
  const length = (hex: Hex, index: number, value: number): Hex => patched(hex, at(index, 'nameLength'), u32(value))
  return [
    refused('dir-name-offset-first', 'The first name begins at 0', offset(two, 0, 1), 'TYPE'),
    refused('dir-name-offset-gap', 'A name begins where the one before it ends, not later', offset(two, 1, 3), 'TYPE'),
    refused('dir-name-offset-overlap', 'A name begins where the one before it ends, not earlier', offset(two, 1, 1),
      'TYPE'),
    refused('dir-name-offset-shared', 'Two tensors do not share a name, not even by its place', offset(two, 1, 0),
      'TYPE'),
    refused('dir-name-offset-most', 'The greatest offset', offset(two, 1, 0xffffffff), 'TYPE'),
    refused('dir-name-offset-unnamed', 'A tensor without a name has the offset where its name would be',
      offset(bare, 1, 0), 'TYPE'),
    refused('dir-name-offset-unnamed-alone', 'A tensor without a name, alone, has offset 0',
      offset(block([byte('')]), 0, 1), 'TYPE'),
    refused('dir-name-length-one-over', 'A name lies inside the heap', length(two, 1, 3), 'EOF'),
    refused('dir-name-length-most', 'A sum of name lengths is exact', length(two, 1, 0xffffffff), 'EOF'),
    refused('dir-name-length-wraps', 'A length that makes the sum wrap to the heap is past it',
      length(two, 1, 0xfffffffe), 'EOF'),
    refused('dir-name-length-first-over', 'The first name lies inside the heap', length(two, 0, 5), 'EOF'),
    refused('dir-name-length-no-heap', 'Without a heap there is no name', length(block([byte('')]), 0, 1), 'EOF'),
    refused('dir-name-eof-before-utf8', 'A name past the heap, before its bytes',
      length(patched(two, 64 + 256 + 2, 'ff'), 1, 3), 'EOF'),
    refused('dir-name-length-takes-next', 'A first name that takes the second leaves it past the heap',
      offset(length(two, 0, 4), 1, 4), 'EOF'),
  ]
}

function filled(): Case[] {
  const two = block([byte('ab'), byte('cd')])
  const sized = (hex: Hex, value: number): Hex => patched(hex, HEADER.heapSize, u32(value))
  const fill = (name: string, what: string, hex: Hex): Case =>
    directoryRefused(name, `${what} ${STEP6}.`, hex, 'FRAME')
  return [
    fill('dir-heap-not-filled', 'The names fill the heap; a byte is left',
      patched(two, at(1, 'nameLength'), u32(1))),
    fill('dir-heap-larger', 'The names fill the heap; one zero more is no padding of it', sized(two, 5)),
    fill('dir-heap-without-names', 'A heap without a name in it', sized(block([byte('')], { base: 256 }), 1)),
    fill('dir-heap-without-tensors', 'A heap without a tensor', sized(block([], { base: 128 }), 1)),
    fill('dir-heap-gap-first', 'The first byte after the heap is 0', patched(two, 64 + 256 + 4, '01')),
    fill('dir-heap-gap-last', 'The last byte before the payloads is 0', patched(two, 383, '01')),
    fill('dir-heap-gap-later-base', 'The bytes up to a later payload_base are 0',
      patched(block([byte('ab')], { base: 512 }), 300, '01')),
    fill('dir-heap-gap-later-base-last', 'The bytes up to a later payload_base are 0, the last too',
      patched(block([byte('ab')], { base: 512 }), 511, '80')),
    fill('dir-heap-gap-empty', 'The bytes between header and payload_base of an empty directory are 0',
      patched(block([], { base: 128 }), 64, '01')),
  ]
}
