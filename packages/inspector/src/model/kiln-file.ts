import {
  decode,
  framesOf,
  isKilnError,
  k,
  openDirectory,
  parseSchema,
  type ByteSource,
  type LazyDirectory,
  type Schema,
  type SourceFrame,
} from 'kiln-format'
import { walkSource, type Span } from 'kiln-format/walk'
import { countText, plural } from '../ui/format.js'
import { faultOf, faultOfSpan } from './fault.js'
import type { Fault, FrameSummary, OpenedFile, TensorList, ViewTensor } from './opened-file.js'
import { partOf } from './part-source.js'
import { rememberingSource } from './remembering-source.js'

/** Frames that are listed, and those of them whose bodies are gone through at opening. */
const MOST_FRAMES = 10_000
const MOST_BODIES = 500
/** Bodies that hold no tensors, and text fields, are read at opening up to here. */
const MOST_BYTES = 64 * 2 ** 20
const MOST_DIRECTORIES = 1000
const DEEPEST = 4

const textDict = k.dict(k.string, k.string)
const modelText = 'struct{tensors:tensors,metadata:dict<string,string>,}'

/** A directory that was found, where it begins in the file, and what stands before its tensors' names. */
interface Found {
  readonly directory: LazyDirectory
  readonly start: number
  readonly prefix: string
}

/** Opens a Kiln file, however broken: what was valid is there, and the fault with it. */
export async function openKilnFile(
  source: ByteSource,
  name: string,
  frames: boolean,
  signal: AbortSignal,
): Promise<OpenedFile> {
  const opening = new Opening(rememberingSource(source), signal)
  let fault: Fault | undefined
  try {
    if (frames) await opening.readFrames()
    else await opening.addDirectory(0, source.size, '')
  } catch (error) {
    if (!isKilnError(error) && !(error instanceof BodyFault)) throw error
    fault = (await faultWithRule(source, signal)) ?? faultOf(error)
  }
  const { found, summaries, metadata } = opening
  const [first] = summaries
  return {
    name,
    size: source.size,
    kind: kindOf(frames, summaries, first),
    kiln: true,
    source,
    tensors: listOf(source, found),
    metadata,
    frames: summaries,
    omitted: [],
    checked: opening.checked,
    fault,
    close: async () => source.close?.(),
  }
}

function kindOf(frames: boolean, summaries: readonly FrameSummary[], first: FrameSummary | undefined): string {
  if (!frames) return 'Kiln tensor directory'
  if (summaries.length === 1 && first?.schema === modelText) return 'Kiln model file'
  return summaries.length > 1 ? 'Kiln file of frames' : 'Kiln frame'
}

/** The same fault with the rule that was broken, which a walk over the file tells. */
async function faultWithRule(source: ByteSource, signal: AbortSignal): Promise<Fault | undefined> {
  for await (const span of walkSource(source, { depth: 0, schemas: 'inherit', signal })) if (span.kind === 'error') return faultOfSpan(span)
  return undefined
}

class Opening {
  readonly #source: ByteSource
  readonly #signal: AbortSignal
  readonly found: Found[] = []
  readonly summaries: FrameSummary[] = []
  readonly checked: string[] = []
  metadata: ReadonlyMap<string, string> = new Map()

  constructor(source: ByteSource, signal: AbortSignal) {
    this.#source = source
    this.#signal = signal
  }

  async addDirectory(start: number, length: number, prefix: string): Promise<void> {
    const part = start === 0 && length === this.#source.size ? this.#source : partOf(this.#source, start, length)
    this.#add(await openDirectory(part, { keepOpen: true, signal: this.#signal }), start, prefix)
  }

