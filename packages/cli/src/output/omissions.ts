import type { Omission } from 'kiln-convert'
import { onCommandLine } from '../terminal/advice.js'
import { brief } from '../terminal/shape-text.js'
import { visible } from '../terminal/escape.js'

// An ONNX model may have hundreds of one reason, 8,000 characters in a line that nobody reads. --json has every name.
const MOST_NAMES = 8

/** What is left out, for people: a line for each reason, with the names that it holds for, or the first of them. */
export function omissionLines(omitted: readonly Omission[]): string[] {
  const names = new Map<string, string[]>()
  for (const { name, reason } of omitted) {
    const same = names.get(reason)
    if (same === undefined) names.set(reason, [brief(name)])
    else same.push(brief(name))
  }
  return Array.from(names, ([reason, all]) => {
    const count = all.length === 1 ? '' : ` (${all.length})`
    // One name is not shorter than saying that there is one more.
    const shown = all.length <= MOST_NAMES + 1 ? all : [...all.slice(0, MOST_NAMES), `and ${all.length - MOST_NAMES} more, all named by --json`]
    return `left out${count}: ${shown.join(', ')}: ${visible(onCommandLine(reason))}`
  })
}
