import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { ByteSource } from 'kiln-format'
import { openForeign, openForeignFolder, sniffSource, type Folder, type ForeignModel } from 'kiln-convert'
import type { FileSource, SourceFile } from 'kiln-format/node'
import { inFile } from '../terminal/failure.js'
import type { Terminal } from '../terminal/terminal.js'
import { openKilnModel } from './kiln-model.js'
import { labelOf } from './label.js'
import type { AnyModel } from './model.js'
import { openSource } from './open-source.js'
import { fileNameOfUrl, placeOf } from './url.js'
import { folderOfFile, folderOfUrl, watchedFolder } from './watched-folder.js'

/** How inputs are opened. */
export interface OpenOptions {
  /** For URLs; they go to the URL's own origin alone. */
  readonly headers?: readonly (readonly [string, string])[]
  /** Opens one file of a set by itself. */
  readonly alone?: boolean
  /** Of an ONNX model, takes the initializers of graphs inside nodes too. */
  readonly subgraphs?: boolean
}

/** An input whose kind is known: a Kiln file, still as bytes, or a model of another format. */
export type Opened =
  | { readonly kind: 'kiln'; readonly source: ByteSource; readonly files: readonly SourceFile[] }
  | { readonly kind: 'foreign'; readonly model: AnyModel }

/**
 * Opens a file, a URL, a folder or standard input, of any format, by its content. A file of a set opens the whole set.
 * The only place that knows how.
 */
export async function openAny(input: string, terminal: Terminal, options: OpenOptions = {}): Promise<Opened> {
  return inFile(labelOf(input), async () => {
    const place = placeOf(input)
    const opened: SourceFile[] = []
    if (place.kind === 'path' && (await isFolder(place.path))) {
      const model = await openForeignFolder(await watchedFolder(place.path, opened))
      return { kind: 'foreign', model: foreignModel(input, 0, model, opened, undefined) }
    }
    const source = await openSource(input, terminal, options.headers)
    try {
      if ('ino' in source) opened.push(source as FileSource)
      const name = nameOf(input)
      const { name: kind } = await sniffSource(source, name)
      // By its name only where the content leaves it open: a login page that was saved as .kiln is told for what it is.
      const damaged = /\.kiln$/i.test(name) && (kind === 'unknown' || source.size < 4)
      if (kind === 'kiln-directory' || kind === 'kiln-frame' || damaged) return { kind: 'kiln', source, files: opened }
      const folder = await folderOf(input, opened, options)
      const model = await openForeign(source, { name, folder, alone: options.alone, subgraphs: options.subgraphs })
      return { kind: 'foreign', model: foreignModel(input, source.size, model, opened, source) }
    } catch (error) {
      await source.close?.()
      throw error
    }
  })
}

/** An input of any format as one model. A Kiln file has to be a directory, or one frame that begins with tensors. */
export async function openModel(input: string, terminal: Terminal, options: OpenOptions = {}): Promise<AnyModel> {
  const opened = await openAny(input, terminal, options)
  if (opened.kind === 'foreign') return opened.model
  return inFile(labelOf(input), () => openKilnModel(input, opened.source, opened.files))
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then((s) => s.isDirectory(), () => false)
}

/** The name by which a file is known in its folder. */
function nameOf(input: string): string {
  const place = placeOf(input)
  if (place.kind === 'stdin') return ''
  if (place.kind === 'path') return basename(place.path)
  return fileNameOfUrl(place.url)
}

async function folderOf(input: string, opened: SourceFile[], { headers = [] }: OpenOptions): Promise<Folder | undefined> {
  const place = placeOf(input)
  if (place.kind === 'stdin') return undefined
  return place.kind === 'url' ? folderOfUrl(place.url, headers) : folderOfFile(place.path, opened)
}

function foreignModel(input: string, size: number, model: ForeignModel, files: readonly SourceFile[], source: ByteSource | undefined): AnyModel {
  return {
    input,
    format: model.format,
    size,
    tensors: model.tensors,
    // Asked for when it is needed: the metadata of a GGUF file may be large.
    get metadata() {
      return model.metadata
    },
    omitted: model.omitted,
    files,
    async close() {
      await model.close()
      await source?.close?.()
    },
  }
}