  #add(directory: LazyDirectory, start: number, prefix: string): void {
    this.found.push({ directory, start, prefix })
    if (this.found.length > 1) return
    this.checked.push(
      `Header, descriptors and names of ${plural(directory.length, 'tensor')}`,
      'Payloads are aligned, in order, inside the file, and as long as dtype and shape need',
      'Links to scales and outer scales',
    )
  }

  async readFrames(): Promise<void> {
    let bodies = 0
    for await (const frame of framesOf(this.#source, 'inherit', { signal: this.#signal })) {
      const { offset, byteLength, schema, headerSize, bodyLength } = frame
      this.summaries.push({ offset, length: byteLength, schema: schema.text })
      if (this.summaries.length === 1) this.checked.push('Frame header, schema text and hash')
      const many = offset > 0 || byteLength < this.#source.size
      const small = bodies < MOST_BODIES && (hasTensors(schema) || bodyLength <= MOST_BYTES)
      const path = many ? `[${this.summaries.length - 1}]` : ''
      if (small && onlyFirstHasTensors(schema)) await this.#openModel(frame, path)
      else if (small) await this.#readBody(schema, offset + headerSize, bodyLength, path, 0)
      if (small) bodies++
      if (this.summaries.length === MOST_FRAMES) break
    }
    const { length } = this.summaries
    if (bodies > 0)
      this.checked.push(
        bodies === length
          ? 'The body is a value of the schema, to its last byte'
          : `The bodies of ${countText(bodies)} of ${countText(length)} frames`,
      )
  }

  /** A frame of a directory and small fields: its table is checked once, which counts where it has many tensors. */
  async #openModel(frame: SourceFrame<Schema, unknown>, path: string): Promise<void> {
    const { schema, offset, headerSize, bodyLength } = frame
    const model = await frame.open({ signal: this.#signal, fieldsLimit: MOST_BYTES }).catch((error: unknown) => {
      if (!isKilnError(error) || error.code !== 'LIMIT') throw error
    })
    // Fields that are too large to be held are gone through instead.
    if (model === undefined) return this.#readBody(schema, offset + headerSize, bodyLength, path, 0)
    this.#add(model, model.offset, prefixOf(schema.kind === 'struct' ? joined(path, schema.names[0]!) : path))
    if (path === '') this.metadata = model.metadata
  }

  /** Goes through a value and gathers directories and texts. What the walk finds wrong is thrown. */
  async #readBody(schema: Schema, start: number, length: number, path: string, level: number): Promise<void> {
    if (schema.kind === 'tensors') return this.addDirectory(start, length, prefixOf(path))
    const inner: Span[] = []
    for await (const span of walkSource(partOf(this.#source, start, length), {
      as: schema,
      depth: 1,
      signal: this.#signal,
    })) {
      if (span.kind === 'error') throw new BodyFault(span, start)
      if (span.type !== undefined && span.kind === 'group') inner.push(span)
      if (inner.length > MOST_DIRECTORIES) break
    }
    for (const { type = '', offset, length: size, path: step } of inner) {
      if (level === 0 && path === '' && step === 'metadata' && type === textDict.text)
        await this.#readMetadata(start + offset, size)
      if (level >= DEEPEST || this.found.length >= MOST_DIRECTORIES || !/\btensors\b/.test(type)) continue
      const of = parseSchema(type)
      if (hasTensors(of)) await this.#readBody(of, start + offset, size, joined(path, step), level + 1)
    }
  }

  async #readMetadata(start: number, length: number): Promise<void> {
    if (length > MOST_BYTES) return
    this.metadata = decode(textDict, await this.#source.read(start, length, { signal: this.#signal }))
  }
}

/** A fault in a body; the walk over the whole file says it better. */
class BodyFault extends Error {
  constructor(span: Span, start: number) {
    super(`${span.fault?.detail ?? ''} (byte ${start + span.offset})`)
  }
}

function joined(path: string, step: string): string {
  return path === '' || step.startsWith('[') ? path + step : `${path}.${step}`
}

/** What stands before a tensor's name: nothing for the tensors of a model file. */
function prefixOf(path: string): string {
  return path === '' || path === 'tensors' ? '' : `${path}/`
}

function hasTensors(schema: Schema): boolean {
  switch (schema.kind) {
    case 'tensors':
      return true
    case 'list':
      return hasTensors(schema.element)
    case 'dict':
      return hasTensors(schema.value)
    case 'option':
      return hasTensors(schema.some)
    case 'struct':
      return schema.names.some((name) => hasTensors(schema.fields[name]!))
    default:
      return false
  }
}

/** Whether a value begins with a directory and has no other. */
function onlyFirstHasTensors(schema: Schema): boolean {
  if (schema.kind !== 'struct') return schema.kind === 'tensors'
  const [first, ...others] = schema.names.map((name) => schema.fields[name]!)
  return first?.kind === 'tensors' && !others.some(hasTensors)
}

/** All directories' tensors as one list. */
function listOf(source: ByteSource, found: readonly Found[]): TensorList {
  const firsts: number[] = []
  let length = 0
  for (const { directory } of found) {
    firsts.push(length)
    length += directory.length
  }
  const names = found.flatMap(({ directory, prefix }) =>
    prefix === '' ? directory.names : directory.names.map((name) => prefix + name),
  )
  let byName: Map<string, number> | undefined
  return {
    length,
    names,
    indexOf(name) {
      byName ??= new Map(names.map((n, i) => [n, i]))
      return byName.get(name) ?? -1
    },
    at(index) {
      let d = 0
      while (d + 1 < firsts.length && firsts[d + 1]! <= index) d++
      return viewOf(source, found[d]!, firsts[d]!, index, names[index]!)
    },
  }
}

const HEADER = 64
const DESCRIPTOR = 128

function viewOf(
  source: ByteSource,
  { directory, start }: Found,
  first: number,
  index: number,
  name: string,
): ViewTensor {
  const tensor = directory.at(index - first)
  const { dtype, shape, elements, byteLength, byteOffset, scheme, axis, groupSize, scale, outer, checksum } = tensor
  const fileOffset = start + byteOffset
  return {
    index,
    name,
    dtype,
    shape,
    elements,
    byteLength,
    scheme,
    axis,
    groupSize,
    checksum,
    fileOffset,
    descriptorOffset: start + HEADER + DESCRIPTOR * (index - first),
    scale: scale === undefined ? undefined : first + scale.index,
    outer: outer === undefined ? undefined : first + outer.index,
    chunks: (options) => tensor.chunks(options),
    read: (offset, length, options) => source.read(fileOffset + offset, length, options),
  }
}
