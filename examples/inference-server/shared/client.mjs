import { encodeFrameParts, readFrames } from 'kiln-format'
import { Answer, Fault, Request } from './messages.mjs'

/**
 * Sends requests as frames in one body, and gives the answers as they come. The same code runs in a page and in Node.
 *
 * @param {string | URL} url
 * @param {import('kiln-format').Input<typeof Request>[]} requests
 */
export async function* detect(url, requests) {
  // The slices of a frame are those of the caller's own audio: nothing is copied to be sent.
  const parts = requests.flatMap((request) => encodeFrameParts(Request, request))
  const body = new Blob(/** @type {BlobPart[]} */ (parts))
  const response = await fetch(url, { method: 'POST', body })
  if (!response.ok || response.body === null) throw new Error(`${url} answers ${response.status}`)
  for await (const frame of readFrames(response.body, [Answer, Fault])) {
    if (frame.is(Fault)) throw new Error(`${frame.value.code}: ${frame.value.message}`)
    yield /** @type {import('kiln-format').Frame<typeof Answer>} */ (frame).value
  }
}
