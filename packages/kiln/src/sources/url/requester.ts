import { describe } from '../../bytes/input.js'
import { KilnError, isKilnError } from '../../errors/kiln-error.js'
import type { AbortSignalLike } from '../source.js'
import type { UrlSettings } from './options.js'
import { parseUrl, type FetchInit, type ResponseLike, type UrlLike } from './platform.js'
import { TryAgain } from './retry.js'

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308]
const MAX_REDIRECTS = 10
/** What a server says to a URL that was signed for a time which has passed. */
const EXPIRED: readonly number[] = [401, 403, 404, 410]

interface Place {
  readonly url: UrlLike
  /** Whether all the way here was on the caller's origin, so that the caller's headers may go there. */
  readonly own: boolean
}

/** Lets go of an answer whose body nobody wants; the connection is then free, or closed. */
export function discard(response: ResponseLike): void {
  void response.body?.cancel().catch(() => undefined)
}

/**
 * Sends requests to a URL. Knows about redirects: which of them are followed, with what headers, and where the
 * last one led, so that the next request need not go the same way again.
 */
export class Requester {
  readonly #settings: UrlSettings
  readonly #original: Place
  #last: Place

  constructor(settings: UrlSettings) {
    this.#settings = settings
    this.#original = { url: settings.url, own: true }
    this.#last = this.#original
  }

  /** The answer, whatever its status, once no redirect is left. `range` is the value of a Range header. */
  async send(method: 'GET' | 'HEAD', range: string | undefined, signal: AbortSignalLike): Promise<ResponseLike> {
    const from = this.#last
    const response = await this.#follow(from, method, range, signal)
    if (from === this.#original || !EXPIRED.includes(response.status)) return response
    discard(response)
    this.#last = this.#original
    return this.#follow(this.#original, method, range, signal)
  }

  async #follow(
    from: Place,
    method: 'GET' | 'HEAD',
    range: string | undefined,
    signal: AbortSignalLike,
  ): Promise<ResponseLike> {
    let place = from
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      const response = await this.#fetch(place, method, range, signal)
      if (response.type === 'opaqueredirect') {
        discard(response)
        throw this.#hiddenRedirect()
      }
      const location = REDIRECTS.includes(response.status) ? response.headers.get('location') : null
      if (location === null) {
        this.#last = this.#arrived(place, response)
        return response
      }
      discard(response)
      place = this.#next(place, location)
    }
    throw new KilnError(
      'FRAME',
      `${this.#settings.label}: the server redirects in a circle, or more than ${MAX_REDIRECTS} times`,
    )
  }

  async #fetch(
    place: Place,
    method: 'GET' | 'HEAD',
    range: string | undefined,
    signal: AbortSignalLike,
  ): Promise<ResponseLike> {
    const { headers, credentials, fetch, label } = this.#settings
    // Nothing secret goes along: the platform may follow by itself, which browsers do better than we could.
    const nothingToGuard = !place.own || (Object.keys(headers).length === 0 && credentials !== 'include')
    const init: FetchInit = {
      method,
      headers: {
        ...(place.own ? headers : {}),
        // Of a compressed body no part can be cut out. Browsers leave the header out and ask for identity with ranges.
        'Accept-Encoding': 'identity',
        ...(range === undefined ? {} : { Range: range }),
      },
      redirect: nothingToGuard ? 'follow' : 'manual',
      ...(place.own ? (credentials === undefined ? {} : { credentials }) : { credentials: 'omit' }),
      signal: signal as never,
    }
    let response: ResponseLike
    try {
      response = await fetch(place.url.href, init)
    } catch (cause) {
      signal.throwIfAborted()
      if (isKilnError(cause)) throw cause
      throw new TryAgain(connectionFault(label, cause))
    }
    if (isResponse(response)) return response
    throw new KilnError('TYPE', `${label}: fetch has to give a Response, it gave ${describe(response)}`)
  }

  /** Where the platform's own following has led. */
  #arrived(place: Place, response: ResponseLike): Place {
    if (response.url === undefined || response.url === '') return place
    const url = parseUrl(response.url)
    if (url === undefined || url.href === place.url.href) return place
    return { url: this.#checkScheme(url), own: place.own && url.origin === this.#original.url.origin }
  }

  #next(place: Place, location: string): Place {
    const url = parseUrl(location, place.url.href)
    if (url === undefined)
      throw new KilnError('FRAME', `${this.#settings.label}: the server redirects to what is no URL`)
    return { url: this.#checkScheme(url), own: place.own && url.origin === this.#original.url.origin }
  }

  #checkScheme(url: UrlLike): UrlLike {
    if (url.protocol === 'https:' || url.protocol === this.#original.url.protocol) return url
    throw new KilnError(
      'FRAME',
      `${this.#settings.label}: the server redirects to ${url.protocol}, which is not followed`,
    )
  }

  #hiddenRedirect(): KilnError {
    return new KilnError(
      'FRAME',
      `${this.#settings.label}: the server redirects, and the browser doesn't say where, so headers might go to ` +
        'another origin; give the URL that it redirects to, or leave them out',
    )
  }
}

function isResponse(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { status, headers } = value as Partial<ResponseLike>
  return typeof status === 'number' && typeof headers?.get === 'function'
}

/** `EOF`: the bytes can't be had. Says what the platform says of it. */
export function connectionFault(label: string, cause: unknown, offset?: number): KilnError {
  const { message, cause: inner } = (typeof cause === 'object' && cause !== null ? cause : {}) as {
    message?: unknown
    cause?: unknown
  }
  const code = typeof inner === 'object' && inner !== null ? (inner as { code?: unknown }).code : undefined
  const said = [message, code].filter((text) => typeof text === 'string' && text !== '').join(', ')
  const inPage = 'document' in globalThis ? '; the server may not allow pages of this origin (CORS)' : ''
  return new KilnError('EOF', `${label}: the connection failed (${said || 'no reason given'})${inPage}`, offset, {
    cause,
  })
}
