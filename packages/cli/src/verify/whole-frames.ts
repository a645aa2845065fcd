import { crc32, isKilnError, KilnError, type ByteSink, type ByteSource } from 'kiln-format'
import { frameHeaders, type FoundFrame } from '../inspect/frames.js'

/** The whole frames at the front of a file, and why what follows is none. */
export interface WholeFrames {
  readonly frames: number
  /** Bytes of them all. */
  readonly length: number
  /** What is wrong with the frame after the last whole one; undefined if there is none. */
  readonly fault: KilnError | undefined
}

const PIECE = 2 ** 20

/**
 * Finds how far a file of frames is whole, such as a log whose writer was cut off: heads are checked, bodies are there,
 * and checksums, where frames have them, match. A file without one whole frame is its fault.
 */
export async function wholeFrames(source: ByteSource, passed: (bytes: number) => void): Promise<WholeFrames> {
  let frames = 0
  let length = 0
  try {
    for await (const frame of frameHeaders(source)) {
      await checkBody(source, frame, passed)
      frames++
      length = frame.offset + frame.headerSize + frame.bodyLength
    }
  } catch (error) {
    if (!isKilnError(error) || frames === 0) throw error
    return { frames, length, fault: error }
  }
  if (frames === 0) throw new KilnError('EOF', 'the file is empty; there is no frame to keep', 0)
  return { frames, length, fault: undefined }
}

async function checkBody(source: ByteSource, { offset, headerSize, bodyLength, checksum }: FoundFrame, passed: (bytes: number) => void): Promise<void> {
  if (checksum === undefined) return
  let computed = 0
  for (let at = 0; at < bodyLength; at += PIECE) {
    const piece = await source.read(offset + headerSize + at, Math.min(PIECE, bodyLength - at))
    computed = crc32(piece, computed)
    passed(piece.length)
  }
  if (computed === checksum) return
  throw new KilnError('CHECKSUM', 'the frame\'s CRC-32 is not that of its body', offset)
}

/** Copies the front of a file. */
export async function copyFront(source: ByteSource, length: number, sink: ByteSink): Promise<void> {
  for (let at = 0; at < length; at += PIECE) await sink.write(await source.read(at, Math.min(PIECE, length - at)))
}
