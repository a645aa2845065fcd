import type { Case } from './case.js'
import { CHECKSUM, FRAME, ID_BATCH, LIST, MODEL, SCHEMA, U8, frame } from './frame-bytes.js'
import { frameRefused, framed } from './frame-case.js'
import { block, valueOf } from './block.js'
import { type Hex, first, patched, raw, str, u16, u32, u64, u8, utf8, zeros } from './hex.js'

const STEP1 = '(FORMAT §6 step 1)'

/** The first bytes of a frame: FORMAT §6 step 1. */
export function frameHeaderCases(): Case[] {
  return [...shapes(), ...short(), ...constants(), ...sizes(), ...checksums()]
}

const ID_BATCH_EMPTY = u64(7) + block([])

/** Every pair of flags, and what a frame may hold. */
function shapes(): Case[] {
  const s6 = '(FORMAT §6)'
  const list = raw('02000000 0100 0200')
  const value = { count: 2, hex: '01000200' }
  return [
    framed(
      'frame-plain',
      `Without flags a frame is 32 bytes of header and the body ${s6}.`,
      LIST.text,
      0,
      frame({ schema: LIST, body: list }),
      value,
    ),
    framed(
      'frame-schema',
      `With SCHEMA the text stands after the header, with zeros up to a multiple of 64 ${s6}.`,
      LIST.text,
      1,
      frame({ schema: LIST, body: list, flags: SCHEMA }),
      value,
    ),
    framed(
      'frame-schema-alone',
      `With SCHEMA a frame describes itself ${s6}.`,
      null,
      1,
      frame({ schema: LIST, body: list, flags: SCHEMA }),
      value,
    ),
    framed(
      'frame-checksum',
      `With CHECKSUM the header has the CRC-32 of the body ${s6}.`,
      LIST.text,
      2,
      frame({ schema: LIST, body: list, flags: CHECKSUM, checksum: 0xad8dddf3 }),
      value,
    ),
    framed(
      'frame-schema-checksum',
      `Both flags ${s6}.`,
      LIST.text,
      3,
      frame({ schema: LIST, body: list, flags: SCHEMA + CHECKSUM, checksum: 0xad8dddf3 }),
      value,
    ),
    framed(
      'frame-schema-checksum-alone',
      `Both flags, and no schema of the caller's ${s6}.`,
      null,
      3,
      frame({ schema: LIST, body: list, flags: SCHEMA + CHECKSUM, checksum: 0xad8dddf3 }),
      value,
    ),
    framed('frame-smallest', `The smallest frame is 33 bytes ${s6}.`, U8.text, 0, frame({ schema: U8, body: '05' }), 5),
    framed(
      'frame-empty-directory',
      `An empty directory in a frame ${s6}.`,
      ID_BATCH.text,
      1,
      frame({ schema: ID_BATCH, body: ID_BATCH_EMPTY, flags: SCHEMA }),
      { id: '7', batch: [] },
    ),
    framed(
      'frame-model',
      'A model file: tensors first, so that payloads are 64-aligned in the file (FORMAT §7).',
      null,
      1,
      frame({ schema: MODEL, body: block([TENSOR]) + u32(1) + str('license') + str('none'), flags: SCHEMA }),
      { tensors: valueOf([TENSOR]), metadata: [['license', 'none']] },
    ),
  ]
}

const TENSOR = { name: 'w', dtype: 'f32', shape: [2], data: '0000803f000000c0' } as const

function short(): Case[] {
  const plain = frame({ schema: U8, body: '05' })
  return [
    ...[0, 1, 4, 16, 31].map((there) =>
      frameRefused(
        `frame-header-of-${there}`,
        `A frame begins with 32 bytes, not with ${there} ${STEP1}.`,
        U8.text,
        first(plain, there),
        'EOF',
      ),
    ),
    frameRefused(
      'frame-header-of-31-bad-magic',
      `The 32 bytes are there, before the magic is looked at ${STEP1}.`,
      U8.text,
      patched(first(plain, 31), FRAME.magic, utf8('KILT')),
      'EOF',
    ),
  ]
}

