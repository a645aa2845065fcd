import type { ByteSource } from 'kiln-format'
import type { Omission } from '../model.js'
import { explain } from '../sniff/explain.js'
import { checkLayout } from './layout.js'
import { readHead } from './read-head.js'
import type { GgufHead, HeadOptions } from './read-head.js'

/** Options of the GGUF reader. */
export type GgufOptions = HeadOptions

const EXPECTED = { kinds: ['gguf'], what: 'a GGUF file' } as const

/** Reads and checks the head of one file, its layout too, and no payload beyond the window's end. */
export async function readFile(
  source: ByteSource,
  options: GgufOptions,
): Promise<{ head: GgufHead; omitted: Omission[] }> {
  try {
    const head = await readHead(source, options)
    return { head, omitted: checkLayout(head, source.size) }
  } catch (error) {
    throw await explain(error, source, EXPECTED, options)
  }
}
