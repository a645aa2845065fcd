import { type Hex, align64, size, u16, u32, u64, u8, utf8, zeros } from './hex.js'

export const SCHEMA = 1
export const CHECKSUM = 2

/** Where the fields of a frame's header stand (FORMAT §6). */
export const FRAME = {
  magic: 0,
  version: 4,
  flags: 5,
  reserved: 6,
  headerSize: 8,
  checksum: 12,
  hash: 16,
  bodyLength: 24,
  text: 32,
} as const

/** A schema with its hash, which a program apart from the library and the reference worked out. */
export interface Hashed {
  readonly text: string
  readonly hash: bigint
}

export const U8: Hashed = { text: 'u8', hash: 0x4d3ccb193e937808n }
export const BOOL: Hashed = { text: 'bool', hash: 0x585b01b29d333d27n }
export const STRING: Hashed = { text: 'string', hash: 0x80eb68b1f909c988n }
export const LIST: Hashed = { text: 'list<u16>', hash: 0x18b87dc0e0f5ed8bn }
export const ID_BATCH: Hashed = { text: 'struct{id:i64,batch:tensors,}', hash: 0xe58aadc7552f0d82n }
export const MODEL: Hashed = {
  text: 'struct{tensors:tensors,metadata:dict<string,string>,}',
  hash: 0x4b4f62193845a09fn,
}
/** Two schemas of one hash. */
export const COLLIDING_A: Hashed = { text: 'struct{jGqNUqh7_9B:u8,}', hash: 0x7c3265047475fd6en }
export const COLLIDING_B: Hashed = { text: 'struct{kXDMO9RWEzE:u8,}', hash: 0x7c3265047475fd6en }

export interface FrameParts {
  readonly schema: Hashed
  readonly body: Hex
  readonly flags?: number
  /** CRC-32 of the body, stated by hand. */
  readonly checksum?: number
  /** Schema text other than that of `schema`, as its bytes. */
  readonly text?: Hex
  readonly headerSize?: number
  readonly bodyLength?: number | bigint
}

/** The bytes of a frame; what is not said is as a writer makes it. */
export function frame(parts: FrameParts): Hex {
  const flags = parts.flags ?? 0
  const text = flags % 2 === SCHEMA ? (parts.text ?? utf8(parts.schema.text)) : ''
  const headerSize = parts.headerSize ?? (text === '' && flags % 2 === 0 ? 32 : align64(32 + size(text)))
  return (
    utf8('KILF') +
    u8(1) +
    u8(flags) +
    u16(0) +
    u32(headerSize) +
    u32(parts.checksum ?? 0) +
    u64(parts.schema.hash) +
    u64(parts.bodyLength ?? size(parts.body)) +
    text +
    zeros(Math.max(0, headerSize - 32 - size(text))) +
    parts.body
  )
}
