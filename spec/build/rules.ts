/** Names of cases, with `*` for any letters. */
export interface Pattern {
  readonly text: string
  /** How much it says: its letters; a whole name says more than any pattern. */
  readonly weight: number
  readonly expression: RegExp
}

/** A rule of SPEC.md: its number, and which cases pin it. */
export interface Rule {
  readonly id: string
  readonly patterns: readonly Pattern[]
}

/** Every rule of the page that has a number. Throws for one that names no case. */
export function rulesOf(page: string): Rule[] {
  return ruleLines(page).map((line) => {
    const parts = /^- \*\*(§\d+\.\d+)\*\* .* \*Cases:\* ((?:`[a-z0-9*-]+`(?:, )?)+)\.$/.exec(line)
    if (parts === null) throw new Error(`a rule without a number or its cases: ${line}`)
    return { id: parts[1]!, patterns: parts[2]!.split(', ').map((name) => pattern(name.slice(1, -1))) }
  })
}

/** The rules of the page, each as one line. */
export function ruleLines(page: string): string[] {
  return page
    .replaceAll('\n  ', ' ')
    .split('\n')
    .filter((line) => line.startsWith('- **§'))
}

function pattern(text: string): Pattern {
  const parts = text.split('*')
  return {
    text,
    weight: parts.length === 1 ? Infinity : parts.join('').length,
    expression: new RegExp(`^${parts.join('.*')}$`),
  }
}

/** The rule that a case pins: of all patterns that its name is of, the one that says most decides. */
export function ruleOf(rules: readonly Rule[], name: string): string {
  const found = rules
    .flatMap(({ id, patterns }) =>
      patterns.filter(({ expression }) => expression.test(name)).map((best) => ({ id, ...best })),
    )
    .sort((a, b) => (a.weight < b.weight ? 1 : -1))
  const [best, next] = found
  if (best === undefined) throw new Error(`no rule of SPEC.md names ${name}`)
  if (next !== undefined && next.id !== best.id && next.weight === best.weight) {
    throw new Error(`${name} is named by ${best.id} (${best.text}) and by ${next.id} (${next.text})`)
  }
  return best.id
}
