import { KilnError } from 'kiln-format'
import type { HeadReader } from '../reading/head-reader.js'

/** `GGUF` in the order of the file, whatever its byte order, and what a writer makes of it that swaps it. */
const MAGIC = 0x46554747
const SWAPPED_MAGIC = 0x47475546

/**
 * Reads magic and version, and sets the reader's byte order. Versions 2 and 3 are read; 3 in both
 * byte orders, by which way round the version makes sense. Version 1 only where it is asked for.
 */
export async function readVersion(head: HeadReader, label: string, version1: boolean): Promise<number> {
  await head.need(8, `the magic and version of ${label}`)
  const magic = head.u32()
  if (magic === SWAPPED_MAGIC) {
    throw new KilnError(
      'FRAME',
      `${label} begins with FUGG, a magic with its bytes swapped: its writer was not one of GGUF`,
      0,
    )
  }
  if (magic !== MAGIC) throw new KilnError('FRAME', `${label} is no GGUF file: it does not begin with GGUF`, 0)
  const version = head.u32()
  if (version === 2 || version === 3) return version
  if (version === 1) {
    if (version1) return version
    throw new KilnError(
      'FRAME',
      `${label} is of GGUF version 1, which was given up in 2023: ` +
        'convert the model anew, or read it as it is with the option version1',
      4,
    )
  }
  // Big-endian files swap every number, the version too; the magic stays.
  const swapped = swap32(version)
  if (swapped === 3) {
    head.littleEndian = false
    return swapped
  }
  if (swapped === 1 || swapped === 2) {
    throw new KilnError(
      'FRAME',
      `${label} is a big-endian file of GGUF version ${swapped}; big-endian files exist from version 3 on`,
      4,
    )
  }
  throw new KilnError(
    'FRAME',
    `${label} is of GGUF version ${version}, which is not known; versions 2 and 3 are read`,
    4,
  )
}

function swap32(word: number): number {
  const view = new DataView(new ArrayBuffer(4))
  view.setUint32(0, word, true)
  return view.getUint32(0, false)
}
