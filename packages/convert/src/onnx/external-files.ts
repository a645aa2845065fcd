import { isKilnError, KilnError, type ByteSource } from 'kiln-format'
import type { Folder } from '../model.js'
import { rangeChunks } from '../payload/range-chunks.js'
import { openIn } from '../reading/folder-file.js'
import { quoted } from '../text/quoted.js'
import type { ExternalRange } from './external-data.js'
import { Sha1 } from './sha1.js'
import type { OnnxOptions } from './options.js'

/** The files beside a model that its tensors' payloads lie in, each opened once. */
export class ExternalFiles {
  private readonly folder: Folder | undefined
  private readonly options: OnnxOptions | undefined
  private readonly opened = new Map<string, ByteSource>()
  private readonly digests = new Map<string, string>()

  constructor(folder: Folder | undefined, options?: OnnxOptions) {
    this.folder = folder
    this.options = options
  }

  /** The open file that a range lies in; a missing file, or a range past its end, is `EOF`. */
  async source(range: ExternalRange, what: string): Promise<ByteSource> {
    const source = this.opened.get(range.location) ?? (await this.open(range, what))
    if (this.options?.checksums === true && range.checksum !== undefined) await this.verify(source, range, what)
    if (range.offset + range.length > source.size) {
      const end = range.offset + range.length
      const file = quoted(range.location)
      throw new KilnError('EOF', `${what}: bytes ${range.offset} to ${end} of ${file}, which has ${source.size}`)
    }
    return source
  }

  private async open(range: ExternalRange, what: string): Promise<ByteSource> {
    const name = quoted(range.location)
    if (this.folder === undefined) {
      throw new KilnError('EOF', `${what} is in the file ${name} beside the model; give the model's folder`)
    }
    let source: ByteSource
    try {
      source = await openIn(this.folder, range.location, this.options)
    } catch (error) {
      if (!isKilnError(error)) throw error
      throw new KilnError(error.code, `${what} is in the file ${name}: ${error.detail}`, undefined, { cause: error })
    }
    this.opened.set(range.location, source)
    return source
  }

  private async verify(source: ByteSource, range: ExternalRange, what: string): Promise<void> {
    // The file is read once, and what each tensor says of it is compared: not all need say the same.
    const found = this.digests.get(range.location) ?? (await this.digest(source))
    this.digests.set(range.location, found)
    if (found === range.checksum) return
    const said = quoted(range.checksum ?? '')
    const file = quoted(range.location)
    throw new KilnError('CHECKSUM', `${what}: the SHA-1 of ${file} is ${found}, the model says ${said}`)
  }

  private async digest(source: ByteSource): Promise<string> {
    const sha1 = new Sha1()
    for await (const piece of rangeChunks(source, 0, source.size, this.options)) sha1.update(piece)
    return sha1.digest()
  }

  async close(): Promise<void> {
    const sources = [...this.opened.values()]
    this.opened.clear()
    const results = await Promise.allSettled(sources.map((source) => source.close?.()))
    const failed = results.find((result) => result.status === 'rejected')
    if (failed !== undefined) throw failed.reason
  }
}
