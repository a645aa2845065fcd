import { KilnError } from 'kiln-format'
import type { ByteSource, ReadOptions } from 'kiln-format'
import type { ForeignModel, ForeignTensor, Omission } from '../model.js'
import { checkSize, readHeader } from '../npy/header.js'
import type { NpyArray } from '../npy/header.js'
import { payloadChunks } from '../npy/payload.js'
import { inFile } from '../paths/file-errors.js'
import { PIECE } from '../payload/range-chunks.js'
import { resolveCaps } from '../reading/caps.js'
import { explain } from '../sniff/explain.js'
import { quoted } from '../text/quoted.js'
import { deflatedMember } from './deflated.js'
import { readDirectory } from './directory.js'
import { readEndRecord } from './end-record.js'
import { DEFLATED, ENCRYPTED, hasFlag, methodName, STORED } from './entry.js'
import type { ZipEntry } from './entry.js'
import { dataStartOf } from './local-header.js'
import type { MemberSource } from './member-source.js'
import { storedMember } from './stored.js'
import { windowSource } from './window-source.js'
import { sourceGiven } from '../reading/arguments.js'

/** The caps of the NPZ reader; what is over one is `LIMIT`. */
export interface NpzLimits {
  /** Members of the zip. Default 2^20. */
  readonly members: number
  /** Bytes of one member's NPY header. Default 2^20. */
  readonly header: number
  /** Bytes of all members together when inflated. Default: none, for memory is bounded in any case. */
  readonly inflated: number
}

const defaultLimits = { members: 2 ** 20, header: 2 ** 20, inflated: Infinity }

/** Options of {@link openNpz}. */
export interface OpenNpzOptions extends ReadOptions {
  readonly limits?: Partial<NpzLimits> | undefined
}

/** A member of the zip, as its directory has it. */
export interface NpzMember {
  readonly name: string
  /** Such as `stored` or `deflated`. */
  readonly method: string
  /** Bytes when inflated. */
  readonly size: number
}

/** An NPZ archive with what it says of itself. */
export interface NpzModel extends ForeignModel {
  readonly format: 'npz'
  readonly members: readonly NpzMember[]
}

const EXPECTED = { kinds: ['npz', 'zip'], what: 'an NPZ archive' } as const
const SUFFIX = '.npy'

/**
 * Opens an NPZ archive: a zip of NPY files, stored or deflated, ZIP64 or not, with data descriptors or
 * not. Its directory is read, and of each member its header and that of its array. A tensor is named as
 * its member, without `.npy`.
 *
 * Members that are no NPY files, and arrays that Kiln can't carry, are in `omitted`; an archive with
 * nothing but such is `TYPE`. Reading a payload compares the member's CRC-32 at its end (`CHECKSUM`). A
 * deflated member is inflated in pieces and up to its size, never past it.
 *
 * Errors: `FRAME` for a zip that is not whole, headers that differ from the directory, and data that is
 * not deflated; `TYPE` for names that stand twice, members that overlap, encryption and methods other
 * than the two; `EOF`, `TRAILING` and `LIMIT` for sizes; and those of `openNpy` for each member.
 */
export async function openNpz(given: ByteSource, options: OpenNpzOptions = {}): Promise<NpzModel> {
  const source = sourceGiven(given, options)
  try {
    return await readNpz(source, options)
  } catch (error) {
    throw await explain(error, source, EXPECTED, options)
  }
}

async function readNpz(source: ByteSource, options: OpenNpzOptions): Promise<NpzModel> {
  const limits = resolveCaps(defaultLimits, options.limits)
  const end = await readEndRecord(source, options)
  const entries = await readDirectory(source, end, limits.members, options)
  const heads = windowSource(source)
  const inflated = entries.reduce((sum, entry) => sum + entry.size, 0)
  if (inflated > limits.inflated) {
    throw new KilnError(
      'LIMIT',
      `the members have ${inflated} bytes when inflated, over the cap of ${limits.inflated}; raise limits.inflated`,
    )
  }
  const tensors: ForeignTensor[] = []
  const omitted: Omission[] = []
  const limitOf = nextStarts(entries, end.directoryStart)
  let refused: KilnError | undefined
  for (const entry of entries) {
    options.signal?.throwIfAborted()
    if (!entry.name.endsWith(SUFFIX)) {
      const reason = entry.name.endsWith('/') ? 'a folder' : 'no NPY file by its name'
      omitted.push({ name: entry.name, reason })
      continue
    }
    const result = await openMember({ source, heads }, entry, limitOf.get(entry)!, limits.header, options)
    if ('reason' in result) {
      omitted.push(result)
      refused ??= new KilnError('TYPE', `in ${quoted(result.name)}: ${result.reason}`, entry.headerStart)
    } else tensors.push(result)
  }
  if (tensors.length === 0 && entries.length > 0) {
    throw (
      refused ?? new KilnError('TYPE', `no member of the zip is an NPY file; the first is ${quoted(entries[0]!.name)}`)
    )
  }
  if (end.comment > 0) omitted.push({ name: 'comment', reason: `a comment of the archive, of ${end.comment} bytes` })
  return {
    format: 'npz',
    tensors,
    metadata: new Map(),
    omitted,
    members: entries.map(({ name, method, size }) => ({ name, method: methodName(method), size })),
    close: () => Promise.resolve(),
  }
}

/** Where the next member begins, for each. */
function nextStarts(entries: readonly ZipEntry[], directoryStart: number): Map<ZipEntry, number> {
  const inOrder = [...entries].sort((a, b) => a.headerStart - b.headerStart)
  return new Map(inOrder.map((entry, i) => [entry, inOrder[i + 1]?.headerStart ?? directoryStart]))
}

/** `heads` is the same source as `source`, for reading heads member after member. */
async function openMember(
  { source, heads }: { readonly source: ByteSource; readonly heads: ByteSource },
  entry: ZipEntry,
  limit: number,
  headerCap: number,
  options: ReadOptions,
): Promise<ForeignTensor | Omission> {
  if (hasFlag(entry.flags, ENCRYPTED))
    throw new KilnError('TYPE', `${quoted(entry.name)} is encrypted; make the archive without`, entry.headerStart)
  if (entry.method !== STORED && entry.method !== DEFLATED) {
    throw new KilnError(
      'TYPE',
      `${quoted(entry.name)} is ${methodName(entry.method)}; stored and deflated members are read`,
      entry.headerStart,
    )
  }
  const dataStart = await dataStartOf(heads, entry, limit, options)
  const open = (from: ByteSource): MemberSource =>
    (entry.method === STORED ? storedMember : deflatedMember)(from, entry, dataStart)
  try {
    const array = await readHeader(open(heads), { signal: options.signal, limits: { header: headerCap } })
    if ('refused' in array) return { name: entry.name, reason: array.refused }
    checkSize(array, entry.size)
    return {
      name: entry.name.slice(0, -SUFFIX.length),
      dtype: array.form.dtype.name,
      shape: array.shape,
      byteLength: array.byteLength,
      chunks: (readOptions) => memberChunks(open(source), array, readOptions),
    }
  } catch (error) {
    throw inFile(error, entry.name)
  }
}

/** The payload, and then the check of the whole member, its header included. */
async function* memberChunks(
  member: MemberSource,
  array: NpyArray,
  options?: ReadOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  // Read again for the checksum, which is over the header too.
  for (let at = 0; at < array.payloadStart; at += PIECE) {
    await member.read(at, Math.min(PIECE, array.payloadStart - at), options)
  }
  yield* payloadChunks(member, array, options)
  await member.finish(options)
}
