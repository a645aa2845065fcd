import { viewOf } from '../bytes/view-of.js'
import { KilnError, moved } from '../errors/kiln-error.js'
import type { Settings } from '../limits/limits.js'
import { HEADER_SIZE } from '../tensors/header.js'
import { TensorTable } from '../tensors/table.js'
import type { SourceWindow } from './window.js'

/**
 * Reads the table of the directory at `start` and checks it (FORMAT §4, steps 1 to 7); no payload is read. `available`
 * counts from `start` to the end of what the directory may take.
 */
export async function openTable(
  window: SourceWindow,
  start: number,
  available: number,
  settings: Settings,
): Promise<TensorTable> {
  const table = new TensorTable()
  const head = await window.take(start, Math.min(HEADER_SIZE, available))
  try {
    table.loadHeader(head, viewOf(head), 0, available, settings.limits.tensors)
    const { payloadBase } = table
    const bytes = await window.take(start, payloadBase)
    table.loadHeader(bytes, viewOf(bytes), 0, available, settings.limits.tensors)
    // Another header than a moment ago, with a table that isn't all here: the source's own memory may be the caller's.
    if (table.payloadBase > bytes.length) throw new KilnError('FRAME', 'the directory changed while it was read', 0)
    table.check(settings.strict)
    return table
  } catch (error) {
    throw moved(error, start)
  }
}
