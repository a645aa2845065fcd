import { block } from './block.js'
import type { Case } from './case.js'
import { BOOL, CHECKSUM, FRAME, ID_BATCH, LIST, SCHEMA, STRING, U8, frame } from './frame-bytes.js'
import { frameRefused, framed } from './frame-case.js'
import { first, patched, str, strOf, u32, u64 } from './hex.js'

const STEP4 = '(FORMAT §6 step 4)'
const STEP5 = '(FORMAT §6 step 5)'

/** The body of a frame: FORMAT §6 steps 4 and 5. */
export function frameBodyCases(): Case[] {
  return [...lengths(), ...checksums(), ...values(), ...directories()]
}

const KILN = frame({ schema: STRING, body: str('kiln') })

function lengths(): Case[] {
  const long = (value: number | bigint) => patched(KILN, FRAME.bodyLength, u64(value))
  const huge: readonly (readonly [label: string, value: bigint])[] = [
    ['one-over', 9n],
    ['two-to-32', 2n ** 32n + 8n],
    ['two-to-53', 2n ** 53n],
    ['two-to-63', 2n ** 63n],
    ['most', 2n ** 64n - 1n],
  ]
  return [
    framed('frame-body-at-cap', `A body_length equal to the cap is under it ${STEP4}.`, STRING.text, 0, KILN, 'kiln', {
      caps: { body: 8 },
    }),
    frameRefused('frame-body-over-cap', `A body_length over the cap ${STEP4}.`, STRING.text, KILN, 'LIMIT', {
      body: 7,
    }),
    frameRefused('frame-body-cap-zero', `A cap of 0 takes no body ${STEP4}.`, STRING.text, KILN, 'LIMIT', { body: 0 }),
    frameRefused(
      'frame-body-cap-before-eof',
      `The cap, before what is there ${STEP4}.`,
      STRING.text,
      first(KILN, 33),
      'LIMIT',
      { body: 7 },
    ),
    ...huge.map(([label, value]) =>
      frameRefused(
        `frame-body-length-${label}`,
        `The whole body is there, or it is the end; in memory no cap comes first ${STEP4}.`,
        STRING.text,
        long(value),
        'EOF',
      ),
    ),
    frameRefused(
      'frame-body-length-most-capped',
      `The greatest body_length is over any cap ${STEP4}.`,
      STRING.text,
      long(2n ** 64n - 1n),
      'LIMIT',
      { body: 2 ** 30 },
    ),
    frameRefused('frame-body-cut', `A byte of the body is not there ${STEP4}.`, STRING.text, first(KILN, 39), 'EOF'),
    frameRefused('frame-body-none', `A body that is not there at all ${STEP4}.`, STRING.text, first(KILN, 32), 'EOF'),
    frameRefused(
      'frame-body-eof-before-value',
      `The body is there, before its value is read ${STEP4}.`,
      BOOL.text,
      frame({ schema: BOOL, body: '02', bodyLength: 2 }),
      'EOF',
    ),
    frameRefused(
      'frame-schema-before-body-cap',
      'No schema from either side, before the cap of the body (FORMAT §6 step 3).',
      null,
      KILN,
      'SCHEMA',
      { body: 7 },
    ),
    frameRefused(
      'frame-caller-before-body-cap',
      "Another schema than the caller's, before the cap of the body (FORMAT §6 step 3).",
      U8.text,
      KILN,
      'FRAME',
      { body: 7 },
    ),
    frameRefused(
      'frame-schema-before-body-eof',
      'No schema from either side, before a body that is cut (FORMAT §6 step 3).',
      null,
      first(KILN, 39),
      'SCHEMA',
    ),
    frameRefused(
      'frame-caller-before-body-eof',
      "Another schema than the caller's, before a body that is cut (FORMAT §6 step 3).",
      U8.text,
      first(KILN, 39),
      'FRAME',
    ),
  ]
}

