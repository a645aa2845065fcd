import { block } from './block.js'
import type { Case, CaseError } from './case.js'
import { BOOL, COLLIDING_A, COLLIDING_B, FRAME, type Hashed, ID_BATCH, LIST, SCHEMA, U8, frame } from './frame-bytes.js'
import { frameRefused, framed } from './frame-case.js'
import { type Hex, padded64, patched, u32, u64, utf8, zeros } from './hex.js'

const STEP2 = '(FORMAT §6 step 2)'
const STEP3 = '(FORMAT §6 step 3)'

/** The schema in a frame and the schema of the caller: FORMAT §6 steps 2 and 3. */
export function frameSchemaCases(): Case[] {
  return [...padding(), ...texts(), ...longest(), ...hashes(), ...callers()]
}

/** 32 and 33 bytes of text. */
const FILLS: Hashed = { text: 'struct{abcdefghijklmnopqrst:u8,}', hash: 0xd75e2b61c6513e63n }
const ONE_OVER: Hashed = { text: 'struct{abcdefghijklmnopqrstu:u8,}', hash: 0xdc8ef8eee2aba64an }

/** A frame of a u8 whose header holds `text`. */
function holding(text: Hex, headerSize?: number): Hex {
  return frame({ schema: U8, body: '05', flags: SCHEMA, text, ...(headerSize === undefined ? {} : { headerSize }) })
}

function padding(): Case[] {
  const own = holding(utf8('u8'))
  return [
    framed(
      'frame-text-fills-header',
      `A text of 32 bytes fills a header of 64, without a zero ${STEP2}.`,
      null,
      1,
      frame({ schema: FILLS, body: '05', flags: SCHEMA }),
      { abcdefghijklmnopqrst: 5 },
    ),
    framed(
      'frame-text-63-zeros',
      `A text of 33 bytes has 63 zeros after it, the most there may be ${STEP2}.`,
      null,
      1,
      frame({ schema: ONE_OVER, body: '05', flags: SCHEMA }),
      { abcdefghijklmnopqrstu: 5 },
    ),
    frameRefused(
      'frame-text-64-zeros',
      `64 zeros after a text of 32 bytes are too many ${STEP2}.`,
      null,
      frame({ schema: FILLS, body: '05', flags: SCHEMA, headerSize: 128 }),
      'FRAME',
    ),
    frameRefused(
      'frame-text-header-too-large',
      `A header that is one multiple of 64 too large ${STEP2}.`,
      null,
      holding(utf8('u8'), 128),
      'FRAME',
    ),
    frameRefused(
      'frame-text-byte-after',
      `After the first zero there are zeros ${STEP2}.`,
      null,
      patched(own, 35, '01'),
      'FRAME',
    ),
    frameRefused(
      'frame-text-byte-last',
      `After the first zero there are zeros, to the end of the header ${STEP2}.`,
      null,
      patched(own, 63, '80'),
      'FRAME',
    ),
    frameRefused(
      'frame-text-second-text',
      `A text ends at its first zero; no second one follows ${STEP2}.`,
      null,
      holding(`${utf8('u8')}00${utf8('u8')}`),
      'FRAME',
    ),
    frameRefused(
      'frame-text-padding-before-text',
      `The zeros, before the text that is none ${STEP2}.`,
      null,
      patched(holding(utf8('?')), 63, '01'),
      'FRAME',
    ),
    frameRefused(
      'frame-text-many-zeros-before-text',
      `Too many zeros, before the text that is none ${STEP2}.`,
      null,
      holding(utf8('?'), 128),
      'FRAME',
    ),
    frameRefused(
      'frame-text-none-many-zeros',
      `A header of 128 without a text has 96 zeros ${STEP2}.`,
      null,
      holding('', 128),
      'FRAME',
    ),
  ]
}

