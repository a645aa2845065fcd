import { KilnError, readFrameHeader, type ByteSource, type FrameInfo } from 'kiln-format'

/** A frame of a file, by its header. */
export interface FoundFrame extends FrameInfo {
  /** Where it begins, in bytes from the start of the file. */
  readonly offset: number
}

const FIXED = 32
const HEADER_SIZE_AT = 8

/** The frames of a file one after the other, by their headers alone: no body is read. */
export async function* frameHeaders(source: ByteSource): AsyncGenerator<FoundFrame> {
  for (let offset = 0; offset < source.size; ) {
    const fixed = await source.read(offset, Math.min(FIXED, source.size - offset))
    const claimed = fixed.length === FIXED ? new DataView(fixed.buffer, fixed.byteOffset, FIXED).getUint32(HEADER_SIZE_AT, true) : 0
    const info = await located(offset, async () => {
      const header = await source.read(offset, Math.min(Math.max(claimed, fixed.length), 65_600, source.size - offset))
      const read = readFrameHeader(header)
      const left = source.size - offset - read.headerSize
      if (read.bodyLength > left) throw new KilnError('EOF', `the body takes ${read.bodyLength} bytes, ${left} are left`, 24)
      return read
    })
    yield { ...info, offset }
    offset += info.headerSize + info.bodyLength
  }
}

/** Offsets in errors count from the file's first byte, not from the frame's. */
async function located<T>(offset: number, step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    if (!(error instanceof KilnError) || error.offset === undefined || offset === 0) throw error
    throw new KilnError(error.code, error.detail, error.offset + offset, { cause: error })
  }
}
