import { describe } from '../../bytes/input.js'
import { KilnError } from '../../errors/kiln-error.js'
import { checkFunction, checkOptions, wholeNumber } from '../../limits/options.js'
import type { ReadOptions } from '../source.js'
import { parseUrl, platformFetch, type FetchLike, type UrlLike } from './platform.js'

/** Options of `urlSource`: how it asks, how often, and how much it keeps. */
export interface UrlSourceOptions extends ReadOptions {
  /**
   * Headers of every request, such as `{ Authorization: 'Bearer …' }`. They go to the URL's own origin alone: a
   * redirect to another is followed without them.
   */
  readonly headers?: { readonly [name: string]: string } | Iterable<readonly [string, string]> | undefined
  /** Whether the browser sends cookies, as in `fetch`; never to another origin. Elsewhere it says nothing. */
  readonly credentials?: 'omit' | 'same-origin' | 'include' | undefined
  /** Used instead of the platform's `fetch`. */
  readonly fetch?: FetchLike | undefined
  /** The size in bytes, if it is known and the server can't be asked (see {@link urlSource}). */
  readonly size?: number | undefined
  /** A server that knows no ranges sends everything; up to this many bytes it is kept in memory. Default 64 MiB. */
  readonly wholeBodyLimit?: number | undefined
  /** Bytes that the first request asks for and that are kept. Default 192 KiB: the table of some 1,000 tensors. */
  readonly prefetch?: number | undefined
  /** How often a request that failed is made again. Default 4. */
  readonly retries?: number | undefined
  /** Milliseconds before the first of these; each next wait is twice as long, less some chance. Default 250. */
  readonly retryDelay?: number | undefined
  /** The longest wait, in milliseconds. A server that asks for more (Retry-After) is not waited for. Default 30,000. */
  readonly maxRetryDelay?: number | undefined
  /** Requests at a time; more wait for their turn. Default 6, as browsers have it. */
  readonly concurrency?: number | undefined
  /** Bytes that one request asks for where a long range is gone through. Default 8 MiB. */
  readonly readSize?: number | undefined
  /** What to call it in messages. Default: the URL without query, which may hold a signature. */
  readonly label?: string | undefined
}

/** Options with nothing left out. */
export interface UrlSettings {
  readonly url: UrlLike
  readonly label: string
  readonly headers: Readonly<Record<string, string>>
  readonly credentials: 'omit' | 'same-origin' | 'include' | undefined
  readonly fetch: FetchLike
  readonly size: number | undefined
  readonly wholeBodyLimit: number
  readonly prefetch: number
  readonly retries: number
  readonly retryDelay: number
  readonly maxRetryDelay: number
  readonly concurrency: number
  readonly readSize: number
}

/** Checks the URL and the options; anything that is wrong with them is `TYPE`. */
export function urlSettings(given: string | { readonly href: string }, options: UrlSourceOptions): UrlSettings {
  checkOptions(options)
  const text: unknown = typeof given === 'object' && given !== null ? given.href : given
  const url = typeof text === 'string' ? parseUrl(text) : undefined
  if (url === undefined) throw new KilnError('TYPE', `${typeof text === 'string' ? JSON.stringify(text) : describe(given)} is no URL`)
  checkFunction(options.fetch, 'fetch')
  const { credentials } = options
  if (credentials !== undefined && !['omit', 'same-origin', 'include'].includes(credentials)) {
    throw new KilnError('TYPE', `credentials are 'omit', 'same-origin' or 'include', got ${describe(credentials)}`)
  }
  const label = options.label ?? `${url.origin}${url.pathname}${url.search === '' ? '' : '?…'}`
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new KilnError(
      'TYPE',
      `${url.protocol} is not read, http: and https: are; for a file there is openFile of kiln-format/node`,
    )
  }
  if (url.username !== '' || url.password !== '') {
    throw new KilnError(
      'TYPE',
      `${label}: a user name or password can't stand in the URL; give { headers: { Authorization: 'Basic …' } }`,
    )
  }
  return {
    url,
    label,
    headers: checkHeaders(options.headers),
    credentials,
    fetch: options.fetch ?? platformFetch,
    size: options.size === undefined ? undefined : wholeNumber(options.size, 'size', 0, 0),
    wholeBodyLimit:
      wholeNumber(options.wholeBodyLimit, 'wholeBodyLimit', 64 * 2 ** 20, 0, true),
    prefetch: wholeNumber(options.prefetch, 'prefetch', 192 * 1024, 1),
    retries: wholeNumber(options.retries, 'retries', 4, 0),
    retryDelay: wholeNumber(options.retryDelay, 'retryDelay', 250, 0),
    maxRetryDelay: wholeNumber(options.maxRetryDelay, 'maxRetryDelay', 30_000, 0),
    concurrency: wholeNumber(options.concurrency, 'concurrency', 6, 1),
    readSize: wholeNumber(options.readSize, 'readSize', 8 * 2 ** 20, 1),
  }
}

const OURS = ['range', 'accept-encoding']

function checkHeaders(given: UrlSourceOptions['headers']): Record<string, string> {
  if (given !== undefined && (typeof given !== 'object' || given === null)) {
    throw new KilnError('TYPE', `headers are an object or a list of name and value, got ${describe(given)}`)
  }
  const entries: readonly unknown[] = given === undefined ? [] : Symbol.iterator in given ? [...given] : Object.entries(given)
  const headers: Record<string, string> = {}
  for (const entry of entries) {
    if (!Array.isArray(entry)) throw new KilnError('TYPE', `a header is a name and a value, got ${describe(entry)}`)
    const [name, value]: readonly unknown[] = entry
    if (typeof name !== 'string' || !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) {
      throw new KilnError('TYPE', `${describe(name)} is no name of a header`)
    }
    if (OURS.includes(name.toLowerCase())) throw new KilnError('TYPE', `the header ${name} is set by urlSource itself`)
    // What a header can't hold, fetch refuses with an error that looks like a lost connection. The value may be secret.
    if (typeof value !== 'string' || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      throw new KilnError(
        'TYPE',
        `the value of the header ${name} has characters that no header can have, such as a line break`,
      )
    }
    headers[name] = value
  }
  return headers
}
