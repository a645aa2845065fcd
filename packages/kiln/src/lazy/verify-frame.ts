import { byteReader } from '../bytes/reader.js'
import { moved, within, type PathStep } from '../errors/kiln-error.js'
import { readFrame } from '../frame/decode.js'
import type { SchemaRegistry } from '../frame/schema-choice.js'
import { hasTensors } from '../frozen/seek.js'
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

/** Verifies the directories of a value that was read out of `bytes`; offsets of errors count from there, paths from the value. */
export function verifyIn(schema: Schema, value: unknown, bytes: Uint8Array): VerifiedTensors {
  const found: VerifiedTensors = { tensors: 0, checksums: 0 }
  verifyValue(schema, value, (directory) => {
    try {
      verifyPayloads(directory, directory.block)
    } catch (error) {
      throw moved(error, directory.block.byteOffset - bytes.byteOffset)
    }
    found.tensors += directory.length
    for (const { checksum } of directory) if (checksum !== undefined) found.checksums += 1
  })
  return found
}

type Verify = (directory: BlockDirectory) => void

function verifyValue(schema: Schema, value: unknown, verify: Verify): void {
  switch (schema.kind) {
    case 'tensors':
      verify(value as BlockDirectory)
      return
    case 'struct':
      for (const name of schema.names)
        verifyPart(name, schema.fields[name]!, (value as Record<string, unknown>)[name], verify)
      return
    case 'list':
      if (hasTensors(schema.element))
        for (const [i, element] of (value as unknown[]).entries()) verifyPart(i, schema.element, element, verify)
      return
    case 'dict':
      if (hasTensors(schema.value))
        for (const [key, entry] of value as Map<unknown, unknown>)
          verifyPart({ key: String(key) }, schema.value, entry, verify)
      return
    case 'option':
      if (value !== undefined) verifyValue(schema.some, value, verify)
  }
}

function verifyPart(step: PathStep, schema: Schema, value: unknown, verify: Verify): void {
  try {
    verifyValue(schema, value, verify)
  } catch (error) {
    throw within(error, step)
  }
}
