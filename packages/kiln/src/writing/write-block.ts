import { combineCrc32 } from '../bytes/crc32-combine.js'
import { crc32 } from '../bytes/crc32.js'
import { KilnError } from '../errors/kiln-error.js'
import type { ReadOptions } from '../sources/source.js'
import { setChecksum } from '../tensors/write.js'
import type { Output } from './output.js'
import { passPayloads, type Digest } from './payload-pass.js'
import type { DirectoryPlan } from './plan.js'

/** What a directory has around it in its file. */
export interface Surroundings {
  /** Bytes in front of it, given what is known of the checksums; none for a bare directory. */
  head(block: number): Uint8Array
  /** Bytes behind it. */
  readonly tail: Uint8Array
  /** Whether `head` needs the checksum of the block. */
  readonly checksum: boolean
}

/**
 * Writes head, table, payloads and tail, front to back. Where checksums are wanted they belong in front of what they
 * are made of: a sink that can go back gets them afterwards, for any other the payloads are gone through twice.
 */
export async function writeBlock(
  output: Output,
  plan: DirectoryPlan,
  around: Surroundings,
  options: ReadOptions,
): Promise<void> {
  const { table, payloads } = plan
  const wanted = around.checksum || payloads.some((payload) => payload.checksum)
  const how = { signal: options.signal, region: around.checksum }
  const twice = wanted && !output.canPatch
  const before = twice ? await passPayloads(plan, how, () => undefined) : undefined
  if (before !== undefined) fillChecksums(plan, before)
  const head = around.head(before === undefined ? 0 : blockChecksum(plan, before))
  await output.write(head)
  await output.write(table.bytes)
  const digest = await passPayloads(plan, how, (piece) => output.write(piece))
  await output.write(around.tail)
  if (before !== undefined) compare(plan, before, digest)
  else if (wanted) {
    fillChecksums(plan, digest)
    await output.patch(0, around.head(blockChecksum(plan, digest)))
    await output.patch(head.length, table.bytes)
  }
}

function fillChecksums(plan: DirectoryPlan, digest: Digest): void {
  plan.payloads.forEach(({ checksum }, i) => {
    if (checksum) setChecksum(plan.table.bytes, i, digest.payloads[i]!)
  })
}

/** The CRC-32 of the whole block, whose table is complete now. */
function blockChecksum(plan: DirectoryPlan, digest: Digest): number {
  const { bytes, totalSize } = plan.table
  return combineCrc32(crc32(bytes), digest.region, totalSize - bytes.length)
}

function compare(plan: DirectoryPlan, first: Digest, second: Digest): void {
  // The region is made of the payloads and of zeros, so it differs only where one of them does.
  const changed = plan.payloads.find((_, i) => first.payloads[i] !== second.payloads[i])
  if (changed === undefined) return
  throw new KilnError(
    'TYPE',
    'the payload had other bytes when it was gone through again; chunks() has to give the same each time',
  ).within(changed.name)
}
