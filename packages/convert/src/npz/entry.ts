/** A member of a zip, as the directory has it: that is what counts. */
export interface ZipEntry {
  readonly name: string
  /** The name's bytes, which the member's own header has to repeat. */
  readonly nameBytes: Uint8Array
  readonly flags: number
  readonly method: number
  readonly crc: number
  readonly compressedSize: number
  readonly size: number
  /** Where the member's own header begins. */
  readonly headerStart: number
}

export const STORED = 0
export const DEFLATED = 8

/** Flags of a member: its bytes are encrypted, its sizes follow it, its name is UTF-8. */
export const ENCRYPTED = 0x0001
export const DESCRIPTOR = 0x0008
export const UTF8_NAME = 0x0800

/** Whether a flag, one of the above, is among a member's flags. */
export function hasFlag(flags: number, flag: number): boolean {
  return Math.floor(flags / flag) % 2 === 1
}

/** Names of the methods that a zip may be of, for messages. */
const METHODS: ReadonlyMap<number, string> = new Map([
  [STORED, 'stored'],
  [1, 'shrunk'],
  [6, 'imploded'],
  [DEFLATED, 'deflated'],
  [9, 'Deflate64'],
  [12, 'bzip2'],
  [14, 'LZMA'],
  [93, 'Zstandard'],
  [95, 'xz'],
  [99, 'AES'],
])

export function methodName(method: number): string {
  return METHODS.get(method) ?? `method ${method}`
}

export const ZIP64_EXTRA = 0x0001
/** What a 32-bit field says whose value is in the extra field. */
export const IN_EXTRA = 0xffffffff

/**
 * The 64-bit values of a ZIP64 extra field, in place of those of `fields` that say that they are there;
 * undefined if the extra field does not have them.
 */
export function zip64Values(fields: readonly number[], extra: Uint8Array): number[] | undefined {
  if (!fields.includes(IN_EXTRA)) return [...fields]
  const view = new DataView(extra.buffer, extra.byteOffset, extra.byteLength)
  for (let at = 0; at + 4 <= extra.length;) {
    const id = view.getUint16(at, true)
    const end = at + 4 + view.getUint16(at + 2, true)
    if (end > extra.length) return undefined
    if (id === ZIP64_EXTRA) {
      let next = at + 4
      const values: number[] = []
      for (const field of fields) {
        if (field !== IN_EXTRA) values.push(field)
        else if (next + 8 > end) return undefined
        else {
          values.push(Number(view.getBigUint64(next, true)))
          next += 8
        }
      }
      return values
    }
    at = end
  }
  return undefined
}