function checksums(): Case[] {
  const flags = CHECKSUM
  return [
    framed(
      'frame-crc-of-byte',
      `The checksum is the CRC-32 of zip and PNG ${STEP4}.`,
      U8.text,
      flags,
      frame({ schema: U8, body: '05', flags, checksum: 0xa2681b02 }),
      5,
    ),
    framed(
      'frame-crc-high-bit',
      `A checksum is unsigned ${STEP4}.`,
      U8.text,
      flags,
      frame({ schema: U8, body: 'ff', flags, checksum: 0xff000000 }),
      255,
    ),
    frameRefused(
      'frame-crc-other',
      `With CHECKSUM the CRC-32 matches ${STEP4}.`,
      U8.text,
      frame({ schema: U8, body: '05', flags, checksum: 0xa2681b03 }),
      'CHECKSUM',
    ),
    frameRefused(
      'frame-crc-zero',
      `With CHECKSUM a stored 0 is a number to compare ${STEP4}.`,
      U8.text,
      frame({ schema: U8, body: '05', flags }),
      'CHECKSUM',
    ),
    frameRefused(
      'frame-crc-swapped',
      `A checksum is little-endian ${STEP4}.`,
      U8.text,
      frame({ schema: U8, body: '05', flags, checksum: 0x021b68a2 }),
      'CHECKSUM',
    ),
    frameRefused(
      'frame-crc-schema',
      `With both flags the checksum is of the body alone ${STEP4}.`,
      null,
      frame({ schema: U8, body: '05', flags: SCHEMA + CHECKSUM, checksum: 1 }),
      'CHECKSUM',
    ),
    frameRefused(
      'frame-crc-body-damaged',
      `A byte of the body has changed ${STEP4}.`,
      U8.text,
      frame({ schema: U8, body: '04', flags, checksum: 0xa2681b02 }),
      'CHECKSUM',
    ),
    frameRefused(
      'frame-crc-before-value',
      `The checksum, before a value at fault ${STEP4}.`,
      BOOL.text,
      frame({ schema: BOOL, body: '02', flags, checksum: 1 }),
      'CHECKSUM',
    ),
    frameRefused(
      'frame-crc-right-of-bad-value',
      `A right checksum of a value at fault ${STEP5}.`,
      BOOL.text,
      frame({ schema: BOOL, body: '02', flags, checksum: 0x3c0c8ea1 }),
      'TYPE',
    ),
    frameRefused(
      'frame-crc-before-frame-trailing',
      `The checksum, before bytes after the frame ${STEP4}.`,
      U8.text,
      `${frame({ schema: U8, body: '05', flags, checksum: 1 })}00`,
      'CHECKSUM',
    ),
    frameRefused(
      'frame-crc-eof-first',
      `The body is there, before its checksum is compared ${STEP4}.`,
      U8.text,
      frame({ schema: U8, body: '05', flags, checksum: 1, bodyLength: 2 }),
      'EOF',
    ),
    frameRefused(
      'frame-crc-of-nothing',
      `A body of no bytes has the CRC-32 0, and no value ${STEP5}.`,
      U8.text,
      frame({ schema: U8, body: '', flags }),
      'EOF',
    ),
    frameRefused(
      'frame-crc-of-nothing-other',
      `A body of no bytes has the CRC-32 0 and no other ${STEP4}.`,
      U8.text,
      frame({ schema: U8, body: '', flags, checksum: 1 }),
      'CHECKSUM',
    ),
  ]
}

