import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { bytesSource, KilnError, type ByteSource } from 'kiln-format'
import { openFile } from 'kiln-format/node'
import { inFile } from '../terminal/failure.js'
import type { Terminal } from '../terminal/terminal.js'
import { labelOf } from './label.js'

/**
 * The bytes that an argument names: a file, or `-` for standard input. A pipe can't be read by position, so what
 * comes through one is held in memory.
 */
export async function openSource(input: string, terminal: Terminal): Promise<ByteSource> {
  return inFile(labelOf(input), async () => {
    if (input === '-') return bytesSource(await collected(terminal.stdin()), labelOf(input))
    if (await isPipe(input)) return bytesSource(await collected(createReadStream(input)), input)
    return openFile(input)
  })
}

async function isPipe(path: string): Promise<boolean> {
  return stat(path).then((s) => s.isFIFO() || s.isCharacterDevice(), () => false)
}

async function collected(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of stream) {
    chunks.push(chunk)
    length += chunk.length
  }
  try {
    return Buffer.concat(chunks, length)
  } catch {
    throw new KilnError('LIMIT', `${length} bytes come through the pipe, more than this process can hold; save them to a file and name that`)
  }
}
