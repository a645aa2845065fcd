import { viewOf } from '../bytes/view-of.js'
import { isKilnError, KilnError, moved } from '../errors/kiln-error.js'
import { checkBodyAvailable, checkBodyLength } from '../frame/decode.js'
import { FRAME_HEADER_SIZE, readFixedHeader, type FrameHeader } from '../frame/header.js'
import { chooseSchema, type SchemaRegistry } from '../frame/schema-choice.js'
import type { Settings } from '../limits/limits.js'
import type { Schema } from '../schema/types.js'
import type { SourceWindow } from './window.js'

/** A frame of a source whose head has been read and whose body is there. */
export interface FrameHead {
  readonly header: FrameHeader
  readonly schema: Schema
  /** Where the frame begins in the source, and where its body does. */
  readonly start: number
  readonly bodyStart: number
  /** Where the frame ends. */
  readonly end: number
}

/**
 * Reads the head of the frame at `start` by FORMAT §6, steps 1 to 4; the body's checksum, which takes all of it, is
 * `verifySource`'s. `torn` may say more of a frame that the end of the source cuts short.
 */
export async function readFrameHead(
  window: SourceWindow,
  start: number,
  registry: SchemaRegistry,
  settings: Settings,
  torn: (error: KilnError) => unknown = (error) => moved(error, start),
): Promise<FrameHead> {
  const available = window.source.size - start
  // What a read of the source throws is no word on the file, so it passes by; the checks are these.
  const check = <T>(step: () => T): T => {
    try {
      return step()
    } catch (error) {
      throw isKilnError(error) && error.code === 'EOF' ? torn(error) : moved(error, start)
    }
  }
  const fixed = await window.take(start, Math.min(FRAME_HEADER_SIZE, available))
  const header = check(() =>
    readFixedHeader(viewOf(fixed), 0, available),
  )
  const bytes = await window.take(start, header.headerSize)
  return check(() => {
    const schema = chooseSchema(bytes, 0, header, registry)
    checkBodyLength(header, settings, 0)
    checkBodyAvailable(header, available - header.headerSize, 0)
    const bodyStart = start + header.headerSize
    return { header, schema, start, bodyStart, end: bodyStart + header.bodyLength }
  })
}

/** `TRAILING` unless the frame is all that the source has. */
export function checkLastFrame(head: FrameHead, size: number): void {
  if (head.end === size) return
  throw new KilnError(
    'TRAILING',
    `${size - head.end} bytes follow the frame; framesOf goes through one frame after the other`,
    head.end,
  )
}
