import { type Case, frozen, frozenRefused } from './case.js'
import { bits, raw, u8 } from './hex.js'

const S2 = '(FORMAT §2)'

/** Single bytes with two meanings, integers of every width, and codes and bits of floats. */
export function scalarCases(): Case[] {
  return [...bools(), ...integers(), ...codes(), ...floats(), ...cutShort()]
}

function bools(): Case[] {
  const wrong = [0x02, 0x03, 0x7f, 0x80, 0xff]
  return [
    frozen('pod-bool-false', `The byte 0 is false ${S2}.`, 'bool', '00', false),
    frozen('pod-bool-true', `The byte 1 is true ${S2}.`, 'bool', '01', true),
    ...wrong.map((byte) =>
      frozenRefused(
        `pod-bool-byte-${u8(byte)}`,
        `A bool byte other than 0 and 1 is no bool, and is not taken for true ${S2}.`,
        'bool',
        u8(byte),
        'TYPE',
      ),
    ),
  ]
}

/** Type, what the case is called, its bytes in file order, its value. */
const INTEGERS: readonly (readonly [type: string, label: string, hex: string, value: number | string])[] = [
  ['u8', 'zero', '00', 0],
  ['u8', 'most', 'ff', 255],
  ['i8', 'least', '80', -128],
  ['i8', 'minus-one', 'ff', -1],
  ['i8', 'most', '7f', 127],
  ['u16', 'zero', '0000', 0],
  ['u16', 'order', '0201', 0x0102],
  ['u16', 'most', 'ffff', 65535],
  ['i16', 'least', '0080', -32768],
  ['i16', 'minus-one', 'ffff', -1],
  ['i16', 'most', 'ff7f', 32767],
  ['u32', 'zero', '00000000', 0],
  ['u32', 'order', '04030201', 0x01020304],
  ['u32', 'sign-bit', '00000080', 2147483648],
  ['u32', 'most', 'ffffffff', 4294967295],
  ['i32', 'least', '00000080', -2147483648],
  ['i32', 'minus-one', 'ffffffff', -1],
  ['i32', 'most', 'ffffff7f', 2147483647],
  ['u64', 'zero', '0000000000000000', '0'],
  ['u64', 'order', '0807060504030201', '72623859790382856'],
  ['u64', 'low-word-sign-bit', '0000008002000000', '10737418240'],
  ['u64', 'two-to-32', '0000000001000000', '4294967296'],
  ['u64', 'last-safe', 'ffffffffffff1f00', '9007199254740991'],
  ['u64', 'two-to-53', '0000000000002000', '9007199254740992'],
  ['u64', 'two-to-53-and-one', '0100000000002000', '9007199254740993'],
  ['u64', 'two-to-63', '0000000000000080', '9223372036854775808'],
  ['u64', 'most', 'ffffffffffffffff', '18446744073709551615'],
  ['i64', 'zero', '0000000000000000', '0'],
  ['i64', 'minus-one', 'ffffffffffffffff', '-1'],
  ['i64', 'minus-two-to-31', '00000080ffffffff', '-2147483648'],
  ['i64', 'minus-two-to-32', '00000000ffffffff', '-4294967296'],
  ['i64', 'before-1970', '00dc01aefdfdffff', '-2208988800000'],
  ['i64', 'last-safe-below', '010000000000e0ff', '-9007199254740991'],
  ['i64', 'minus-two-to-53', '000000000000e0ff', '-9007199254740992'],
  ['i64', 'minus-two-to-53-and-one', 'ffffffffffffdfff', '-9007199254740993'],
  ['i64', 'least', '0000000000000080', '-9223372036854775808'],
  ['i64', 'most', 'ffffffffffffff7f', '9223372036854775807'],
]

function integers(): Case[] {
  return INTEGERS.map(([type, label, hex, value]) =>
    frozen(`pod-${type}-${label}`, `An integer is its little-endian bits ${S2}.`, type, hex, value),
  )
}

