import { KilnError } from '../errors/kiln-error.js'
import { FRAME_MAGIC } from '../frame/header.js'
import { registryOf, type SchemaChoice } from '../frame/schema-choice.js'
import { resolveSettings, type DecodeOptions, type Settings } from '../limits/limits.js'
import { isOn, wholeNumber } from '../limits/options.js'
import { signalOf } from '../sources/abort.js'
import type { ByteSource, ReadOptions } from '../sources/source.js'
import { sourceOf, type SourceInput } from '../sources/source-input.js'
import { checkTrailing } from '../tensors/directory.js'
import { DIRECTORY_MAGIC } from '../tensors/header.js'
import { PayloadCache } from './cache.js'
import { SourceDirectory, type LazyDirectory } from './directory.js'
import { beginsWithTensors, readTensorsAndFields } from './fields.js'
import { checkLastFrame, readFrameHead, type FrameHead } from './frame-head.js'
import { SourceModel, type LazyModel } from './model.js'
import { openTable } from './open-table.js'
import { PayloadReader } from './payloads.js'
import { SourceWindow } from './window.js'

/** Options of {@link openDirectory}: those of every reader, a signal, and what is kept, compared and closed. */
export interface OpenDirectoryOptions extends DecodeOptions, ReadOptions {
  /** Whether the source stays open when the directory is closed, or can't be opened. Default false. */
  readonly keepOpen?: boolean | undefined
  /** Whether each load compares the stored checksum, where there is one. Default false. */
  readonly verify?: boolean | undefined
  /**
   * Bytes of payloads, each at most 1 MiB, that are kept after they were loaded. Default 16 MiB for a source whose
   * reads are dear (a URL), else 0: the system keeps a file's.
   */
  readonly cache?: number | undefined
}

/** Options of {@link open}: those of {@link openDirectory}, and what frames need. */
export interface OpenOptions extends OpenDirectoryOptions {
  /** The schema of a frame that doesn't bring its own, or several of which its hash picks one. */
  readonly schemas?: SchemaChoice | undefined
  /** Most bytes of the fields behind the tensors, which are read at opening. Default 64 MiB. */
  readonly fieldsLimit?: number | undefined
}

// Covers the head of a frame, its schema and the header of the directory, and often all of a small file.
const AHEAD = 4096
const CACHE = 16 * 2 ** 20
/** The cap on the fields behind tensors where the caller sets none. */
export const FIELDS_LIMIT = 64 * 2 ** 20

/**
 * Opens a bare directory (FORMAT §4): reads its table and checks it, in two reads; no payload. Errors are those of
 * `readDirectory`, bytes behind the directory are `TRAILING`, and whatever the source throws. The directory then owns
 * the source and closes it, here too if it can't be opened.
 */
export async function openDirectory(
  source: SourceInput | PromiseLike<SourceInput>,
  options: OpenDirectoryOptions = {},
): Promise<LazyDirectory> {
  return owning(await source, options, async (input) => {
    const settings = resolveSettings(options)
    const window = new SourceWindow(input, AHEAD, options)
    const table = await openTable(window, 0, input.size, settings)
    checkTrailing(table.totalSize, input.size)
    return new SourceDirectory(table, payloadReader(input, 0, options), options.keepOpen === true)
  })
}

/**
 * Opens a file of tensors: a model file, any other frame whose first field is `tensors`, or a bare directory. Reads the
 * table and the fields behind the tensors, in two or three reads; no payload. Checks are those of FORMAT §6 and §4 in
 * their order, but for the frame's checksum, which `verifySource` compares. A frame with another schema is `SCHEMA`;
 * bytes behind it are `TRAILING`; less than four bytes are `EOF`, and others than KILF or KILT at the front `FRAME`.
 *
 * The model then owns the source and closes it, here too if it can't be opened.
 */
export async function open(
  source: SourceInput | PromiseLike<SourceInput>,
  options: OpenOptions = {},
): Promise<LazyModel> {
  return owning(await source, options, async (input) => {
    const settings = resolveSettings(options)
    const window = new SourceWindow(input, AHEAD, options)
    if ((await fileKind(window)) === 'directory') {
      const table = await openTable(window, 0, input.size, settings)
      checkTrailing(table.totalSize, input.size)
      return new SourceModel(table, payloadReader(input, 0, options), options.keepOpen === true, undefined, {})
    }
    const head = await readFrameHead(window, 0, registryOf(options.schemas), settings)
    const model = await openFrame(window, head, settings, options, options.keepOpen === true)
    checkLastFrame(head, input.size)
    return model
  })
}

/** What a `.kiln` file is, by its first four bytes (FORMAT §7). */
export async function fileKind(window: SourceWindow): Promise<'directory' | 'frames'> {
  const { size, label } = window.source
  if (size < 4)
    throw new KilnError('EOF', `${label} has ${size} bytes; a Kiln file begins with the four bytes KILT or KILF`, 0)
  const start = await window.take(0, 4)
  const magic = new DataView(start.buffer, start.byteOffset, 4).getUint32(0, true)
  if (magic === DIRECTORY_MAGIC) return 'directory'
  if (magic === FRAME_MAGIC) return 'frames'
  throw new KilnError('FRAME', `${label} is no Kiln file; it would begin with the four bytes KILT or KILF`, 0)
}

/** Opens the tensors of a frame whose head has been read. */
export async function openFrame(
  window: SourceWindow,
  head: FrameHead,
  settings: Settings,
  options: OpenOptions,
  keepOpen: boolean,
): Promise<LazyModel> {
  const { schema } = head
  if (!beginsWithTensors(schema)) {
    const text = schema.text.length > 100 ? `${schema.text.slice(0, 100)}…` : schema.text
    throw new KilnError(
      'SCHEMA',
      `the frame is ${text}, which doesn't begin with tensors; decodeFrame or framesOf reads it`,
      head.start,
    )
  }
  const { table, fields } = await readTensorsAndFields(window, head, settings, fieldsLimitOf(options))
  return new SourceModel(table, payloadReader(window.source, head.bodyStart, options), keepOpen, schema, fields)
}

function payloadReader(source: ByteSource, start: number, options: OpenDirectoryOptions): PayloadReader {
  const cache = wholeNumber(options.cache, 'cache', source.readSize === undefined ? 0 : CACHE, 0, true)
  return new PayloadReader(source, start, options.verify === true, new PayloadCache(cache))
}

/** Looks at the options before anything is read. */
function checkOpening(options: OpenDirectoryOptions): void {
  signalOf(options)
  isOn(options.keepOpen, 'keepOpen')
  isOn(options.verify, 'verify')
  wholeNumber(options.cache, 'cache', 0, 0, true)
}

/** The most bytes of fields behind the tensors. */
export function fieldsLimitOf(options: { readonly fieldsLimit?: number | undefined }): number {
  return wholeNumber(options.fieldsLimit, 'fieldsLimit', FIELDS_LIMIT, 0, true)
}

/** Runs an opening; if it fails, the source that nobody else may have hold of is closed. */
async function owning<T>(
  given: SourceInput,
  options: OpenDirectoryOptions,
  opening: (source: ByteSource) => Promise<T>,
): Promise<T> {
  const source = sourceOf(given)
  try {
    checkOpening(options)
    return await opening(source)
  } catch (error) {
    // What closing says matters less than why it was closed.
    if (options?.keepOpen !== true) await source.close?.().catch(() => undefined)
    throw error
  }
}