function values(): Case[] {
  return [
    frameRefused(
      'frame-value-needs-more',
      `A value that needs more than the body ${STEP5}.`,
      STRING.text,
      frame({ schema: STRING, body: str('kiln'), bodyLength: 7 }),
      'EOF',
    ),
    frameRefused(
      'frame-value-needs-more-at-end',
      `A value that needs more than the body, with nothing after it ${STEP5}.`,
      STRING.text,
      frame({ schema: STRING, body: str('kiln').slice(0, -2) }),
      'EOF',
    ),
    frameRefused(
      'frame-value-none',
      `A body without a byte holds no value ${STEP5}.`,
      U8.text,
      frame({ schema: U8, body: '' }),
      'EOF',
    ),
    frameRefused(
      'frame-value-none-bytes-after',
      `A body without a byte does not take what follows ${STEP5}.`,
      U8.text,
      frame({ schema: U8, body: '05', bodyLength: 0 }),
      'EOF',
    ),
    frameRefused(
      'frame-value-leaves-some',
      `A value that leaves bytes of the body ${STEP5}.`,
      U8.text,
      frame({ schema: U8, body: '0500' }),
      'TRAILING',
    ),
    frameRefused(
      'frame-count-of-body',
      `A count is checked against the body, not against what follows it ${STEP5}.`,
      LIST.text,
      `${frame({ schema: LIST, body: u32(2) + '0100' })}02000000`,
      'EOF',
    ),
    frameRefused(
      'frame-after',
      `One frame alone with a byte after it ${STEP5}.`,
      U8.text,
      `${frame({ schema: U8, body: '05' })}00`,
      'TRAILING',
    ),
    frameRefused(
      'frame-after-frame',
      `One frame alone is not two ${STEP5}.`,
      U8.text,
      frame({ schema: U8, body: '05' }) + frame({ schema: U8, body: '06' }),
      'TRAILING',
    ),
    frameRefused(
      'frame-value-type-before-after',
      `A value at fault, before bytes after the frame ${STEP5}.`,
      BOOL.text,
      `${frame({ schema: BOOL, body: '02' })}00`,
      'TYPE',
    ),
    frameRefused(
      'frame-value-type-before-rest',
      `A value at fault, before what it leaves of the body ${STEP5}.`,
      BOOL.text,
      frame({ schema: BOOL, body: '0200' }),
      'TYPE',
    ),
    frameRefused(
      'frame-value-utf8',
      `A string in a frame is UTF-8 ${STEP5}.`,
      STRING.text,
      frame({ schema: STRING, body: strOf('ff') }),
      'UTF8',
    ),
    frameRefused('frame-value-limit', `The caps apply inside a frame ${STEP5}.`, STRING.text, KILN, 'LIMIT', {
      string: 3,
    }),
    framed(
      'frame-value-at-limit',
      `The caps apply inside a frame, and a length may be equal to one ${STEP5}.`,
      STRING.text,
      0,
      KILN,
      'kiln',
      { caps: { string: 4 } },
    ),
    framed(
      'frame-value-nan',
      `A scalar NaN in a frame is a NaN ${STEP5}.`,
      null,
      1,
      frame({ schema: { text: 'f32', hash: 0x9ff65e7a0baa828cn }, body: '0100c07f', flags: SCHEMA }),
      { bits: '7fc00001' },
      { canonical: false },
    ),
  ]
}

function directories(): Case[] {
  const tensor = { name: 'w', dtype: 'u8', shape: [3], data: '010203' } as const
  const body = u64(7) + block([tensor])
  return [
    frameRefused(
      'frame-directory-past-body',
      `total_size of a directory counts in the body, not in what follows it ${STEP5}.`,
      ID_BATCH.text,
      `${frame({ schema: ID_BATCH, body: body.slice(0, -2) })}03`,
      'EOF',
    ),
    frameRefused(
      'frame-directory-bad',
      `A directory in a frame is checked as strictly as one alone ${STEP5}.`,
      ID_BATCH.text,
      frame({ schema: ID_BATCH, body: patched(body, 8 + 4, '01') }),
      'FRAME',
    ),
    frameRefused(
      'frame-directory-limit',
      `The cap of tensors applies inside a frame ${STEP5}.`,
      ID_BATCH.text,
      frame({ schema: ID_BATCH, body }),
      'LIMIT',
      { tensors: 0 },
    ),
    framed(
      'frame-directory-longer',
      `A directory that is longer than its payloads, in a frame ${STEP5}.`,
      ID_BATCH.text,
      0,
      frame({ schema: ID_BATCH, body: u64(7) + block([], { tail: 3 }) }),
      { id: '7', batch: [] },
      { canonical: false },
    ),
  ]
}