const CODES: readonly (readonly [label: string, code: number, what: string])[] = [
  ['zero', 0x0000, 'zero'],
  ['minus-zero', 0x8000, 'minus zero'],
  ['subnormal', 0x0001, 'a subnormal'],
  ['infinity', 0x7c00, "f16's infinity"],
  ['quiet-nan', 0x7e01, 'a NaN with a payload'],
  ['signalling-nan', 0x7c01, 'a signalling NaN of f16'],
  ['bf16-nan', 0x7f81, 'a signalling NaN of bf16'],
  ['all-ones', 0xffff, 'every bit set'],
]

/** Halves are never widened, so that even a signalling NaN goes through. */
function codes(): Case[] {
  return ['f16', 'bf16'].flatMap((type) =>
    CODES.map(([label, code, what]) =>
      frozen(
        `pod-${type}-${label}`,
        `A half is read as its code, here ${what} ${S2}.`,
        type,
        bits(code.toString(16).padStart(4, '0')),
        code,
      ),
    ),
  )
}

const F32: readonly (readonly [label: string, bits: string])[] = [
  ['zero', '00000000'],
  ['minus-zero', '80000000'],
  ['one', '3f800000'],
  ['minus-two', 'c0000000'],
  ['least-subnormal', '00000001'],
  ['most-subnormal', '007fffff'],
  ['least-normal', '00800000'],
  ['most', '7f7fffff'],
  ['infinity', '7f800000'],
  ['minus-infinity', 'ff800000'],
  ['third', '3eaaaaab'],
]

const F64: readonly (readonly [label: string, bits: string])[] = [
  ['zero', '0000000000000000'],
  ['minus-zero', '8000000000000000'],
  ['one', '3ff0000000000000'],
  ['least-subnormal', '0000000000000001'],
  ['most-subnormal', '000fffffffffffff'],
  ['least-normal', '0010000000000000'],
  ['most', '7fefffffffffffff'],
  ['infinity', '7ff0000000000000'],
  ['minus-infinity', 'fff0000000000000'],
  ['tenth', '3fb999999999999a'],
]

const NANS: readonly (readonly [type: string, label: string, bits: string])[] = [
  ['f32', 'quiet-nan', '7fc00000'],
  ['f32', 'signalling-nan', '7f800001'],
  ['f32', 'negative-nan', 'ffc12345'],
  ['f64', 'quiet-nan', '7ff8000000000000'],
  ['f64', 'signalling-nan', '7ff0000000000001'],
  ['f64', 'negative-nan', 'fff8000000abcdef'],
]

function floats(): Case[] {
  const exact = [['f32', F32] as const, ['f64', F64] as const]
  return [
    ...exact.flatMap(([type, rows]) =>
      rows.map(([label, digits]) =>
        frozen(`pod-${type}-${label}`, `A scalar float is its IEEE bits, minus zero too ${S2}.`, type, bits(digits), {
          bits: digits,
        }),
      ),
    ),
    ...NANS.map(([type, label, digits]) =>
      frozen(
        `pod-${type}-${label}`,
        `A scalar NaN is read as a NaN; which one is written back is not defined ${S2}.`,
        type,
        bits(digits),
        { bits: digits },
        { canonical: false },
      ),
    ),
  ]
}

const WIDTHS: readonly (readonly [type: string, width: number])[] = [
  ['bool', 1],
  ['i8', 1],
  ['u8', 1],
  ['i16', 2],
  ['u16', 2],
  ['i32', 4],
  ['u32', 4],
  ['i64', 8],
  ['u64', 8],
  ['f16', 2],
  ['bf16', 2],
  ['f32', 4],
  ['f64', 8],
]

/** Each type with nothing at all, one byte too few, and one too many. */
function cutShort(): Case[] {
  return WIDTHS.flatMap(([type, width]) => {
    const whole = raw('00'.repeat(width))
    const cases = [
      frozenRefused(`pod-${type}-nothing`, `A ${type} needs ${width} bytes and there are none ${S2}.`, type, '', 'EOF'),
      frozenRefused(
        `pod-${type}-trailing`,
        `A value alone that leaves a byte over is refused ${S2}.`,
        type,
        `${whole}00`,
        'TRAILING',
      ),
    ]
    if (width === 1) return cases
    const short = whole.slice(2)
    return [
      ...cases,
      frozenRefused(`pod-${type}-short`, `A ${type} needs ${width} bytes, not one fewer ${S2}.`, type, short, 'EOF'),
    ]
  })
}
