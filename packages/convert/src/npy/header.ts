import { KilnError, payloadLength } from 'kiln-format'
import type { ByteSource, ReadOptions } from 'kiln-format'
import { resolveCaps } from '../reading/caps.js'
import { HeadReader } from '../reading/head-reader.js'
import { latin1Text, utf8Text } from '../reading/text.js'
import { formOfDescr } from './descr.js'
import type { NumberForm } from './descr.js'
import { literalText, parseLiteral } from './literal.js'
import type { Literal } from './literal.js'

/** The caps of the NPY reader; what is over one is `LIMIT`. */
export interface NpyLimits {
  /** Bytes of the header. Default 2^20; numpy writes some hundred, and more only for structured dtypes. */
  readonly header: number
}

const defaultLimits = { header: 2 ** 20 }

/** Options of every reader of NPY headers: a signal, and caps. */
export interface NpyOptions extends ReadOptions {
  readonly limits?: Partial<NpyLimits> | undefined
}

/** An array that Kiln can carry: where its payload lies, and how. */
export interface NpyArray {
  /** Such as `1.0`. */
  readonly version: string
  readonly shape: readonly number[]
  /** As the header has it. */
  readonly fortranOrder: boolean
  /** Whether that makes a difference: not with fewer than two dimensions that count. */
  readonly turned: boolean
  readonly form: NumberForm
  readonly byteLength: number
  /** Where the payload begins in the file. */
  readonly payloadStart: number
}

/** An array that is well-formed, and that Kiln can't carry. */
export interface RefusedArray {
  readonly refused: string
}

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59]
const PREFIX = 8
// A header of numpy's with what stands before it is 128 bytes; for most arrays one read has it all.
const FIRST_READ = 4096
// As many as a tensor of Kiln has.
const MOST_DIMENSIONS = 8

/** Reads the header of an NPY file, versions 1.0, 2.0 and 3.0; payload and file size are the caller's to compare. */
export async function readHeader(source: ByteSource, options: NpyOptions): Promise<NpyArray | RefusedArray> {
  const { header: cap } = resolveCaps(defaultLimits, options.limits)
  const head = new HeadReader(source, {
    signal: options.signal,
    cap: cap + PREFIX + 4,
    capName: 'limits.header',
    firstRead: FIRST_READ,
  })
  await head.need(PREFIX, 'the magic and version of an NPY file')
  const magic = head.bytes(MAGIC.length)
  if (!MAGIC.every((byte, i) => magic[i] === byte))
    throw new KilnError('FRAME', 'an NPY file begins with \\x93NUMPY', 0)
  const major = head.u8()
  const minor = head.u8()
  if (minor !== 0 || major < 1 || major > 3) {
    throw new KilnError('FRAME', `version ${major}.${minor} of NPY is not known; 1.0, 2.0 and 3.0 are read`, 6)
  }
  await head.need(major === 1 ? 2 : 4, 'the header length')
  const length = major === 1 ? head.u16() : head.u32()
  if (length > cap) {
    throw new KilnError(
      'LIMIT',
      `a header of ${length} bytes is over the cap of ${cap}; raise limits.header if it is meant`,
      PREFIX,
    )
  }
  await head.need(length, 'the header')
  const start = head.position
  const bytes = head.bytes(length)
  const text = major === 3 ? utf8Text(bytes, 0, length, 'the header', start) : latin1Text(bytes)
  return arrayOf(parseLiteral(text, start), `${major}.${minor}`, start, start + length)
}

const KEYS = ['descr', 'fortran_order', 'shape'] as const

function arrayOf(header: Literal, version: string, start: number, payloadStart: number): NpyArray | RefusedArray {
  const wrong = (detail: string): KilnError => new KilnError('TYPE', `the header of the NPY file: ${detail}`, start)
  if (header.kind !== 'dict') throw wrong(`a dict expected, found a ${header.kind}`)
  const [descr, fortran, shapeText] = KEYS.map((key) => {
    const value = header.entries.get(key)
    if (value === undefined) throw wrong(`the key '${key}' is missing`)
    return value
  }) as [Literal, Literal, Literal]
  const others = [...header.entries.keys()].find((key) => !(KEYS as readonly string[]).includes(key))
  if (others !== undefined) throw wrong(`the key ${JSON.stringify(others.slice(0, 40))} is none of NPY's`)
  if (fortran.kind !== 'bool')
    throw wrong(`fortran_order must be True or False, found ${literalText(fortran).slice(0, 40)}`)
  const shape = shapeOf(shapeText, wrong)

  const form = formOfDescr(descr)
  if ('refused' in form) return form
  if (shape.length > MOST_DIMENSIONS) {
    return { refused: `an array of ${shape.length} dimensions; a tensor of Kiln has at most ${MOST_DIMENSIONS}` }
  }
  const byteLength = payloadLength(form.dtype, shape)
  if (typeof byteLength === 'bigint') {
    throw new KilnError(
      'EOF',
      `the shape (${shape.join(', ')}) needs ${byteLength} bytes, more than a file can have`,
      start,
    )
  }
  const turned = fortran.value && shape.filter((dimension) => dimension !== 1).length > 1
  return { version, shape, fortranOrder: fortran.value, turned, form, byteLength, payloadStart }
}

function shapeOf(literal: Literal, wrong: (detail: string) => KilnError): number[] {
  if (literal.kind !== 'tuple') throw wrong(`the shape must be a tuple, found ${literalText(literal).slice(0, 40)}`)
  return literal.items.map((item) => {
    if (item.kind !== 'integer' || item.value < 0n) {
      throw wrong(`the shape must be of integers from 0 up, found ${literalText(item).slice(0, 40)}`)
    }
    const dimension = Number(item.value)
    if (!Number.isSafeInteger(dimension)) throw wrong(`the shape has a dimension of ${item.value}, over 2^53 - 1`)
    return dimension
  })
}

/** That a file, or a member of a zip, ends where its payload does: `EOF` and `TRAILING`. */
export function checkSize({ shape, byteLength, payloadStart }: NpyArray, size: number): void {
  const has = size - payloadStart
  if (has < byteLength) {
    throw new KilnError(
      'EOF',
      `the shape (${shape.join(', ')}) needs ${byteLength} bytes of payload, and ${has} follow the header`,
      payloadStart,
    )
  }
  if (has > byteLength) {
    throw new KilnError(
      'TRAILING',
      `${has - byteLength} bytes follow the payload; an NPY file holds one array`,
      payloadStart + byteLength,
    )
  }
}
