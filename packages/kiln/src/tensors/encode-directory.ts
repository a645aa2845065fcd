import { PAYLOAD_ALIGNMENT } from '../bytes/align.js'
import type { OwnBytes } from '../bytes/host.js'
import { describe } from '../bytes/input.js'
import { withWriter } from '../bytes/writer.js'
import { KilnError } from '../errors/kiln-error.js'
import type { Directory } from './directory.js'
import { MAX_ALIGNMENT } from './header.js'
import type { Tensor } from './tensor.js'
import type { TensorInput } from './tensor-input.js'
import { writeDirectory } from './write.js'

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
  const alignment = checkAlignment(options.alignment)
  const inputs = directoryInputs(tensors)
  return withWriter((w) => {
    writeDirectory(w, inputs, { alignment, checksums: options.checksums === true })
    return w.finish()
  })
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
  const list: unknown = isDirectory(given) ? [...given] : given
  if (!Array.isArray(list)) {
    throw new KilnError('TYPE', `tensors takes a directory or an array of tensors, got ${describe(given)}`)
  }
  return Array.from(list as readonly unknown[], (item, i) => {
    if (typeof item !== 'object' || item === null) {
      throw new KilnError('TYPE', `a tensor expected, such as tensor('w', 'f32', [2], data); got ${describe(item)}`).within(i)
    }
    return isTensor(item) ? inputOf(item, list) : (item as TensorInput)
  })
}

function isDirectory(given: unknown): given is Directory {
  return typeof given === 'object' && given !== null && 'payloadBase' in given && Symbol.iterator in given
}

function isTensor(item: object): item is Tensor {
  return 'scheme' in item && 'bytes' in item && 'byteOffset' in item
}

/** A tensor that was read, as a description. Its links follow the scale and outer tensors to where they now are. */
function inputOf(tensor: Tensor, list: readonly unknown[]): TensorInput {
  const { name, dtype, shape, scale, outer } = tensor
  return {
    name,
    dtype,
    shape,
    data: tensor.bytes,
    ...(scale === undefined ? {} : { scale: place(scale, list), axis: tensor.axis, groupSize: tensor.groupSize }),
    ...(outer === undefined ? {} : { outer: place(outer, list) }),
    ...(tensor.checksum === undefined ? {} : { checksum: true }),
  }
}

function place(linked: Tensor, list: readonly unknown[]): number {
  const index = list.indexOf(linked)
  if (index === -1) {
    throw new KilnError('TYPE', `the linked tensor ${JSON.stringify(linked.name)} is not in the list; give it too`)
  }
  return index
}
