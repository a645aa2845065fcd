import { crc32 } from 'kiln-format'
import { deflateSync } from 'fflate'
import { concat } from '../support/memory.js'

/** A member of a zip; whatever is not given is as it should be. */
export interface BuiltMember {
  readonly name: string | Uint8Array
  /** Before it is deflated. */
  readonly data: Uint8Array
  readonly method?: number
  readonly flags?: number
  /** The bytes in the archive, where they are not what the method makes of `data`. */
  readonly stored?: Uint8Array
  /** What the directory says, and the member's own header too unless `local` says otherwise. */
  readonly says?: Partial<Sizes>
  readonly local?: Partial<Sizes> & { readonly name?: string; readonly method?: number; readonly flags?: number }
  /** After the data: its 4 fields, with or without a mark, of 4 or 8 bytes a size. */
  readonly descriptor?: 'marked' | 'bare' | 'marked64' | undefined
  /** Puts the sizes into ZIP64 fields, in the header, the directory or both. */
  readonly zip64?: 'both' | 'directory' | 'local' | undefined
  readonly extra?: Uint8Array
  readonly localExtra?: Uint8Array
  readonly comment?: string
  /** Where the directory says that the member begins. */
  readonly start?: number
  /** Left out of the directory, or of the archive. */
  readonly only?: 'data' | 'directory'
}

export interface Sizes {
  readonly crc: number
  readonly compressed: number
  readonly size: number
}

export interface BuildZipOptions {
  readonly comment?: string
  readonly before?: Uint8Array
  /** Between the last member and the directory. */
  readonly gap?: Uint8Array
  readonly zip64?: boolean
  /** Changes to the record at the end. */
  readonly entries?: number
  readonly directoryStart?: number
  readonly directorySize?: number
  readonly disk?: number
  readonly end64Extra?: Uint8Array
}

const ascii = (text: string): Uint8Array => new TextEncoder().encode(text)

function numbers(...fields: readonly (readonly [width: number, value: number])[]): Uint8Array {
  const bytes: number[] = []
  for (const [width, value] of fields) {
    let rest = BigInt(value)
    for (let i = 0; i < width; i++, rest >>= 8n) bytes.push(Number(rest & 0xffn))
  }
  return Uint8Array.from(bytes)
}

const extra64 = (...values: readonly number[]): Uint8Array =>
  numbers([2, 1], [2, values.length * 8], ...values.map((value) => [8, value] as const))

/** Puts an archive together, field by field and apart from the writer that is tested. */
export function buildZip(members: readonly BuiltMember[], options: BuildZipOptions = {}): Uint8Array {
  const parts: Uint8Array[] = [options.before ?? new Uint8Array(0)]
  const directory: Uint8Array[] = []
  let at = parts[0]!.length
  let count = 0
  for (const member of members) {
    const { method = 0, data, zip64, descriptor } = member
    const name = typeof member.name === 'string' ? ascii(member.name) : member.name
    const utf8 = typeof member.name === 'string' && name.length > member.name.length ? 0x800 : 0
    const flags = member.flags ?? (descriptor === undefined ? 0 : 8) + utf8
    const stored = member.stored ?? (method === 8 ? deflateSync(data) : data)
    const truth = { crc: crc32(data), compressed: stored.length, size: data.length, ...member.says }
    const zero = descriptor === undefined ? {} : { crc: 0, compressed: 0, size: 0 }
    const local = { ...truth, ...zero, ...member.local }
    const start = member.start ?? at
    if (member.only !== 'directory') {
      const localName = member.local?.name === undefined ? name : ascii(member.local.name)
      const in64 = zip64 === 'both' || zip64 === 'local'
      const extra = concat([
        in64 ? extra64(local.size, local.compressed) : new Uint8Array(0),
        member.localExtra ?? new Uint8Array(0),
      ])
      const header = numbers(
        [4, 0x04034b50],
        [2, in64 ? 45 : 20],
        [2, member.local?.flags ?? flags],
        [2, member.local?.method ?? method],
        [2, 0],
        [2, 0x21],
        [4, local.crc],
        [4, in64 ? 0xffffffff : local.compressed],
        [4, in64 ? 0xffffffff : local.size],
        [2, localName.length],
        [2, extra.length],
      )
      const after =
        descriptor === undefined
          ? new Uint8Array(0)
          : descriptor === 'marked'
            ? numbers([4, 0x08074b50], [4, truth.crc], [4, truth.compressed], [4, truth.size])
            : descriptor === 'bare'
              ? numbers([4, truth.crc], [4, truth.compressed], [4, truth.size])
              : numbers([4, 0x08074b50], [4, truth.crc], [8, truth.compressed], [8, truth.size])
      const part = concat([header, localName, extra, stored, after])
      parts.push(part)
      at += part.length
    }
    if (member.only === 'data') continue
    const in64 = zip64 === 'both' || zip64 === 'directory'
    const extra = concat([
      in64 ? extra64(truth.size, truth.compressed, start) : new Uint8Array(0),
      member.extra ?? new Uint8Array(0),
    ])
    const comment = ascii(member.comment ?? '')
    const field = (value: number): number => (in64 ? 0xffffffff : value)
    directory.push(
      numbers(
        [4, 0x02014b50],
        [2, 45],
        [2, in64 ? 45 : 20],
        [2, flags],
        [2, method],
        [2, 0],
        [2, 0x21],
        [4, truth.crc],
        [4, field(truth.compressed)],
        [4, field(truth.size)],
        [2, name.length],
        [2, extra.length],
        [2, comment.length],
        [2, 0],
        [2, 0],
        [4, 0],
        [4, field(start)],
      ),
      name,
      extra,
      comment,
    )
    count++
  }
  const gap = options.gap ?? new Uint8Array(0)
  const entries = concat(directory)
  const start = options.directoryStart ?? at + gap.length
  const size = options.directorySize ?? entries.length
  const total = options.entries ?? count
  const comment = ascii(options.comment ?? '')
  const disk = options.disk ?? 0
  const end64Extra = options.end64Extra ?? new Uint8Array(0)
  const end64 =
    options.zip64 === true
      ? concat([
          numbers(
            [4, 0x06064b50],
            [8, 44 + end64Extra.length],
            [2, 45],
            [2, 45],
            [4, disk],
            [4, disk],
            [8, total],
            [8, total],
            [8, size],
            [8, start],
          ),
          end64Extra,
          numbers([4, 0x07064b50], [4, disk], [8, at + gap.length + entries.length], [4, 1]),
        ])
      : new Uint8Array(0)
  const short = (value: number, most: number): number => (options.zip64 === true ? most : value)
  const end = numbers(
    [4, 0x06054b50],
    [2, disk],
    [2, disk],
    [2, short(total, 0xffff)],
    [2, short(total, 0xffff)],
    [4, short(size, 0xffffffff)],
    [4, short(start, 0xffffffff)],
    [2, comment.length],
  )
  return concat([...parts, gap, entries, end64, end, comment])
}
