import { type Case, frozen, frozenRefused } from './case.js'
import { raw, str, strOf, u32, utf8, zeros } from './hex.js'
import { BAD_UTF8, GOOD_UTF8 } from './utf8-forms.js'

const S2 = '(FORMAT §2)'

/** Strings and bytes: the length word, the cap, what is available, and UTF-8. */
export function stringCases(): Case[] {
  return [...forms(), ...longer(), ...lengths(), ...bytes()]
}

function forms(): Case[] {
  return [
    frozen('pod-string-empty', `A string of no bytes is the length alone ${S2}.`, 'string', u32(0), ''),
    frozen('pod-string-ascii', `A string is its length in bytes and its UTF-8 ${S2}.`, 'string', str('kiln'), 'kiln'),
    ...GOOD_UTF8.map(([label, hex, text]) =>
      frozen(
        `pod-string-${label}`,
        `UTF-8 is taken whole: nothing is stripped, replaced or normalised ${S2}.`,
        'string',
        strOf(hex),
        text,
      ),
    ),
    ...BAD_UTF8.map(([label, hex, why]) =>
      frozenRefused(`pod-string-bad-${label}`, `Not UTF-8: ${why} ${S2}.`, 'string', strOf(hex), 'UTF8'),
    ),
  ]
}

/** Readers like to treat short and long text apart, and ASCII and other text. */
function longer(): Case[] {
  const sizes = [15, 16, 17, 31, 32, 33, 63, 64, 65, 255, 256, 257]
  return sizes.flatMap((length) => {
    const ascii = 'abcdefghijklmnopqrstuvwxyz'.repeat(10).slice(0, length)
    const accented = `${ascii.slice(0, length - 2)}\u00e9`
    return [
      frozen(`pod-string-ascii-${length}`, `ASCII of ${length} bytes ${S2}.`, 'string', str(ascii), ascii),
      frozen(`pod-string-accent-${length}`, `${length} bytes, the last two one letter ${S2}.`, 'string',
        str(accented), accented),
      frozenRefused(
        `pod-string-bad-at-end-${length}`,
        `A fault in the last of ${length} bytes is found ${S2}.`,
        'string',
        strOf(`${utf8(ascii.slice(0, length - 1))}80`),
        'UTF8',
      ),
      frozenRefused(
        `pod-string-bad-at-start-${length}`,
        `A fault in the first of ${length} bytes is found ${S2}.`,
        'string',
        strOf(`ff${utf8(ascii.slice(1))}`),
        'UTF8',
      ),
    ]
  })
}

