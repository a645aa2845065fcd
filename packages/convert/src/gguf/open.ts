import { KilnError } from 'kiln-format'
import type { ByteSource } from 'kiln-format'
import { modelOf } from './model.js'
import type { GgufModel } from './model.js'
import { readFile } from './read-file.js'
import type { GgufOptions } from './read-file.js'
import { splitOf } from './split.js'
import { sourceGiven } from '../reading/arguments.js'

/** Options of {@link openGguf}. */
export interface OpenGgufOptions extends GgufOptions {
  /** Opens one file of a split set as if it were all, `split.*` keys included. Default false: it is refused. */
  readonly alone?: boolean | undefined
}

/**
 * Opens one GGUF file by reading its head: versions 2 and 3, both byte orders, every type of ggml. A
 * file of a split set is refused unless `alone` is set, because it is not the model: `openGgufSet`
 * opens the whole of it.
 *
 * Metadata: strings as they are; other values as text, with their types under `gguf:types`.
 *
 * Errors: `FRAME` for another magic or version; `EOF` for what does not fit into the file; `TYPE` for
 * duplicates, unknown types, wrong alignment and overlaps; `LIMIT` for what is over a cap, and for
 * arrays nested over 64 deep; `UTF8` for text that is not.
 */
export async function openGguf(given: ByteSource, options: OpenGgufOptions = {}): Promise<GgufModel> {
  const source = sourceGiven(given, options)
  const { head, omitted } = await readFile(source, options)
  const split = options.alone === true ? undefined : splitOf(head)
  if (split !== undefined) {
    throw new KilnError(
      'TYPE',
      `this is file ${split.no + 1} of a split set of ${split.count}: ` +
        'open the set by its folder, or this file with the option alone',
    )
  }
  return modelOf([{ source, head }], head.keyValues, omitted, () => Promise.resolve())
}
