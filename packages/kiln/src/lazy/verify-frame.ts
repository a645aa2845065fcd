import { byteReader } from '../bytes/reader.js'
import { moved } from '../errors/kiln-error.js'
import { readFrame } from '../frame/decode.js'
import type { SchemaRegistry } from '../frame/schema-choice.js'
import type { Settings } from '../limits/limits.js'
import type { Schema } from '../schema/types.js'
import { readRange } from '../sources/range.js'
import type { ByteSource, ReadOptions } from '../sources/source.js'
import type { BlockDirectory } from '../tensors/directory.js'
import { verifyPayloads } from '../tensors/verify.js'
import type { FrameHead } from './frame-head.js'

/** What was compared in some directories. */
export interface VerifiedTensors {
  tensors: number
  checksums: number
}

/** Reads a frame whole, and verifies the directories that stand anywhere in its value. */
export async function verifyWholeFrame(
  source: ByteSource,
  head: FrameHead,
  registry: SchemaRegistry,
  settings: Settings,
  options: ReadOptions,
): Promise<VerifiedTensors> {
  const bytes = await readRange(source, head.start, head.end - head.start, options)
  try {
    const { schema, value } = readFrame(byteReader(bytes, settings), registry, 'read')
    return verifyIn(schema, value, bytes)
  } catch (error) {
    throw moved(error, head.start)
  }
}

/** Verifies the directories of a value that was read out of `bytes`; offsets of errors count from there. */
export function verifyIn(schema: Schema, value: unknown, bytes: Uint8Array): VerifiedTensors {
  const found: VerifiedTensors = { tensors: 0, checksums: 0 }
  for (const directory of directoriesIn(schema, value)) {
    try {
      verifyPayloads(directory, directory.block)
    } catch (error) {
      throw moved(error, directory.block.byteOffset - bytes.byteOffset)
    }
    found.tensors += directory.length
    for (const { checksum } of directory) if (checksum !== undefined) found.checksums += 1
  }
  return found
}

function* directoriesIn(schema: Schema, value: unknown): Generator<BlockDirectory, void> {
  switch (schema.kind) {
    case 'tensors':
      yield value as BlockDirectory
      return
    case 'struct':
      for (const name of schema.names)
        yield* directoriesIn(schema.fields[name]!, (value as Record<string, unknown>)[name])
      return
    case 'list':
      if (mayHold(schema.element))
        for (const element of value as unknown[]) yield* directoriesIn(schema.element, element)
      return
    case 'dict':
      if (mayHold(schema.value))
        for (const entry of (value as Map<unknown, unknown>).values()) yield* directoriesIn(schema.value, entry)
      return
    case 'option':
      if (value !== undefined) yield* directoriesIn(schema.some, value)
  }
}

/** Whether a directory can stand in a value: long lists of anything else need not be gone through. */
function mayHold(schema: Schema): boolean {
  switch (schema.kind) {
    case 'tensors':
      return true
    case 'struct':
      return schema.names.some((name) => mayHold(schema.fields[name]!))
    case 'list':
      return mayHold(schema.element)
    case 'dict':
      return mayHold(schema.value)
    case 'option':
      return mayHold(schema.some)
    default:
      return false
  }
}
