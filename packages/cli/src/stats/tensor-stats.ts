import { streamStatistics, type StatisticsSummary } from 'kiln-format/numeric'
import type { AnyModel, AnyTensor } from '../input/model.js'
import { linkedShapeOf } from '../input/payload.js'

/** Statistics of a tensor's values, as `stats --json` shows them. */
export interface StatsRow extends Omit<StatisticsSummary, 'squares' | 'histogram'> {
  readonly name: string
  readonly dtype: string
  readonly shape: readonly number[]
  readonly histogram: { readonly from: number; readonly bin_width: number; readonly counts: readonly number[] }
}

/** Reads a tensor once, in bounded memory; scales and ggml blocks are applied. */
export async function tensorStats(model: AnyModel, tensor: AnyTensor, passed: (bytes: number) => void): Promise<StatsRow> {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for await (const piece of tensor.chunks()) {
      passed(piece.length)
      yield piece
    }
  }
  const { squares: _, histogram, ...summary } = await streamStatistics(await linkedShapeOf(model, tensor), chunks())
  const { name, dtype, shape } = tensor
  const { from, binWidth, counts } = histogram
  return { name, dtype, shape, ...summary, histogram: { from, bin_width: binWidth, counts } }
}
