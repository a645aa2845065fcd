import { KilnError } from '../../errors/kiln-error.js'
import type { ResponseLike } from './platform.js'
import { retryAfter, TryAgain } from './retry.js'

/** What an answer to a request for a range turned out to be. */
export type Answer =
  /** The range, or less of it. Sizes are undefined where the server, or a browser's rules, hide them. */
  | { readonly kind: 'part'; readonly length: number | undefined; readonly total: number | undefined }
  /** Everything, from the first byte on. `length` is undefined where it isn't told, or told of compressed bytes. */
  | { readonly kind: 'whole'; readonly length: number | undefined }
  /** There is no such range. */
  | { readonly kind: 'beyond'; readonly total: number | undefined }

const TRANSIENT: readonly number[] = [408, 425, 429, 500, 502, 503, 504]

/** What platforms undo by themselves, so that a body sent whole arrives as the file is. */
const DECODED: readonly string[] = ['gzip', 'x-gzip', 'deflate', 'br']

/** Judges the head of an answer to `Range: bytes=offset-(offset+length-1)`. */
export function judge(response: ResponseLike, offset: number, length: number, label: string): Answer {
  const { status } = response
  const frame = (detail: string): KilnError => new KilnError('FRAME', `${label}: ${detail}`, offset)
  if (status === 206) return judgePart(response, offset, length, frame)
  if (status === 200) {
    const encoding = contentEncoding(response)
    if (encoding !== undefined && !DECODED.includes(encoding))
      throw frame(`the server sends the file as ${encoding}, which is not undone`)
    return { kind: 'whole', length: encoding === undefined ? contentLength(response) : undefined }
  }
  if (status === 416) return { kind: 'beyond', total: contentRange(response)?.total }
  throw statusFault(response, label, offset)
}

function judgePart(
  response: ResponseLike,
  offset: number,
  length: number,
  frame: (detail: string) => KilnError,
): Answer {
  if (response.headers.get('content-type')?.toLowerCase().startsWith('multipart/byteranges') === true)
    throw frame('the server sends one range as several')
  const encoding = contentEncoding(response)
  if (encoding !== undefined)
    throw frame(`the server sends parts of the file compressed (${encoding}); switch that off for this file`)
  const range = contentRange(response)
  if (range?.start === undefined || range.end === undefined) {
    const told = contentLength(response)
    if (told !== undefined && told > length) throw frame(`${length} bytes were asked for, ${told} are answered`)
    return { kind: 'part', length: told, total: range?.total }
  }
  const { start, end, total } = range
  if (start !== offset || end < start || end - start + 1 > length || (total !== undefined && end >= total)) {
    throw frame(
      `bytes ${offset} to ${offset + length - 1} were asked for, ${start} to ${end} of ${total ?? '*'} are answered`,
    )
  }
  return { kind: 'part', length: end - start + 1, total }
}

/** `EOF`: the server says no. After a transient no it is worth asking again. */
export function statusFault(response: ResponseLike, label: string, offset?: number): KilnError | TryAgain {
  const { status } = response
  const what =
    status === 401 || status === 403
      ? 'it is not permitted; give what the server wants by { headers }'
      : status === 404 || status === 410
        ? 'there is no such file'
        : TRANSIENT.includes(status)
          ? 'the server is busy or out of order'
          : 'that is no answer to a request for a part of a file'
  const error = new KilnError('EOF', `${label}: the server answers with ${status}: ${what}`, offset)
  return TRANSIENT.includes(status) ? new TryAgain(error, retryAfter(response.headers.get('retry-after'))) : error
}

interface ContentRange {
  readonly start: number | undefined
  readonly end: number | undefined
  readonly total: number | undefined
}

/** `bytes 0-9/100`, with an asterisk for either part. Undefined where it is missing, hidden or nonsense. */
export function contentRange(response: ResponseLike): ContentRange | undefined {
  const match = /^\s*bytes\s+(?:(\d+)\s*-\s*(\d+)|\*)\s*\/\s*(\d+|\*)\s*$/i.exec(
    response.headers.get('content-range') ?? '',
  )
  if (match === null) return undefined
  const [, start, end, total] = match
  return { start: size(start), end: size(end), total: total === '*' ? undefined : size(total) }
}

/** The size of the body, unless it is compressed. */
export function contentLength(response: ResponseLike): number | undefined {
  const header = response.headers.get('content-length')
  return header !== null && /^\s*\d+\s*$/.test(header) ? size(header) : undefined
}

export function contentEncoding(response: ResponseLike): string | undefined {
  const encoding = response.headers.get('content-encoding')?.trim().toLowerCase()
  return encoding === undefined || encoding === '' || encoding === 'identity' ? undefined : encoding
}

function size(digits: string | undefined): number | undefined {
  const n = Number(digits)
  return Number.isSafeInteger(n) ? n : undefined
}
