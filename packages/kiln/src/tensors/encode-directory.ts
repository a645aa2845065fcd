import { PAYLOAD_ALIGNMENT } from '../bytes/align.js'
import type { OwnBytes } from '../bytes/host.js'
import { describe } from '../bytes/input.js'
import { giveBack, takeWriter } from '../bytes/writer.js'
import { KilnError } from '../errors/kiln-error.js'
import { checkOptions, isOn } from '../limits/options.js'
import type { Directory } from './directory.js'
import { MAX_ALIGNMENT } from './header.js'
import type { Tensor, TensorInfo } from './tensor.js'
import type { TensorInput } from './tensor-input.js'
import { writeDirectory, type TensorDescription } from './write.js'

/** How a directory that stands alone is written. */
export interface EncodeDirectoryOptions {
  /**
   * Where payloads and `payload_base` lie: a multiple of 64 up to 65,536, such as 4,096 for mapping pages.
   * Default 64; anything else is valid and not canonical.
   */
  readonly alignment?: number | undefined
  /** Whether every payload's CRC-32 is stored; a tensor's own `checksum` goes before. Default false. */
  readonly checksums?: boolean | undefined
}

/**
 * Writes a directory that stands alone (FORMAT §4, the canonical block), tensors in the given order. Takes
 * descriptions, tensors of a directory that was read, or a whole directory. Throws KilnError for data that dtype and
 * shape don't need, a duplicate name, or a bad link.
 */
export function encodeDirectory(
  tensors: Directory | readonly (TensorInput | Tensor)[],
  options: EncodeDirectoryOptions = {},
): OwnBytes {
  checkOptions(options)
  const checksums = isOn(options.checksums, 'checksums')
  const alignment = checkAlignment(options.alignment)
  const inputs = directoryInputs(tensors)
  const w = takeWriter()
  try {
    writeDirectory(w, inputs, { alignment, checksums })
    return w.finish()
  } finally {
    giveBack(w)
  }
}

/** Throws `TYPE` unless a directory can have this alignment (FORMAT §4, Valid and canonical). */
export function checkAlignment(alignment: number | undefined): number {
  if (alignment === undefined) return PAYLOAD_ALIGNMENT
  if (Number.isInteger(alignment) && alignment > 0 && alignment <= MAX_ALIGNMENT && alignment % PAYLOAD_ALIGNMENT === 0) {
    return alignment
  }
  throw new KilnError('TYPE', `an alignment is a multiple of ${PAYLOAD_ALIGNMENT} up to ${MAX_ALIGNMENT}, got ${describe(alignment)}`)
}

/** What is given for a directory, as descriptions; links of tensors that were read go by place. */
export function directoryInputs(given: unknown): readonly TensorInput[] {
  const items = directoryItems(given)
  const places = placesOf(items)
  return items.map((item) => (isTensor(item) ? inputOf(item, places) : (item as TensorInput)))
}

function inputOf(tensor: Tensor, places: (item: object) => number | undefined): TensorInput {
  const { name, dtype, shape, scale, outer, axis, groupSize, checksum } = descriptionOf(tensor, places)
  return { name, dtype, shape, scale, outer, axis, groupSize, checksum, data: tensor.bytes }
}

/** The objects that stand for tensors in what is given for a directory; `TYPE` for anything else. */
export function directoryItems(given: unknown): readonly object[] {
  const list: unknown = isDirectory(given) ? [...given] : given
  if (!Array.isArray(list)) {
    throw new KilnError('TYPE', `tensors takes a directory or an array of tensors, got ${describe(given)}`)
  }
  // By index: a hole in the list is a fault too.
  for (let i = 0; i < list.length; i++) {
    const item: unknown = list[i]
    if (typeof item !== 'object' || item === null) {
      throw new KilnError('TYPE', `a tensor expected, such as tensor('w', 'f32', [2], data); got ${describe(item)}`).within(i)
    }
  }
  return list as readonly object[]
}

/** Where each of them stands, made when it is first asked for: most lists have no links. */
export function placesOf(items: readonly object[]): (item: object) => number | undefined {
  let places: Map<object, number> | undefined
  return (item) => {
    places ??= new Map(items.map((other, i) => [other, i]))
    return places.get(item)
  }
}

function isDirectory(given: unknown): given is Iterable<unknown> {
  return typeof given === 'object' && given !== null && 'payloadBase' in given && Symbol.iterator in given
}

function isTensor(item: object): item is Tensor {
  return 'scheme' in item && 'bytes' in item && 'byteOffset' in item
}

/** A tensor that was read, with or without its payload, and the tensors that it is linked to. */
export interface LinkedInfo extends TensorInfo {
  readonly scale: TensorInfo | undefined
  readonly outer: TensorInfo | undefined
}

/** A tensor that was read, as a description. Its links follow the scale and outer tensors to where they now are. */
export function descriptionOf(tensor: LinkedInfo, places: (item: object) => number | undefined): TensorDescription {
  const { name, dtype, shape, scale, outer } = tensor
  const place = (linked: TensorInfo): number => {
    const index = places(linked)
    if (index !== undefined) return index
    throw new KilnError('TYPE', `the linked tensor ${JSON.stringify(linked.name)} is not in the list; give it too`)
  }
  const scaled = scale !== undefined
  // Every field, and no spread: objects of one shape are written five times as fast as such that were put together.
  return {
    name,
    dtype,
    shape,
    scale: scaled ? place(scale) : undefined,
    outer: outer === undefined ? undefined : place(outer),
    axis: scaled ? tensor.axis : undefined,
    groupSize: scaled ? tensor.groupSize : undefined,
    checksum: tensor.checksum === undefined ? undefined : true,
  }
}
