import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { compileFunction } from 'node:vm'
import { parse } from 'yaml'

const require = createRequire(import.meta.url)

/** The runtime's cursor over bytes. */
export type Stream = object

/** What the compiled description of a directory gives. Words of 64 bits are numbers in JavaScript. */
export interface KaitaiDirectory {
  readonly header: {
    readonly totalSize: number
    readonly tensorCount: number
    readonly heapSize: number
    readonly payloadBase: number
  }
  readonly descriptors: readonly {
    readonly dimensions: readonly number[]
    readonly byteOffset: number
    readonly byteLength: number
    readonly nameOffset: number
    readonly nameLength: number
    readonly dtype: number
    readonly rank: number
    readonly scheme: number
    readonly quantAxis: number
    readonly groupSize: number
    readonly scaleIndex: number
    readonly outerIndex: number
    readonly checksum: number
    readonly hasChecksum: boolean
    readonly name: string
    readonly nameBytes: Uint8Array
    readonly data: Uint8Array
  }[]
}

export interface KaitaiFrame {
  readonly header: {
    readonly flags: number
    readonly headerSize: number
    readonly checksum: number
    readonly schemaHash: number
    readonly bodyLength: number
    readonly hasSchema: boolean
    readonly hasChecksum: boolean
  }
  readonly schema?: { readonly text: string }
  readonly isModel: boolean
  readonly body: {
    readonly bytes?: Uint8Array
    readonly tensors?: KaitaiDirectory
    readonly metadata?: readonly {
      readonly key: { readonly value: string }
      readonly value: { readonly value: string }
    }[]
  }
}

/** A whole .kiln file. */
export interface KaitaiFile {
  readonly isDirectory: boolean
  readonly directory?: KaitaiDirectory
  readonly frames?: readonly KaitaiFrame[]
}

export interface KaitaiParser {
  new (stream: Stream): KaitaiFile
  /** Names of the dtypes by their code, in upper case. */
  readonly Dtype: Readonly<Record<number, string>>
}

/** kiln.ksy as data. */
export function kilnDescription(): { readonly enums: { readonly dtype: Readonly<Record<string, string>> } } {
  return parse(readFileSync(fileURLToPath(new URL('../../kiln.ksy', import.meta.url)), 'utf8')) as never
}

/** The description compiled to a language: the texts of its files by name. */
export function compileTo(language: string): Promise<Readonly<Record<string, string>>> {
  const compiler = require('kaitai-struct-compiler') as {
    compile(language: string, description: object, importer: null, debug: boolean): Promise<Record<string, string>>
  }
  return compiler.compile(language, kilnDescription(), null, false)
}

/** The parser that the description makes, and the runtime's streams. */
export async function kilnParser(): Promise<{ Kiln: KaitaiParser; streamOf: (bytes: Uint8Array) => Stream }> {
  const text = (await compileTo('javascript'))['Kiln.js']!
  const KaitaiStream = require('kaitai-struct/KaitaiStream') as new (buffer: ArrayBuffer) => Stream
  const made: { Kiln?: KaitaiParser } = {}
  // As a file of its own would be: what the compiler writes is a module for require.
  compileFunction(text, ['exports', 'require'])(made, require)
  return { Kiln: made.Kiln!, streamOf: (bytes) => new KaitaiStream(bytes.slice().buffer as ArrayBuffer) }
}
