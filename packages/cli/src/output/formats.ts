import { basename, extname } from 'node:path'
import { UsageError } from '../terminal/usage-error.js'

/** The formats that are written. */
export type OutputFormat = 'kiln' | 'safetensors' | 'gguf' | 'npy' | 'npz'

const FORMATS: readonly OutputFormat[] = ['kiln', 'safetensors', 'gguf', 'npy', 'npz']

/** The format that is asked for by name, else the one of the file's extension. */
export function outputFormat(path: string, named: string | undefined): OutputFormat {
  const wanted = named ?? (path.endsWith('.safetensors.index.json') ? 'safetensors' : extname(basename(path)).slice(1).toLowerCase())
  const format = FORMATS.find((known) => known === wanted)
  if (format !== undefined) return format
  throw new UsageError(
    named === undefined
      ? `what to write can't be told from the name "${path}"; end it with ${FORMATS.map((known) => `.${known}`).join(', ')}, or say --to FORMAT`
      : `"${named}" is not written; there are ${FORMATS.join(', ')}`,
  )
}
