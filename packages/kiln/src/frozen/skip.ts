import { take, takeCount, takeLength, type ByteReader } from '../bytes/reader.js'
import { elementType, isNumberName } from '../bytes/elements.js'
import { within } from '../errors/kiln-error.js'
import type { Schema } from '../schema/types.js'
import { HEADER_SIZE, readHeader, type DirectoryHeader } from '../tensors/header.js'
import { bySchema } from './by-schema.js'
import { passOver, passStepsOf } from './pass.js'
import { readFlag } from './scalar-read.js'
import { fixedSizeOf, minSizeOf } from './sizes.js'

/**
 * Passes over one value and leaves the cursor behind it. Kept are the checks that say where values end: counts with
 * their caps, lengths, what is available, option tags, and a directory's header (FORMAT §4, steps 1 to 4). Not looked
 * at are the values themselves: bools, text, keys that stand twice, descriptors.
 */
export type Skip = (r: ByteReader) => void

/** The skipper of a schema. */
export const skipperOf: (schema: Schema) => Skip = /* @__PURE__ */ bySchema(make)

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

/** Passes over fields that stand one behind the other. */
export function skipFields(fields: readonly (readonly [name: string, schema: Schema])[]): Skip {
  return passing(fields.map(([, schema]) => schema), () => {
    const skips = fields.map(([, schema]) => skipperOf(schema))
    return (r) => {
      let i = 0
      try {
        for (; i < skips.length; i++) skips[i]!(r)
      } catch (error) {
        throw within(error, fields[i]![0])
      }
    }
  })
}

/** Goes past the values at once; where a check fails, going through them one by one tells which, and where. */
function passing(schemas: readonly Schema[], makeEach: () => Skip): Skip {
  const steps = passStepsOf(schemas)
  let each: Skip | undefined
  return (r) => {
    const pos = passOver(steps, r, r.pos)
    if (pos <= r.end) {
      r.pos = pos
      return
    }
    each ??= makeEach()
    each(r)
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
  return skipEach([element])
}

function skipDict(key: Schema, value: Schema): Skip {
  return skipEach([key, value])
}

/** A count, and so many elements of these parts. */
function skipEach(parts: readonly Schema[]): Skip {
  const minSize = parts.reduce((sum, part) => sum + minSizeOf(part), 0)
  const skips = parts.map(skipperOf)
  return (r) => {
    const count = takeCount(r, minSize, 'count')
    let i = 0
    try {
      for (; i < count; i++) for (const skip of skips) skip(r)
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
