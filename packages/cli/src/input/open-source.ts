import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { bytesSource, urlSource, type ByteSource } from 'kiln-format'
import { openFile } from 'kiln-format/node'
import { inFile } from '../terminal/failure.js'
import type { Terminal } from '../terminal/terminal.js'
import { collected } from './collected.js'
import { labelOf } from './label.js'
import { placeOf } from './url.js'

/**
 * The bytes that an argument names: a file, a URL, or `-` for standard input. A pipe can't be read by position, so
 * what comes through one is held in memory. Headers are for a URL, and go to its own origin alone.
 */
export async function openSource(input: string, terminal: Terminal, headers: readonly (readonly [string, string])[] = []): Promise<ByteSource> {
  const place = placeOf(input)
  return inFile(labelOf(input), async () => {
    if (place.kind === 'stdin') return bytesSource(await collected(terminal.stdin()), labelOf(input))
    if (place.kind === 'url') return urlSource(place.url, { headers })
    if (await isPipe(place.path)) return bytesSource(await collected(createReadStream(place.path)), input)
    return openFile(place.path)
  })
}

async function isPipe(path: string): Promise<boolean> {
  return stat(path).then((s) => s.isFIFO() || s.isCharacterDevice(), () => false)
}
