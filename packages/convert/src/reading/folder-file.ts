import { isKilnError, type ByteSource, type ReadOptions } from 'kiln-format'
import type { Folder } from '../model.js'
import { heldSource } from './held-source.js'

/** Opens a file of the folder; a missing one is `EOF`. */
export async function openIn(folder: Folder, name: string, options?: ReadOptions): Promise<ByteSource> {
  return heldSource(await folder.open(name, options))
}

/** As {@link openIn}; undefined where there is no such file. */
export async function openOrMissing(folder: Folder, name: string, options?: ReadOptions): Promise<ByteSource | undefined> {
  try {
    return await openIn(folder, name, options)
  } catch (error) {
    if (isKilnError(error) && error.code === 'EOF') return undefined
    throw error
  }
}
