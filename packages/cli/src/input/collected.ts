import { constants } from 'node:buffer'
import { totalmem } from 'node:os'
import { KilnError } from 'kiln-format'
import { sizeText } from '../terminal/units.js'

/** The most bytes of a pipe that are held: they lie in pieces first and then once more in a row, beside all else. */
function mostHeld(): number {
  // What a container allows, where there is one: 0 or beyond all memory if there is none.
  const allowed = process.constrainedMemory?.() ?? 0
  const memory = allowed > 0 ? Math.min(allowed, totalmem()) : totalmem()
  return Math.min(Math.floor(memory / 4), constants.MAX_LENGTH)
}

/** All that comes through a pipe; `LIMIT` for more than this machine can hold, such as from a pipe without an end. */
export async function collected(stream: AsyncIterable<Uint8Array>, most: number = mostHeld()): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of stream) {
    chunks.push(chunk)
    length += chunk.length
    if (length > most) throw tooMuch(most)
  }
  try {
    return Buffer.concat(chunks, length)
  } catch {
    throw tooMuch(length)
  }
}

function tooMuch(bytes: number): KilnError {
  return new KilnError('LIMIT', `over ${sizeText(bytes)} come through the pipe, more than is held in memory; save them to a file and name that`)
}
