import type { TensorInfo } from '../tensors/tensor.js'

/** Tensors whose payloads are read at once, because they lie close to each other. */
export interface MergedRange {
  /** In bytes from the start of the directory. */
  readonly offset: number
  readonly length: number
  readonly tensors: readonly TensorInfo[]
}

/**
 * Joins payloads into ranges: neighbours with at most `gap` bytes between them, as long as a range has at most `most`
 * bytes. A payload that is larger has a range for itself.
 */
export function mergeRanges(tensors: readonly TensorInfo[], gap: number, most: number): MergedRange[] {
  // Of two that begin at one place the first is empty, and would cut the range short if it came after the other.
  const inOrder = [...new Set(tensors)].sort((a, b) => a.byteOffset - b.byteOffset || a.index - b.index)
  const ranges: { offset: number; length: number; tensors: TensorInfo[] }[] = []
  let last: (typeof ranges)[number] | undefined
  for (const tensor of inOrder) {
    const { byteOffset, byteLength } = tensor
    const end = byteOffset + byteLength
    if (last !== undefined && byteOffset - (last.offset + last.length) <= gap && end - last.offset <= most) {
      last.length = end - last.offset
      last.tensors.push(tensor)
    } else {
      last = { offset: byteOffset, length: byteLength, tensors: [tensor] }
      ranges.push(last)
    }
  }
  return ranges
}
