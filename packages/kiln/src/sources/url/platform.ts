import { unlessAborted } from '../abort.js'
import type { AbortSignalLike } from '../source.js'

/** What is used of `fetch`. That of browsers, Node, Deno, Bun and Workers fits, and so does a wrapper of it. */
export type FetchLike = (url: string, init: FetchInit) => Promise<ResponseLike>

/** What `fetch` is called with. */
export interface FetchInit {
  readonly method: 'GET' | 'HEAD'
  readonly headers: Record<string, string>
  readonly redirect: 'follow' | 'manual'
  readonly credentials?: 'omit' | 'same-origin' | 'include'
  /** An AbortSignal of the platform; of type never, which is assignable to the AbortSignal of any platform's types. */
  readonly signal: never
}

/** The part of a Response that is used. */
export interface ResponseLike {
  readonly status: number
  /** `opaqueredirect` where a browser hides that the server redirects. */
  readonly type?: string | undefined
  /** Where the answer came from, after redirects. */
  readonly url?: string | undefined
  readonly headers: { get(name: string): string | null }
  readonly body?: BodyLike | null | undefined
  arrayBuffer(): Promise<ArrayBufferLike>
}

/** The part of a ReadableStream of bytes that is used. */
export interface BodyLike {
  getReader(): BodyReader
  cancel(reason?: unknown): Promise<void>
}

export interface BodyReader {
  read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>
  cancel(reason?: unknown): Promise<void>
}

/** The part of a URL that is used. */
export interface UrlLike {
  readonly href: string
  readonly origin: string
  readonly protocol: string
  readonly username: string
  readonly password: string
  readonly pathname: string
  readonly search: string
}

interface Host {
  readonly URL: new (url: string, base?: string) => UrlLike
  readonly fetch?: FetchLike
  readonly location?: { readonly href?: string }
  setTimeout(run: () => void, milliseconds: number): unknown
  clearTimeout(timer: unknown): void
}

const host = globalThis as unknown as Host

/** The URL, relative to the page's own where there is a page; undefined if it is none. */
export function parseUrl(url: string, base: string | undefined = host.location?.href): UrlLike | undefined {
  try {
    return new host.URL(url, base)
  } catch {
    return undefined
  }
}

/** The platform's fetch, as it is when it is called: tests and service workers replace it. */
export const platformFetch: FetchLike = (url, init) => {
  if (typeof host.fetch !== 'function') throw new TypeError('this platform has no fetch')
  return host.fetch(url, init)
}

/** Waits; rejects with the signal's reason when it aborts first. */
export async function sleep(milliseconds: number, signal: AbortSignalLike): Promise<void> {
  let timer: unknown
  const waited = new Promise<void>((resolve) => {
    timer = host.setTimeout(resolve, milliseconds)
  })
  try {
    await unlessAborted(waited, signal)
  } finally {
    host.clearTimeout(timer)
  }
}
