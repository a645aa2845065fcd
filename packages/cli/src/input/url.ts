import { fileURLToPath } from 'node:url'
import { UsageError } from '../terminal/usage-error.js'

/** What an argument names: a page of the web, standard input, or a path of this machine. */
export type Place =
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'stdin' }
  | { readonly kind: 'path'; readonly path: string }

/** A scheme has two letters or more: `c:/models` is a drive. */
const SCHEME = /^([a-z][a-z0-9+.-]+):\/\//i

export function placeOf(input: string): Place {
  if (input === '-') return { kind: 'stdin' }
  const scheme = SCHEME.exec(input)?.[1]?.toLowerCase()
  if (scheme === 'http' || scheme === 'https') return { kind: 'url', url: input }
  if (scheme === 'file') return { kind: 'path', path: fileURLToPath(input) }
  if (scheme !== undefined) throw new UsageError(`${scheme}: is not read; files, http: and https: are`)
  return { kind: 'path', path: input }
}

/** The headers of `--header 'Name: value'`, given any number of times. */
export function headersOf(lines: readonly string[] | undefined): [string, string][] {
  return (lines ?? []).map((line) => {
    const colon = line.indexOf(':')
    // The value may be a secret and is not said again.
    if (colon < 1) throw new UsageError('a header is written --header \'Name: value\'')
    return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()]
  })
}
