import { allocated } from '../bytes/allocate.js'

/** What readers have allocated for counts and sizes of their input since the last reset. */
export interface Allocations {
  /** Elements of lists and entries of dicts. */
  readonly elements: number
  /** Tensors for which descriptor storage was made. */
  readonly descriptors: number
}

/** The counter's state. For tests: a refused input must not have moved it. */
export function allocations(): Allocations {
  return { ...allocated }
}

/** Sets the counter to nothing. */
export function resetAllocations(): void {
  allocated.elements = 0
  allocated.descriptors = 0
}
