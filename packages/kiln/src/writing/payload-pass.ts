import { combineCrc32 } from '../bytes/crc32-combine.js'
import { crc32 } from '../bytes/crc32.js'
import { toBytes } from '../bytes/input.js'
import { KilnError, within } from '../errors/kiln-error.js'
import { checkIterable } from '../limits/options.js'
import type { ReadOptions } from '../sources/source.js'
import type { DirectoryPlan, PlannedPayload } from './plan.js'

/** What going through all payloads once has told. */
export interface Digest {
  /** The CRC-32 of each payload; 0 for one that nobody needs. */
  readonly payloads: readonly number[]
  /** The CRC-32 of everything behind the table, gaps too; 0 if it isn't needed. */
  readonly region: number
}

/** The most zeros that are handed on at once. */
const ZEROS = 65_536

/**
 * Goes through the payloads of a plan, one piece at a time, with the zeros between them, and hands everything on in
 * the order of the file. `TYPE` for a payload that is not as long as its description needs.
 */
export async function passPayloads(
  plan: DirectoryPlan,
  options: ReadOptions & { readonly region: boolean },
  give: (piece: Uint8Array) => Promise<void> | undefined,
): Promise<Digest> {
  let region = 0
  const payloads: number[] = []
  let at = plan.table.bytes.length
  for (const payload of plan.payloads) {
    while (at < payload.offset) {
      // New ones each time: nothing that a sink does to its chunk can come back.
      const zeros = new Uint8Array(Math.min(payload.offset - at, ZEROS))
      if (options.region) region = crc32(zeros, region)
      await give(zeros)
      at += zeros.length
    }
    const checksum = await passOne(payload, options, give)
    // Each byte is summed once, for its payload and for the region together.
    if (options.region) region = combineCrc32(region, checksum, payload.length)
    payloads.push(checksum)
    at += payload.length
  }
  return { payloads, region }
}

async function passOne(
  payload: PlannedPayload,
  options: ReadOptions & { readonly region: boolean },
  give: (piece: Uint8Array) => Promise<void> | undefined,
): Promise<number> {
  const { signal } = options
  const sums = payload.checksum || options.region
  let length = 0
  let checksum = 0
  try {
    const pieces = payload.tensor.pieces({ signal })
    checkIterable(pieces, 'chunks()')
    for await (const given of pieces) {
      signal?.throwIfAborted()
      const piece = toBytes(given)
      length += piece.length
      // Judged as it comes, so that a payload without an end is not written without an end.
      if (length > payload.length) break
      if (piece.length === 0) continue
      if (sums) checksum = crc32(piece, checksum)
      await give(piece)
    }
    if (length !== payload.length) {
      throw new KilnError(
        'TYPE',
        `${payload.length} bytes are needed, the tensor gave ${length > payload.length ? 'more' : `only ${length}`}`,
      )
    }
  } catch (error) {
    throw within(error, payload.name)
  }
  return checksum
}
