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
  if (scheme === 'file') return { kind: 'path', path: pathOfUrl(input) }
  if (scheme !== undefined) throw new UsageError(`${scheme}: is not read; files, http: and https: are`)
  return { kind: 'path', path: input }
}

function pathOfUrl(url: string): string {
  try {
    return fileURLToPath(url)
  } catch (error) {
    throw new UsageError(`${url} names no file of this machine (${(error as Error).message}); write file:///folder/file, or the path itself`)
  }
}

/** The last part of a URL's path, as it was before it was written as a URL. */
export function fileNameOfUrl(url: string): string {
  const part = URL.canParse(url) ? new URL(url).pathname.replace(/.*\//s, '') : ''
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
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
