import { take, takeCount, takeLength, type ByteReader } from '../bytes/reader.js'
import { elementType, isNumberName } from '../bytes/elements.js'
import { within } from '../errors/kiln-error.js'
import type { Schema } from '../schema/types.js'
import { HEADER_SIZE, readHeader, type DirectoryHeader } from '../tensors/header.js'
import { codecOf } from './compile.js'
import { readFlag } from './scalar-read.js'

/**
 * Passes over one value and leaves the cursor behind it. Kept are the checks that say where values end: counts with
 * their caps, lengths, what is available, option tags, and a directory's header (FORMAT §4, steps 1 to 4). Not looked
 * at are the values themselves: bools, text, keys that stand twice, descriptors.
 */
export type Skip = (r: ByteReader) => void

const skippers = new WeakMap<Schema, Skip>()

/** The skipper of a schema, made when it is first asked for and kept as long as the schema. */
export function skipperOf(schema: Schema): Skip {
  let skip = skippers.get(schema)
  if (skip === undefined) {
    skip = make(schema)
    skippers.set(schema, skip)
  }
  return skip
}

/** Bytes of every value of a schema, or undefined if they differ from value to value. */
export function fixedSizeOf(schema: Schema): number | undefined {
  switch (schema.kind) {
    case 'bool':
      return 1
    case 'struct': {
      let sum = 0
      for (const name of schema.names) {
        const size = fixedSizeOf(schema.fields[name]!)
        if (size === undefined) return undefined
        sum += size
      }
      return sum
    }
    default:
      return isNumberName(schema.kind) ? elementType(schema.kind).width : undefined
  }
}

function make(schema: Schema): Skip {
  switch (schema.kind) {
    case 'string':
    case 'bytes': {
      const { kind } = schema
      return (r) => void takeLength(r, kind)
    }
    case 'tensors':
      return skipTensors
    case 'list':
      return skipList(schema.element)
    case 'dict':
      return skipDict(schema.key, schema.value)
    case 'option': {
      const some = skipperOf(schema.some)
      return (r) => {
        if (readFlag(r, 'option tag')) some(r)
      }
    }
    case 'struct':
      return skipFields(schema.names.map((name) => [name, schema.fields[name]!]))
    default: {
      const size = fixedSizeOf(schema)!
      const { kind } = schema
      return (r) => void take(r, size, kind)
    }
  }
}

/** Passes over fields that stand one behind the other; a run of fixed size is one step. */
export function skipFields(fields: readonly (readonly [name: string, schema: Schema])[]): Skip {
  const skips = fields.map(([, schema]) => skipperOf(schema))
  const each: Skip = (r) => {
    let i = 0
    try {
      for (; i < skips.length; i++) skips[i]!(r)
    } catch (error) {
      throw within(error, fields[i]![0])
    }
  }
  const sizes = fields.map(([, schema]) => fixedSizeOf(schema))
  if (sizes.some((size) => size === undefined)) return each
  const total = sizes.reduce((sum: number, size) => sum + size!, 0)
  return (r) => {
    // Where the run is cut short, going through it names the field.
    if (total <= r.end - r.pos) r.pos += total
    else each(r)
  }
}

function skipList(element: Schema): Skip {
  if (isNumberName(element.kind)) {
    const { width } = elementType(element.kind)
    return (r) => {
      const count = takeCount(r, width, 'numbers')
      r.pos += count * width
    }
  }
  const { minSize } = codecOf(element)
  const size = fixedSizeOf(element)
  if (size !== undefined) {
    return (r) => {
      const count = takeCount(r, minSize, 'count')
      r.pos += count * size
    }
  }
  return skipEach(skipperOf(element), minSize)
}

function skipDict(key: Schema, value: Schema): Skip {
  const skipKey = skipperOf(key)
  const skipValue = skipperOf(value)
  return skipEach((r) => {
    skipKey(r)
    skipValue(r)
  }, codecOf(key).minSize + codecOf(value).minSize)
}

function skipEach(skip: Skip, minSize: number): Skip {
  return (r) => {
    const count = takeCount(r, minSize, 'count')
    let i = 0
    try {
      for (; i < count; i++) skip(r)
    } catch (error) {
      throw within(error, i)
    }
  }
}

function skipTensors(r: ByteReader): void {
  const header: DirectoryHeader = { tensorCount: 0, heapSize: 0, payloadBase: 0, totalSize: HEADER_SIZE }
  readHeader(r.view, r.pos, r.end - r.pos, r.settings.limits.tensors, header)
  r.pos += header.totalSize
}