/** Texts that are no canonical schema, and what each is refused with. */
const TEXTS: readonly (readonly [label: string, what: string, text: Hex, error: CaseError])[] = [
  ['none', 'No text is no schema', '', 'SCHEMA'],
  ['unknown', 'The text is a schema', utf8('u7'), 'SCHEMA'],
  ['tail', 'The text is one schema', utf8('u8,'), 'SCHEMA'],
  ['space-first', 'The text is canonical, without a space before it', utf8(' u8'), 'SCHEMA'],
  ['space-last', 'The text is canonical, without a space after it', utf8('u8 '), 'SCHEMA'],
  ['line-end', 'The text is canonical, without a line end', utf8('u8\n'), 'SCHEMA'],
  ['space-inside', 'The text is canonical, without a space in it', utf8('list< u8>'), 'SCHEMA'],
  ['last-comma', 'The text is canonical, with its last comma', utf8('struct{a:u8}'), 'SCHEMA'],
  ['accent', 'No name has a letter beyond ASCII', utf8('struct{\u00e9:u8,}'), 'SCHEMA'],
  ['bom', 'The text has no mark before it', utf8('\ufeffu8'), 'SCHEMA'],
  [
    'not-utf8',
    'A byte over 7F is a character that no rule takes, not a fault of UTF-8',
    `${utf8('struct{')}ff${utf8(':u8,}')}`,
    'SCHEMA',
  ],
  ['not-utf8-after', 'A byte over 7F after the type is more text', `${utf8('u8')}80`, 'SCHEMA'],
  ['latin1', 'A byte such as A0 is no white space', `a0${utf8('u8')}`, 'SCHEMA'],
  ['next-line', 'A byte such as 85 is no white space', `${utf8('u8')}85`, 'SCHEMA'],
  ['proto', '__proto__ is no name in a frame either', utf8('struct{__proto__:u8,}'), 'SCHEMA'],
  ['twice', 'A name stands once in a frame, too', utf8('struct{a:u8,a:u8,}'), 'SCHEMA'],
  ['option-option', 'An option is not straight in an option', utf8('option<option<u8>>'), 'SCHEMA'],
  ['depth-65', 'A schema in a frame has at most 64 levels', utf8(`${'list<'.repeat(65)}u8${'>'.repeat(65)}`), 'LIMIT'],
  [
    'depth-65-spaced',
    'The text is parsed whole, before it is compared with its canonical text',
    utf8(` ${'list<'.repeat(65)}u8${'>'.repeat(65)}`),
    'LIMIT',
  ],
  ['depth-65-then-byte', 'The 65th level stands left of a byte over 7F', `${utf8('list<'.repeat(65))}ff`, 'LIMIT'],
  ['byte-then-depth-65', 'A byte over 7F stands left of the 65th level', `ff${utf8('list<'.repeat(65))}`, 'SCHEMA'],
]

function texts(): Case[] {
  return TEXTS.map(([label, what, text, error]) =>
    frameRefused(
      `frame-text-${label}`,
      `${what} ${STEP2}.`,
      null,
      text === '' ? holding('', 64) : holding(text),
      error,
    ),
  )
}

/** 253 fields with names of 255 characters, all u8 but for the last: 65,536 bytes. */
const LONGEST_NAMES = Array.from({ length: 253 }, (_, i) => 'n'.repeat(252) + i.toString().padStart(3, '0'))
const LONGEST: Hashed = {
  text: `struct{${LONGEST_NAMES.map((name, i) => `${name}:${i === 252 ? 'i16' : 'u8'},`).join('')}}`,
  hash: 0xd6cf56db28aa4159n,
}

function longest(): Case[] {
  if (LONGEST.text.length !== 65_536) throw new Error('the longest text is 65,536 bytes')
  const tooLong = LONGEST.text.replace('i16', 'bf16')
  return [
    framed(
      'frame-text-longest',
      'A schema text of 65,536 bytes is the longest (FORMAT §2 Caps).',
      null,
      1,
      frame({ schema: LONGEST, body: zeros(254), flags: SCHEMA }),
      Object.fromEntries(LONGEST_NAMES.map((name) => [name, 0])),
    ),
    frameRefused(
      'frame-text-over-longest',
      'A schema text of 65,537 bytes is too long, though its header is not (FORMAT §2 Caps).',
      null,
      frame({ schema: LONGEST, text: utf8(tooLong), body: zeros(254), flags: SCHEMA }),
      'LIMIT',
    ),
    frameRefused(
      'frame-text-over-longest-bad',
      `The length of the text, before anything in it ${STEP2}.`,
      null,
      frame({ schema: U8, text: utf8('?'.repeat(65_537)), body: '05', flags: SCHEMA }),
      'LIMIT',
    ),
  ]
}

