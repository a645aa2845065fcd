import type { ReadOptions } from 'kiln-format'
import { resolveCaps } from '../reading/caps.js'
import type { GraphLimits } from './graph.js'

/** Options of the ONNX reader. */
export interface OnnxOptions extends ReadOptions {
  /**
   * Caps; each that is left out has its default: `tensors` 2^20, `entries` 2^16, `depth` 64. What is over one is
   * `LIMIT`.
   */
  readonly limits?: Partial<GraphLimits> | undefined
  /**
   * Also takes the initializers of graphs inside nodes (the branches of If, the body of Loop), under
   * names such as `node3.then_branch.w`. Default false: they are reported in `omitted`.
   */
  readonly subgraphs?: boolean | undefined
  /**
   * Compares each file of external data with its SHA-1, where the model gives one; a difference is
   * `CHECKSUM`. Reads those files whole. Default false.
   */
  readonly checksums?: boolean | undefined
}

export function resolveLimits(options: OnnxOptions | undefined): GraphLimits {
  return resolveCaps({ tensors: 2 ** 20, entries: 2 ** 16, depth: 64 }, options?.limits)
}
