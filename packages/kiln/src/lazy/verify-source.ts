import { isKilnError, KilnError, moved, within } from '../errors/kiln-error.js'
import { FLAG_CHECKSUM } from '../frame/header.js'
import { registryOf, type InheritSchemas, type SchemaChoice } from '../frame/schema-choice.js'
import { resolveSettings, streamBodyLimit, type Settings } from '../limits/limits.js'
import type { Struct } from '../schema/types.js'
import { checkFunction } from '../limits/options.js'
import { signalOf } from '../sources/abort.js'
import type { ByteSource } from '../sources/source.js'
import { sourceOf, type SourceInput } from '../sources/source-input.js'
import { checkTrailing } from '../tensors/directory.js'
import { checksumFault } from '../tensors/verify.js'
import { beginsWithTensors, readTensorsAndFields } from './fields.js'
import { ForwardReader } from './forward-reader.js'
import { readFrameHead, type FrameHead } from './frame-head.js'
import { fieldsLimitOf, fileKind, type OpenOptions } from './open.js'
import { openTable } from './open-table.js'
import { verifyIn, verifyWholeFrame, type VerifiedTensors } from './verify-frame.js'
import { verifyPayloadsOf } from './verify-payloads.js'
import { SourceWindow } from './window.js'

/** Options of {@link verifySource}: those of every reader, a signal, schemas, and who is told how far it is. */
export interface VerifyOptions extends Omit<OpenOptions, 'verify' | 'cache' | 'keepOpen' | 'schemas'> {
  /** For frames that bring none; with `'inherit'` those that earlier frames brought. */
  readonly schemas?: SchemaChoice | InheritSchemas | undefined
  /** Told now and then how many bytes have been passed, of how many in all. */
  readonly onProgress?: ((passed: number, total: number) => void) | undefined
}

/** What was found whole. */
export interface Verified {
  readonly kind: 'directory' | 'frames'
  /** Frames in the file; 0 for a bare directory. */
  readonly frames: number
  /** Tensors of its directories. */
  readonly tensors: number
  /** Checksums that were compared, of frames and of payloads. */
  readonly checksums: number
  /** Bytes of the file. */
  readonly size: number
}

// The least that a look at a head reads; payloads are gone through in pieces of 1 MiB.
const AHEAD = 4096

/**
 * Checks a whole file, a directory or frames, in memory that doesn't grow with it: the structure of everything, that
 * gaps are zero (`FRAME`), and every checksum (`CHECKSUM`). The first fault is thrown, with its code as a read in
 * memory finds it; if all is well, tells what is in the file. The source stays open.
 *
 * Payloads and gaps pass in pieces. What is held is a table, the fields behind tensors (at most `fieldsLimit`), and the
 * whole body of a frame that doesn't begin with tensors, up to `limits.body`, 2^30 bytes unless set.
 */
export async function verifySource(
  given: SourceInput | PromiseLike<SourceInput>,
  options: VerifyOptions = {},
): Promise<Verified> {
  const source = sourceOf(await given)
  signalOf(options)
  checkFunction(options.onProgress, 'onProgress')
  const verifier = new Verifier(source, options)
  return verifier.run()
}

class Verifier {
  readonly #source: ByteSource
  readonly #options: VerifyOptions
  readonly #settings: Settings
  readonly #window: SourceWindow
  #frames = 0
  #tensors = 0
  #checksums = 0

  constructor(source: ByteSource, options: VerifyOptions) {
    this.#source = source
    this.#options = options
    this.#settings = resolveSettings(options)
    this.#window = new SourceWindow(source, AHEAD, options)
  }

  async run(): Promise<Verified> {
    const { size } = this.#source
    const kind = await fileKind(this.#window)
    if (kind === 'directory') {
      const table = await openTable(this.#window, 0, size, this.#settings)
      checkTrailing(table.totalSize, size)
      this.#count({ tensors: table.tensorCount, checksums: await verifyPayloadsOf(table, 0, this.#reader(0, false)) })
    } else {
      const registry = registryOf(this.#options.schemas)
      for (let at = 0; at < size;) {
        const head = await readFrameHead(this.#window, at, registry, this.#settings)
        await this.#frame(head)
        this.#frames += 1
        at = head.end
      }
    }
    return { kind, frames: this.#frames, tensors: this.#tensors, checksums: this.#checksums, size }
  }

  #reader(from: number, sums: boolean): ForwardReader {
    const { onProgress } = this.#options
    return new ForwardReader(this.#source, from, sums, this.#options, (position) =>
      onProgress?.(position, this.#source.size),
    )
  }

  async #frame(head: FrameHead): Promise<void> {
    const sums = head.header.flags >= FLAG_CHECKSUM
    if (!beginsWithTensors(head.schema)) {
      this.#checkSize(head)
      this.#count(await verifyWholeFrame(this.#source, head, registryOf(head.schema), this.#settings, this.#options))
      this.#checksums += sums ? 1 : 0
      this.#options.onProgress?.(head.end, this.#source.size)
      return
    }
    const reader = this.#reader(head.bodyStart, sums)
    // The checksum of the body comes before all that is in it: a fault there waits until the sum is known.
    const fault = await this.#tensorsFirst(head, reader).then(
      () => undefined,
      (error: unknown) => {
        if (!sums || !isKilnError(error)) throw error
        return error
      },
    )
    await reader.skip(head.end)
    if (sums) {
      if (reader.checksum !== head.header.checksum)
        throw checksumFault(head.header.checksum, reader.checksum, head.bodyStart)
      this.#checksums += 1
    }
    if (fault !== undefined) throw fault
  }

  async #tensorsFirst(head: FrameHead, reader: ForwardReader): Promise<void> {
    const { schema } = head
    const limit = fieldsLimitOf(this.#options)
    const { table, fields, bytes, start } = await readTensorsAndFields(this.#window, head, this.#settings, limit)
    const [first, ...rest] = schema.kind === 'struct' ? schema.names : []
    try {
      this.#count({ tensors: table.tensorCount, checksums: await verifyPayloadsOf(table, head.bodyStart, reader) })
    } catch (error) {
      throw first === undefined ? error : within(error, first)
    }
    for (const name of rest) {
      try {
        this.#count(verifyIn((schema as Struct).fields[name]!, fields[name], bytes))
      } catch (error) {
        throw within(moved(error, start), name)
      }
    }
  }

  #count({ tensors, checksums }: VerifiedTensors): void {
    this.#tensors += tensors
    this.#checksums += checksums
  }

  #checkSize(head: FrameHead): void {
    const cap = this.#options.limits?.body ?? streamBodyLimit
    if (head.header.bodyLength <= cap) return
    throw new KilnError(
      'LIMIT',
      `a body of ${head.header.bodyLength} bytes is to be read whole, over ${cap}; raise limits.body if that is meant`,
      head.start,
    )
  }
}
