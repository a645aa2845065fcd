import type { Omission } from 'kiln-convert'
import { brief } from '../terminal/shape-text.js'
import { visible } from '../terminal/escape.js'

/** What is left out, for people: a line for each reason, with the names of all that it holds for. */
export function omissionLines(omitted: readonly Omission[]): string[] {
  const names = new Map<string, string[]>()
  for (const { name, reason } of omitted) {
    const same = names.get(reason)
    if (same === undefined) names.set(reason, [brief(name)])
    else same.push(brief(name))
  }
  return Array.from(names, ([reason, all]) => `left out${all.length === 1 ? '' : ` (${all.length})`}: ${all.join(', ')}: ${visible(reason)}`)
}
