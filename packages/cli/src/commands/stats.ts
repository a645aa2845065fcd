import type { Command } from 'commander'
import { isKilnError } from 'kiln-format'
import { numberText } from '../diff/words.js'
import { labelOf } from '../input/label.js'
import { payloadBytes, type AnyModel, type AnyTensor } from '../input/model.js'
import { openModel } from '../input/open-any.js'
import { tensorNamed } from '../input/payload.js'
import { histogramLines } from '../stats/histogram-text.js'
import { tensorStats, type StatsRow } from '../stats/tensor-stats.js'
import { inFile } from '../terminal/failure.js'
import { nameText, shapeText } from '../terminal/shape-text.js'
import { tableLines } from '../terminal/table.js'
import type { Terminal } from '../terminal/terminal.js'
import { countText } from '../terminal/units.js'
import { addCommand, type CommonOptions } from './define.js'
import { inputOptions, openOptionsOf, type InputOptions } from './input-options.js'

type StatsOptions = CommonOptions & InputOptions

/** A tensor whose dtype has no numbers to count, and why. */
interface Skipped {
  readonly name: string
  readonly dtype: string
  readonly reason: string
}

export function registerStats(program: Command, terminal: Terminal): void {
  const command = addCommand(program, 'stats', {
    summary: 'count, range, mean, deviation, zeros, NaN and a histogram of tensors\' values',
    details:
      'Values are those of the numbers that the bits stand for, with scales and ggml blocks applied. Of min to std only ' +
      'finite values count. Without NAME all tensors, one a row; a histogram is in --json, and for one tensor on a terminal.',
    examples: ['kiln stats model.kiln', 'kiln stats --json model.safetensors layers.0.weight'],
  })
    .argument('<file>', 'a file of any format, a URL, or - for standard input')
    .argument('[name]', 'a tensor, by its name or as #PLACE')
  inputOptions(command).action(async (file: string, name: string | undefined, options: StatsOptions) => {
    const model = await openModel(file, terminal, openOptionsOf(options))
    try {
      const tensors = await inFile(labelOf(file), () => (name === undefined ? model.tensors : [tensorNamed(model, name)]))
      const { rows, skipped } = await inFile(labelOf(file), () => statsOf(model, tensors, name !== undefined, terminal))
      if (options.json === true) {
        await terminal.json({ file: labelOf(file), tensors: rows, ...(skipped.length === 0 ? {} : { skipped }) })
        return
      }
      await print(rows, name !== undefined && terminal.out.isTTY, terminal)
      for (const { name: left, dtype, reason } of skipped) await terminal.note(`${nameText(left, 0)} (${dtype}) is left out: ${reason}`)
    } finally {
      await model.close()
    }
  })
}

async function statsOf(
  model: AnyModel,
  tensors: readonly AnyTensor[],
  named: boolean,
  terminal: Terminal,
): Promise<{ rows: StatsRow[]; skipped: Skipped[] }> {
  const progress = terminal.progress('stats', payloadBytes(tensors))
  const rows: StatsRow[] = []
  const skipped: Skipped[] = []
  try {
    for (const tensor of tensors) {
      try {
        rows.push(await tensorStats(model, tensor, progress.add))
      } catch (error) {
        // Complex numbers and some of ggml's blocks have no values; one that was asked for by name is an error.
        if (named || !isKilnError(error) || error.code !== 'TYPE') throw error
        skipped.push({ name: tensor.name, dtype: tensor.dtype, reason: error.detail })
      }
    }
  } finally {
    progress.done()
  }
  return { rows, skipped }
}

async function print(rows: readonly StatsRow[], histogram: boolean, terminal: Terminal): Promise<void> {
  const right = true
  const columns = [
    { title: 'name' }, { title: 'dtype' }, { title: 'shape' }, { title: 'count', right }, { title: 'min', right }, { title: 'max', right },
    { title: 'mean', right }, { title: 'std', right }, { title: 'zeros', right }, { title: 'nan', right }, { title: 'inf', right },
    { title: 'subnormal', right },
  ]
  const number = (value: number | undefined): string => (value === undefined ? '-' : numberText(value))
  const cells = rows.map((row, i) => [
    nameText(row.name, i), row.dtype, shapeText(row.shape), countText(row.count), number(row.min), number(row.max), number(row.mean),
    number(row.std), countText(row.zeros), countText(row.nans), countText(row.infinities), countText(row.subnormals),
  ])
  await terminal.lines(tableLines(columns, cells))
  if (histogram) await terminal.lines(rows.flatMap(histogramLines))
}
