import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const shared = process.env['KILN_SHARED'] ?? fileURLToPath(new URL('../../../../../shared', import.meta.url))

/** A file of test vectors, or why there is none. */
export interface VectorFile {
  readonly lines: readonly Record<string, unknown>[]
  readonly missing: string | undefined
}

/** Reads `vectors/NAME.jsonl` of the shared folder. */
export function vectorFile(name: string): VectorFile {
  const path = `${shared}/vectors/${name}.jsonl`
  if (!existsSync(path)) return { lines: [], missing: `${path} is missing; set KILN_SHARED to the folder that has it` }
  const lines = readFileSync(path, 'utf8').split('\n').filter((line) => line !== '')
  return { lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>), missing: undefined }
}