function hashes(): Case[] {
  const own = holding(utf8('u8'))
  const other = patched(own, FRAME.hash, u64(BOOL.hash))
  return [
    frameRefused('frame-hash-not-its-own', `The header's hash is that of the text ${STEP2}.`, null, other, 'FRAME'),
    frameRefused(
      'frame-hash-not-its-own-caller',
      `The header's hash is that of the text, though the caller's is the header's ${STEP2}.`,
      BOOL.text,
      other,
      'FRAME',
    ),
    frameRefused(
      'frame-hash-high-bit',
      `All 64 bits of the hash count ${STEP2}.`,
      null,
      patched(own, FRAME.hash, u64(U8.hash + 2n ** 63n)),
      'FRAME',
    ),
    frameRefused(
      'frame-hash-low-bit',
      `All 64 bits of the hash count, the lowest too ${STEP2}.`,
      null,
      patched(own, FRAME.hash, u64(U8.hash + 1n)),
      'FRAME',
    ),
    frameRefused(
      'frame-text-before-hash',
      `A text that is not canonical, before a hash that is not its own ${STEP2}.`,
      null,
      patched(holding(utf8(' u8')), FRAME.hash, u64(0)),
      'SCHEMA',
    ),
  ]
}

function callers(): Case[] {
  const plain = frame({ schema: U8, body: '05' })
  const own = frame({ schema: U8, body: '05', flags: SCHEMA })
  const collidingOwn = frame({ schema: COLLIDING_A, body: '05', flags: SCHEMA })
  return [
    frameRefused(
      'frame-caller-none',
      `Without a schema from either side nothing can be read ${STEP3}.`,
      null,
      plain,
      'SCHEMA',
    ),
    frameRefused(
      'frame-caller-other',
      `The caller's schema has the header's hash ${STEP3}.`,
      BOOL.text,
      plain,
      'FRAME',
    ),
    frameRefused(
      'frame-caller-other-own',
      `The caller's schema has the header's hash, with SCHEMA too ${STEP3}.`,
      BOOL.text,
      own,
      'FRAME',
    ),
    frameRefused(
      'frame-caller-hash-bit',
      `All 64 bits of the hash are compared with the caller's ${STEP3}.`,
      U8.text,
      patched(plain, FRAME.hash, u64(U8.hash + 2n ** 32n)),
      'FRAME',
    ),
    frameRefused(
      'frame-caller-hash-high-bit',
      `All 64 bits of the hash are compared with the caller's, the highest too ${STEP3}.`,
      U8.text,
      patched(plain, FRAME.hash, u64(U8.hash + 2n ** 63n)),
      'FRAME',
    ),
    frameRefused(
      'frame-caller-colliding',
      `Of two schemas with one hash the text tells which ${STEP3}.`,
      COLLIDING_B.text,
      collidingOwn,
      'FRAME',
    ),
    framed(
      'frame-caller-colliding-own',
      `The same frame with its own schema ${STEP3}.`,
      COLLIDING_A.text,
      1,
      collidingOwn,
      { jGqNUqh7_9B: 5 },
    ),
    framed(
      'frame-caller-colliding-plain',
      `Without SCHEMA there is only the hash to compare ${STEP3}.`,
      COLLIDING_B.text,
      0,
      frame({ schema: COLLIDING_A, body: '05' }),
      { kXDMO9RWEzE: 5 },
    ),
    framed(
      'frame-caller-same',
      `The caller's schema and the frame's are the same ${STEP3}.`,
      LIST.text,
      1,
      frame({ schema: LIST, body: u32(0), flags: SCHEMA }),
      { count: 0, hex: '' },
    ),
    framed(
      'frame-caller-tensors',
      `The caller's schema of a struct with a directory ${STEP3}.`,
      ID_BATCH.text,
      0,
      frame({ schema: ID_BATCH, body: u64(7) + block([]) }),
      { id: '7', batch: [] },
    ),
    frameRefused(
      'frame-own-bad-before-caller',
      `The frame's text is read, before the caller's schema is compared ${STEP2}.`,
      BOOL.text,
      holding(utf8('u7')),
      'SCHEMA',
    ),
    frameRefused(
      'frame-own-bad-with-caller',
      `The frame's text is read, though the caller has a schema ${STEP2}.`,
      U8.text,
      holding(padded64(utf8('u8 ')), 128),
      'FRAME',
    ),
  ]
}
