import { KilnError, type ByteSource, type ReadOptions } from 'kiln-format'
import type { ForeignModel } from '../model.js'
import type { FileKind } from '../sniff/kinds.js'
import { sniff, SNIFFED } from '../sniff/sniff.js'
import { openerFor } from './openers.js'
import type { ForeignOptions } from './options.js'
import { sourceGiven } from '../reading/arguments.js'

/**
 * What a source is, by its first 4,096 bytes, and by its name (default its label) where they leave it open. Fails as the
 * source's `read` does, such as with `EOF`; content that is nothing known is no error.
 */
export async function sniffSource(
  given: ByteSource,
  name?: string,
  options?: ReadOptions,
): Promise<FileKind> {
  const source = sourceGiven(given, options)
  return sniff(await source.read(0, Math.min(source.size, SNIFFED), options), name ?? source.label)
}

/**
 * Opens a file of any format that this package reads, by its content: safetensors, GGUF, NPY, NPZ, ONNX,
 * a single ONNX tensor, TensorFlow.js. With `folder` the index or any file of a set opens the whole set;
 * without it, a file of a set is `TYPE`, unless `alone` is set.
 *
 * A file that is something else is `FRAME`, in words that say what it is and what to do; that holds for a
 * Kiln file too, which needs no converter (see {@link sniffSource}). An empty one is `EOF`. Other errors
 * are those of the format's own function. `source` stays the caller's to close, after the model.
 */
export async function openForeign(given: ByteSource, options: ForeignOptions = {}): Promise<ForeignModel> {
  const source = sourceGiven(given, options)
  const name = options.name ?? lastPart(source.label)
  const kind = await sniffSource(source, name, options)
  const open = openerFor(kind, name)
  if (open !== undefined) return open({ source, name, options })
  throw new KilnError(kind.name === 'empty' ? 'EOF' : 'FRAME', `this is ${kind.what}; ${kind.advice}`, 0)
}

/** The name at the end of a path or of a URL. */
function lastPart(label: string): string {
  const path = /^[a-z][a-z0-9+.-]+:\/\//i.test(label) ? label.replace(/[?#].*$/s, '') : label
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
}
