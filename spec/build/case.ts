import type { CaseValue } from '../reference/case-values.js'
import type { Hex } from './hex.js'
import { type Rule, ruleOf } from './rules.js'

export type CaseError = 'EOF' | 'TRAILING' | 'FRAME' | 'TYPE' | 'LIMIT' | 'UTF8' | 'CHECKSUM' | 'SCHEMA'

export interface CaseCaps {
  readonly count?: number
  readonly numbers?: number
  readonly string?: number
  readonly tensors?: number
  readonly body?: number
}

/** A case as it stands in a file (spec/CASES.md). */
export interface Case {
  readonly name: string
  /** The rule of SPEC.md that it pins; the file's writer puts it in. */
  readonly rule?: string
  readonly note: string
  readonly kind: 'frozen' | 'directory' | 'frame' | 'schema'
  readonly schema?: string | null
  readonly text?: string
  readonly hex?: Hex
  readonly caps?: CaseCaps
  readonly value?: CaseValue
  readonly error?: CaseError
  readonly flags?: number
  readonly canonical?: boolean | string
  readonly hash?: string
  readonly strict?: CaseError | 'ok'
  readonly verify?: CaseError | 'ok'
}

interface FrozenOptions {
  readonly caps?: CaseCaps
  /** False where a scalar NaN or a layout that no writer chooses makes the bytes not the writer's. */
  readonly canonical?: false
}

/** A body that reads. */
export function frozen(
  name: string,
  note: string,
  schema: string,
  hex: Hex,
  value: CaseValue,
  options: FrozenOptions = {},
): Case {
  const written = options.canonical === false ? {} : { canonical: true }
  return { name, note, kind: 'frozen', schema, hex, ...capsOf(options.caps), value, ...written }
}

/** A body that doesn't. */
export function frozenRefused(
  name: string,
  note: string,
  schema: string,
  hex: Hex,
  error: CaseError,
  caps?: CaseCaps,
): Case {
  return { name, note, kind: 'frozen', schema, hex, ...capsOf(caps), error }
}

export function capsOf(caps: CaseCaps | undefined): { caps?: CaseCaps } {
  return caps === undefined ? {} : { caps }
}

/**
 * The text of a case file: one case a line, so that a change shows as the cases that changed. Each case gets
 * the rule of SPEC.md that names it, in place of the section that its builder cites.
 */
export function caseFile(cases: readonly Case[], rules: readonly Rule[]): string {
  const names = new Set<string>()
  const lines = cases.map(({ name, note, ...rest }) => {
    if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) throw new Error(`a name has lower case and dashes: ${name}`)
    if (names.has(name)) throw new Error(`two cases are called ${name}`)
    names.add(name)
    const sentence = /^(.+) \(FORMAT §\d[^()]*\)\.$/.exec(note)
    if (sentence === null) throw new Error(`${name} names no section`)
    return JSON.stringify({ name, rule: ruleOf(rules, name), note: `${sentence[1]!}.`, ...rest })
  })
  return `{"format":"kiln-cases/1","cases":[\n${lines.join(',\n')}\n]}\n`
}
