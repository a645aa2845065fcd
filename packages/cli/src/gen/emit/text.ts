/** Columns of the generated code, as in the code around it. */
export const WIDTH = 120

/** A text as a literal in single quotes, or in double ones where that needs fewer backslashes. ASCII only. */
export function literal(text: string): string {
  const quote = text.includes("'") && text.split("'").length > text.split('"').length ? '"' : "'"
  const body = text.replace(/[\\'"]|[^ -~]/g, (c) => {
    if (c === '\\') return '\\\\'
    if (c === quote) return `\\${c}`
    if (c === "'" || c === '"') return c
    return `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
  return quote + body + quote
}

/** `before a, b, c after` in one line if it fits, else an item a line with a comma behind each. */
export function listed(
  before: string,
  items: readonly string[],
  after: string,
  spaced: boolean,
  indent = '',
): string[] {
  const space = spaced ? ' ' : ''
  const line = `${indent}${before}${space}${items.join(', ')}${space}${after}`
  if (line.length <= WIDTH && items.length > 0) return [line]
  return [`${indent}${before}`, ...items.map((item) => `${indent}  ${item},`), `${indent}${after}`]
}

/** `before name(a, b): result {` in one line if it fits, else a parameter a line. */
export function functionHead(before: string, parameters: readonly string[], result: string): string[] {
  const line = `${before}(${parameters.join(', ')}): ${result} {`
  if (line.length <= WIDTH) return [line]
  return [`${before}(`, ...parameters.map((parameter) => `  ${parameter},`), `): ${result} {`]
}

/** `before a | b` in one line if it fits, else an operand a line. */
export function assigned(before: string, value: string, indent = ''): string[] {
  const line = `${indent}${before} ${value}`
  return line.length <= WIDTH ? [line] : [`${indent}${before}`, `${indent}  ${value}`]
}

export function indented(lines: readonly string[]): string[] {
  return lines.map((line) => (line === '' ? '' : `  ${line}`))
}