function lengths(): Case[] {
  const cap = { string: 4 }
  return [
    ...[0, 1, 2, 3].map((there) =>
      frozenRefused(
        `pod-string-length-word-${there}`,
        `The length word is four bytes, and ${there} are there ${S2}.`,
        'string',
        zeros(there),
        'EOF',
      ),
    ),
    frozenRefused('pod-string-one-short', `The bytes announced are there, or it is the end ${S2}.`, 'string',
      raw('05000000 6b696c6e'), 'EOF'),
    frozenRefused('pod-string-trailing', `Bytes after a string alone ${S2}.`, 'string', raw('01000000 6b 69'),
      'TRAILING'),
    frozen('pod-string-at-cap', `A length equal to the cap is under it ${S2}.`, 'string', str('kiln'), 'kiln',
      { caps: cap }),
    frozenRefused('pod-string-over-cap', `A length over the cap ${S2}.`, 'string', str('kilns'), 'LIMIT', cap),
    frozen('pod-string-cap-zero-empty', `An empty string is under any cap ${S2}.`, 'string', str(''), '',
      { caps: { string: 0 } }),
    frozenRefused('pod-string-cap-zero', `A cap of 0 takes no byte ${S2}.`, 'string', str('k'), 'LIMIT',
      { string: 0 }),
    frozen('pod-string-cap-bytes', `The cap counts bytes, here two for one letter ${S2}.`, 'string', str('\u00e9'),
      '\u00e9', { caps: { string: 2 } }),
    frozenRefused('pod-string-cap-bytes-over', `The cap counts bytes, not characters ${S2}.`, 'string',
      str('\u00e9'), 'LIMIT', { string: 1 }),
    frozenRefused('pod-string-cap-before-eof', `The cap is looked at before the bytes available ${S2}.`, 'string',
      raw('05000000 6b'), 'LIMIT', cap),
    frozenRefused('pod-string-eof-before-utf8', `Bytes that are not there, before bytes that are wrong ${S2}.`,
      'string', raw('03000000 ff ff'), 'EOF'),
    frozenRefused('pod-string-cap-before-utf8', `The cap, before bytes that are wrong ${S2}.`, 'string',
      raw('05000000 ff ff ff ff ff'), 'LIMIT', cap),
    frozenRefused('pod-string-utf8-before-trailing', `A fault inside, before what follows ${S2}.`, 'string',
      raw('01000000 ff 00'), 'UTF8'),
    frozenRefused('pod-string-default-cap', `The default cap is 2^28 bytes; one more ${S2}.`, 'string',
      u32(2 ** 28 + 1), 'LIMIT'),
    frozenRefused('pod-string-default-cap-at', `2^28 bytes are under the default cap, but not there ${S2}.`,
      'string', u32(2 ** 28), 'EOF'),
    frozenRefused('pod-string-length-most', `The greatest length word ${S2}.`, 'string', u32(0xffffffff), 'LIMIT'),
    frozenRefused('pod-string-length-most-uncapped', `The greatest length word with as great a cap ${S2}.`,
      'string', u32(0xffffffff), 'EOF', { string: 0xffffffff }),
    frozenRefused('pod-string-length-sign-bit', `A length is unsigned ${S2}.`, 'string', u32(0x80000000), 'EOF',
      { string: 0xffffffff }),
    frozen('pod-string-other-caps', `Other caps do not apply to a string ${S2}.`, 'string', str('kiln'), 'kiln',
      { caps: { count: 0, numbers: 0, tensors: 0, body: 0 } }),
    frozenRefused('pod-string-cap-each', `The cap is for each string, the second of the list here ${S2}.`,
      'list<string>', u32(2) + str('kiln') + str('kilns'), 'LIMIT', cap),
    frozen('pod-string-cap-not-sum', `The cap is for each string, not for all ${S2}.`, 'list<string>',
      u32(2) + str('kiln') + str('kiln'), ['kiln', 'kiln'], { caps: cap }),
  ]
}

function bytes(): Case[] {
  return [
    frozen('pod-bytes-empty', `Bytes without any are the length alone ${S2}.`, 'bytes', u32(0), { hex: '' }),
    frozen('pod-bytes-some', `Bytes are a length and the bytes, whatever they are ${S2}.`, 'bytes',
      raw('05000000 00ff80c0fe'), { hex: '00ff80c0fe' }),
    frozen('pod-bytes-no-cap', `Neither the cap of strings nor that of lists applies to bytes ${S2}.`, 'bytes',
      raw('03000000 010203'), { hex: '010203' }, { caps: { string: 0, count: 0, numbers: 0, tensors: 0, body: 0 } }),
    ...[0, 1, 2, 3].map((there) =>
      frozenRefused(`pod-bytes-length-word-${there}`, `The length word is four bytes, and ${there} are there ${S2}.`,
        'bytes', zeros(there), 'EOF'),
    ),
    frozenRefused('pod-bytes-one-short', `The bytes announced are there, or it is the end ${S2}.`, 'bytes',
      raw('03000000 0102'), 'EOF'),
    frozenRefused('pod-bytes-length-most', `Bytes have no cap, so the greatest length is just not there ${S2}.`,
      'bytes', raw('ffffffff 0102'), 'EOF'),
    frozenRefused('pod-bytes-sign-bit', `A length is unsigned ${S2}.`, 'bytes', raw('00000080 0102'), 'EOF'),
    frozenRefused('pod-bytes-trailing', `Bytes after bytes alone ${S2}.`, 'bytes', raw('01000000 01 02'), 'TRAILING'),
    frozen('pod-bytes-two', `The next value starts where the bytes end ${S2}.`, 'list<bytes>',
      raw('02000000 01000000 ff 02000000 0000'), [{ hex: 'ff' }, { hex: '0000' }]),
  ]
}
