import type { Command } from 'commander'
import { runCases } from '../conformance/run.js'
import { labelOf } from '../input/label.js'
import { readText } from '../input/read-bytes.js'
import { visible } from '../terminal/escape.js'
import { addCommand, type CommonOptions } from './define.js'
import type { Terminal } from '../terminal/terminal.js'

interface Failed {
  readonly file: string
  readonly name: string
  readonly check: string
  readonly expected: string
  readonly came: string
}

export function registerConformance(program: Command, terminal: Terminal): void {
  addCommand(program, 'conformance', {
    summary: 'run case files: what must be read, refused and written',
    details:
      'FILE is JSON ({"format": "kiln-cases/1", "cases": […]}) or JSON Lines with a case a line; numeric vectors are run too. ' +
      'Every reader and writer of the library is tried on every case. Ends with "N passed, N failed"; exit code 1 if any failed.',
    examples: ['kiln conformance spec/kiln-pod-cases.json spec/kiln-v2-cases.json'],
  })
    .argument('<file...>', 'case files, - for standard input')
    .action(async (files: string[], options: CommonOptions) => {
      // Most of what runs here is refused, and where in the program that was said is no part of the answer: without
      // stack traces 10,000 cases take half the time.
      const { stackTraceLimit } = Error
      Error.stackTraceLimit = 0
      try {
        await runFiles(files, options, terminal)
      } finally {
        Error.stackTraceLimit = stackTraceLimit
      }
    })
}

async function runFiles(files: readonly string[], options: CommonOptions, terminal: Terminal): Promise<void> {
  const failed: Failed[] = []
  let passed = 0
  let cases = 0
  for (const file of files) {
    const text = await readText(file, terminal)
    const before = cases
    for await (const { name, mismatches } of runCases(text)) {
      cases++
      if (mismatches.length === 0) passed++
      for (const mismatch of mismatches) failed.push({ file: labelOf(file), name, ...mismatch })
      if (options.json === true) continue
      for (const { check, expected, came } of mismatches) {
        const place = visible(`${labelOf(file)}: ${name} (${check})`)
        await terminal.line(`${terminal.colours.red('FAIL')} ${place}: expected ${visible(expected)}, came ${visible(came)}`)
      }
    }
    if (cases === before) {
      // A file that lost its cases must not pass for one whose cases all hold.
      terminal.exitCode = 1
      await terminal.note(visible(`${labelOf(file)} holds no case`))
    }
  }
  const failures = cases - passed
  if (failures > 0) terminal.exitCode = 1
  if (options.json === true) await terminal.json({ passed, failed: failures, failures: failed })
  else await terminal.line(`${passed} passed, ${failures} failed`)
}
