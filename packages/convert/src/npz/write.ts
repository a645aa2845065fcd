import { crc32, KilnError } from 'kiln-format'
import type { ByteSink, ReadOptions } from 'kiln-format'
import type { ForeignTensor, WritableModel } from '../model.js'
import { headOf } from '../npy/write.js'
import { utf8Bytes } from '../reading/text.js'
import { quoted } from '../text/quoted.js'
import { payloadOf } from '../writing/copy-payload.js'
import { intoSink } from '../writing/into-sink.js'
import { Deflater } from './deflater.js'
import type { DeflateLevel } from './deflater.js'
import { DEFLATED, STORED } from './entry.js'
import {
  CRC_OFFSET,
  crcBytes,
  descriptorOf,
  directoryEntry,
  endRecords,
  localHeader,
  needsZip64,
} from './zip-records.js'
import type { WrittenMember } from './zip-records.js'
import { checkModel, checkOptions, checkSink } from '../reading/arguments.js'

/** Options of {@link writeNpz}. */
export interface WriteNpzOptions extends ReadOptions {
  /** Deflates the members, at level 6 or at this one, 1 to 9. Default false: they are stored. */
  readonly deflate?: boolean | DeflateLevel | undefined
  /** As with `writeNpy`: writes the bits of dtypes that numpy lacks as unsigned integers. */
  readonly raw?: boolean | undefined
}

const SUFFIX = '.npy'
const LONGEST_NAME = 65_535

/**
 * Writes a model's tensors as an NPZ archive, each a member of its name with `.npy` after it, as numpy's
 * `savez` and `savez_compressed` do. ZIP64 only where a size or an offset needs it. The same tensors give the
 * same bytes. An NPZ archive has no place for metadata, which is left out. Returns the bytes written.
 *
 * Memory is bounded by a piece. The checksum of a stored payload stands before it, because not every reader takes
 * one that follows: it is put in later with the sink's `patch`. For a sink without one a stored payload is read
 * twice, and what gives other bytes the second time is `TYPE`.
 *
 * Closes the sink; on an error aborts it and passes the error on. `TYPE`, before anything is written, for
 * dtypes that numpy lacks (unless `raw` is set), names that stand twice, and names that would be
 * unpacked outside of a folder or cut short (`../a`, `/a`, a NUL); `LIMIT` for a name over 65,535 bytes.
 */
export async function writeNpz(
  model: WritableModel,
  sink: ByteSink,
  options: WriteNpzOptions = {},
): Promise<number> {
  let size = 0
  checkSink(sink)
  await intoSink(sink, async () => {
    checkOptions(options)
    checkModel(model)
    const { tensors } = model
    const level = levelOf(options.deflate)
    const plans = planMembers(tensors, options.raw === true)
    const archive = new Archive(sink, options)
    for (const plan of plans) {
      await (level === undefined ? archive.store(plan) : archive.deflate(plan, level))
    }
    size = await archive.end()
  })
  return size
}

function levelOf(deflate: WriteNpzOptions['deflate']): DeflateLevel | undefined {
  if (deflate === undefined || deflate === false) return undefined
  const level = deflate === true ? 6 : deflate
  if (!Number.isInteger(level) || level < 1 || level > 9) {
    throw new KilnError('TYPE', `deflate is ${String(level)}; it is false, true, or a level from 1 to 9`)
  }
  return level
}

interface MemberPlan {
  readonly tensor: ForeignTensor
  readonly nameBytes: Uint8Array
  /** The head of the NPY file. */
  readonly head: Uint8Array
  readonly size: number
}

