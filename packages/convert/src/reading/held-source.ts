import { readRange, sourceOf, type ByteSource, type ReadOptions, type SourceInput } from 'kiln-format'
import type { Folder } from '../model.js'

const held = new WeakSet<ByteSource>()

/**
 * A source of anybody's, held to its promise: a read gives exactly the bytes that were asked for, or fails. So no
 * reader has to look at what it got: one that goes on until it has enough would never end. `TYPE` for what is no source.
 */
export function heldSource(input: SourceInput): ByteSource {
  const source = sourceOf(input)
  if (held.has(source)) return source
  const { size, label, readSize } = source
  const read: ByteSource['read'] = (offset, length, options) => readRange(source, offset, length, options)
  const own: ByteSource = { size, label, readSize, read, close: async () => source.close?.() }
  held.add(own)
  return own
}

/** Opens a file of a folder; what the folder gives is held to its promise too. */
export async function openInFolder(folder: Folder, name: string, options: ReadOptions | undefined): Promise<ByteSource> {
  return heldSource(await folder.open(name, options))
}
