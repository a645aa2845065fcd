import type { FetchInit, FetchLike, ResponseLike } from '../../../src/sources/url/platform.js'

/** An answer of a server that is not there. A body is given in pieces; an Error among them breaks the connection. */
export interface Scripted {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly pieces?: readonly (Uint8Array | Error | undefined)[]
  readonly url?: string
  readonly type?: string
  /** Whether there is a stream; without, all comes by arrayBuffer(). */
  readonly body?: 'stream' | 'none' | null
}

export interface Script {
  readonly fetch: FetchLike
  readonly calls: { readonly method: string; readonly url: string; readonly init: FetchInit }[]
  /** Which answers' bodies nobody wanted, or were left in the middle, by their place in the script. */
  readonly cancelled: number[]
}

/** A fetch that gives these answers one after the other; an Error is thrown. */
export function script(...answers: (Scripted | Error)[]): Script {
  const calls: Script['calls'] = []
  const cancelled: number[] = []
  const fetch: FetchLike = async (url, init) => {
    const at = calls.length
    calls.push({ method: init.method, url, init })
    const answer = answers[at]
    if (answer === undefined) throw new Error(`there is no answer ${at}`)
    if (answer instanceof Error) throw answer
    return respond(answer, () => cancelled.push(at))
  }
  return { fetch, calls, cancelled }
}

function respond({ status = 206, headers = {}, pieces = [], url, type, body = 'stream' }: Scripted, cancel: () => void): ResponseLike {
  const left = [...pieces]
  const cancelling = async (): Promise<void> => cancel()
  const read = async (): Promise<{ done: boolean; value?: Uint8Array | undefined }> => {
    if (left.length === 0) return { done: true }
    const piece = left.shift()
    if (piece instanceof Error) throw piece
    return { done: false, value: piece }
  }
  return {
    status,
    headers: new Headers(headers),
    ...(url === undefined ? {} : { url }),
    ...(type === undefined ? {} : { type }),
    body: body === 'stream' ? { getReader: () => ({ read, cancel: cancelling }), cancel: cancelling } : body === 'none' ? undefined : body,
    arrayBuffer: async () => Uint8Array.from(pieces.flatMap((piece) => [...(piece as Uint8Array)])).buffer,
  }
}

/** Part of a file as a server gives it, in one piece. */
export function part(file: Uint8Array, start: number, end: number, more: Scripted = {}): Scripted {
  const bytes = file.subarray(start, end)
  return { status: 206, pieces: [bytes], ...more, headers: { 'content-range': `bytes ${start}-${start + bytes.length - 1}/${file.length}`, ...more.headers } }
}