function planMembers(tensors: readonly ForeignTensor[], raw: boolean): MemberPlan[] {
  const names = new Set<string>()
  return tensors.map((tensor) => {
    const { name } = tensor
    checkName(name)
    if (names.has(name))
      throw new KilnError('TYPE', `two tensors are named ${quoted(name)}; the members of a zip need names that differ`)
    names.add(name)
    const nameBytes = utf8Bytes(name + SUFFIX, `the name of tensor ${quoted(name)}`)
    if (nameBytes.length > LONGEST_NAME) {
      throw new KilnError(
        'LIMIT',
        `the name of tensor ${quoted(name)} has ${nameBytes.length} bytes with ${SUFFIX}; a zip takes ${LONGEST_NAME}`,
      )
    }
    const head = headOf(tensor, raw)
    return { tensor, nameBytes, head, size: head.length + tensor.byteLength }
  })
}

function checkName(name: string): void {
  const why = name.includes('\0')
    ? 'readers end a name at a NUL'
    : name.startsWith('/') || /^[A-Za-z]:/.test(name) || name.startsWith('\\')
      ? 'it is an absolute path'
      : name.split(/[/\\]/).includes('..')
        ? 'it leads out of the folder that the archive is unpacked in'
        : undefined
  if (why !== undefined)
    throw new KilnError('TYPE', `no member of a zip is named ${quoted(name)}, for ${why}; rename the tensor`)
}

/** A zip that is written, member after member. */
class Archive {
  private readonly sink: ByteSink
  private readonly options: ReadOptions
  private readonly members: WrittenMember[] = []
  private at = 0

  constructor(sink: ByteSink, options: ReadOptions) {
    this.sink = sink
    this.options = options
  }

  async store(plan: MemberPlan): Promise<void> {
    const { sink, options } = this
    const { nameBytes, size } = plan
    const patch = sink.patch?.bind(sink)
    let before = 0
    if (patch === undefined) {
      before = crc32(plan.head)
      for await (const piece of payloadOf(plan.tensor, options)) before = crc32(piece, before)
    }
    const member: WrittenMember = {
      nameBytes,
      method: STORED,
      size,
      headerStart: this.at,
      descriptor: false,
      zip64: needsZip64(size, STORED),
      crc: before,
      compressedSize: size,
    }
    await this.write(localHeader(member))
    let crc = crc32(plan.head)
    await this.write(plan.head)
    for await (const piece of payloadOf(plan.tensor, options)) {
      crc = crc32(piece, crc)
      await this.write(piece)
    }
    this.members.push({ ...member, crc })
    if (patch !== undefined) {
      await patch(member.headerStart + CRC_OFFSET, crcBytes(crc), options)
    } else if (crc !== before) {
      throw new KilnError(
        'TYPE',
        `tensor ${quoted(plan.tensor.name)} gave other bytes when it was read a second time: something changed it`,
      )
    }
  }

  async deflate(plan: MemberPlan, level: DeflateLevel): Promise<void> {
    const { nameBytes, size, head } = plan
    const before: WrittenMember = {
      nameBytes,
      method: DEFLATED,
      size,
      headerStart: this.at,
      descriptor: true,
      zip64: needsZip64(size, DEFLATED),
      crc: 0,
      compressedSize: 0,
    }
    await this.write(localHeader(before))
    const dataStart = this.at
    const deflater = new Deflater(level)
    let crc = crc32(head)
    for (const made of deflater.push(head)) await this.write(made)
    for await (const piece of payloadOf(plan.tensor, this.options)) {
      crc = crc32(piece, crc)
      for (const made of deflater.push(piece)) await this.write(made)
    }
    for (const made of deflater.end()) await this.write(made)
    const member = { ...before, crc, compressedSize: this.at - dataStart }
    await this.write(descriptorOf(member))
    this.members.push(member)
  }

  /** Writes the directory, and returns the bytes of the whole archive. */
  async end(): Promise<number> {
    const start = this.at
    for (const member of this.members) await this.write(directoryEntry(member))
    await this.write(endRecords(this.members.length, start, this.at - start))
    return this.at
  }

  private async write(bytes: Uint8Array): Promise<void> {
    await this.sink.write(bytes, this.options)
    this.at += bytes.length
  }
}