function constants(): Case[] {
  const plain = frame({ schema: U8, body: '05' })
  const magics = ['KILT', 'kilf', 'FLIK', 'JILF', '\u0000\u0000\u0000\u0000']
  return [
    ...magics.map((magic, i) =>
      frameRefused(
        `frame-magic-${i}`,
        `The magic is KILF in ASCII ${STEP1}.`,
        U8.text,
        patched(plain, FRAME.magic, utf8(magic)),
        'FRAME',
      ),
    ),
    ...[0, 2, 255].map((version) =>
      frameRefused(
        `frame-version-${version}`,
        `The version is 1 ${STEP1}.`,
        U8.text,
        patched(plain, FRAME.version, u8(version)),
        'FRAME',
      ),
    ),
    ...[0x04, 0x08, 0x40, 0x80].map((flags) =>
      frameRefused(
        `frame-flags-${u8(flags)}`,
        `A flag other than SCHEMA and CHECKSUM is unknown ${STEP1}.`,
        U8.text,
        patched(plain, FRAME.flags, u8(flags)),
        'FRAME',
      ),
    ),
    ...[0x0001, 0x0100].map((value) =>
      frameRefused(
        `frame-reserved-${u16(value)}`,
        `The two bytes after the flags are 0 ${STEP1}.`,
        U8.text,
        patched(plain, FRAME.reserved, u16(value)),
        'FRAME',
      ),
    ),
  ]
}

/** `header_size`: what it may be, its limit, and what is there of it. */
function sizes(): Case[] {
  const plain = frame({ schema: U8, body: '05' })
  const own = frame({ schema: U8, body: '05', flags: SCHEMA })
  const sized = (hex: Hex, value: number): Hex => patched(hex, FRAME.headerSize, u32(value)) + zeros(128)
  return [
    ...[0, 31, 33, 64, 0xffffffff].map((value) =>
      frameRefused(
        `frame-header-size-${value}`,
        `Without SCHEMA header_size is 32, not ${value} ${STEP1}.`,
        U8.text,
        sized(plain, value),
        'FRAME',
      ),
    ),
    ...[0, 32, 63, 65, 96, 160].map((value) =>
      frameRefused(
        `frame-header-size-schema-${value}`,
        `With SCHEMA header_size is a multiple of 64 and at least 64, not ${value} ${STEP1}.`,
        null,
        sized(own, value),
        'FRAME',
      ),
    ),
    ...[65_664, 2 ** 31, 2 ** 32 - 64].map((value) =>
      frameRefused(
        `frame-header-size-schema-${value}`,
        `With SCHEMA header_size is at most 65,600 ${STEP1}.`,
        null,
        sized(own, value),
        'LIMIT',
      ),
    ),
    frameRefused(
      'frame-header-size-65601',
      `header_size is a multiple of 64, before its limit ${STEP1}.`,
      null,
      sized(own, 65_601),
      'FRAME',
    ),
    frameRefused(
      'frame-header-size-limit-at',
      `A header_size of 65,600 is under the limit, but not there ${STEP1}.`,
      null,
      patched(own, FRAME.headerSize, u32(65_600)),
      'EOF',
    ),
    ...[32, 34, 63].map((there) =>
      frameRefused(
        `frame-header-cut-${there}`,
        `The whole header is there, or it is the end ${STEP1}.`,
        null,
        first(own, there),
        'EOF',
      ),
    ),
    frameRefused(
      'frame-header-cut-bad-text',
      `The header is there, before its text is looked at ${STEP1}.`,
      null,
      first(patched(own, FRAME.text, utf8('?')), 63),
      'EOF',
    ),
    frameRefused(
      'frame-header-limit-cut',
      `The limit, before what is there ${STEP1}.`,
      null,
      first(patched(own, FRAME.headerSize, u32(65_664)), 32),
      'LIMIT',
    ),
  ]
}

function checksums(): Case[] {
  const plain = frame({ schema: U8, body: '05' })
  const own = frame({ schema: U8, body: '05', flags: SCHEMA })
  return [
    frameRefused(
      'frame-checksum-without-flag',
      `Without CHECKSUM the checksum is 0 ${STEP1}.`,
      U8.text,
      patched(plain, FRAME.checksum, u32(1)),
      'FRAME',
    ),
    frameRefused(
      'frame-checksum-without-flag-right',
      `Without CHECKSUM the checksum is 0, even if it would be right ${STEP1}.`,
      U8.text,
      patched(plain, FRAME.checksum, u32(0xa2681b02)),
      'FRAME',
    ),
    frameRefused(
      'frame-checksum-without-flag-schema',
      `With SCHEMA alone the checksum is 0 as well ${STEP1}.`,
      U8.text,
      patched(own, FRAME.checksum, u32(1)),
      'FRAME',
    ),
    frameRefused(
      'frame-checksum-before-limit',
      `A checksum without its flag, before the limit of header_size ${STEP1}.`,
      null,
      patched(patched(own, FRAME.checksum, u32(1)), FRAME.headerSize, u32(65_664)),
      'FRAME',
    ),
    frameRefused(
      'frame-checksum-before-eof',
      `A checksum without its flag, before the header that is cut ${STEP1}.`,
      null,
      first(patched(own, FRAME.checksum, u32(1)), 40),
      'FRAME',
    ),
  ]
}
