import type { Command } from 'commander'
import { compareModels, type ModelDifference } from '../diff/compare-models.js'
import { differenceText } from '../diff/words.js'
import { labelOf } from '../input/label.js'
import { payloadBytes } from '../input/model.js'
import { openModel } from '../input/open-any.js'
import { visible } from '../terminal/escape.js'
import type { Terminal } from '../terminal/terminal.js'
import { UsageError } from '../terminal/usage-error.js'
import { counted } from '../terminal/units.js'
import { addCommand, type CommonOptions } from './define.js'
import { inputOptions, openOptionsOf, type InputOptions } from './input-options.js'

interface DiffOptions extends CommonOptions, InputOptions {
  readonly values?: boolean
  readonly exitCode?: boolean
}

export function registerDiff(program: Command, terminal: Terminal): void {
  const command = addCommand(program, 'diff', {
    summary: 'say how the tensors of B differ from those of A, across formats',
    details:
      'Tensors are paired by name: added, removed, of another dtype or shape, with other bits (how many elements, and the ' +
      'first index). Where bits or dtypes differ, values are compared too: the largest and the mean error, scales and ggml ' +
      'blocks applied.',
    examples: ['kiln diff model.safetensors model.kiln', 'kiln diff --json a.kiln b.kiln'],
  })
    .argument('<a>', 'a file of any format, a URL, or - for standard input')
    .argument('<b>', 'the other')
    .option('--no-values', 'compare bits alone')
    .option('--exit-code', 'end with 1 if there is a difference')
  inputOptions(command).action(async (first: string, second: string, options: DiffOptions) => {
    if (first === '-' && second === '-') throw new UsageError('only one of the two can be standard input')
    const a = await openModel(first, terminal, openOptionsOf(options))
    try {
      const b = await openModel(second, terminal, openOptionsOf(options))
      try {
        const progress = terminal.progress('diff', payloadBytes(a.tensors))
        const differences: ModelDifference[] = []
        try {
          const settings = { values: options.values !== false, passed: progress.add }
          for await (const difference of compareModels(a, b, settings)) differences.push(difference)
        } finally {
          progress.done()
        }
        if (differences.length > 0 && options.exitCode === true) terminal.exitCode = 1
        if (options.json === true) {
          await terminal.json({ a: labelOf(first), b: labelOf(second), same: differences.length === 0, differences })
          return
        }
        await terminal.lines(differences.map(differenceText))
        const verdict = differences.length === 0 ? 'the same tensors and metadata' : counted(differences.length, 'difference')
        await terminal.line(visible(`${labelOf(first)} and ${labelOf(second)}: ${verdict}`))
      } finally {
        await b.close()
      }
    } finally {
      await a.close()
    }
  })
}
