/** One case of a file, not yet looked at. */
export interface Entry {
  /** The case's own name, or where it stands. */
  readonly name: string
  readonly json: unknown
  /** What is wrong with it before it can be run. */
  readonly fault?: string
}

/**
 * The cases of a file: JSON with `cases`, or JSON Lines with a case a line. A line that is no JSON is a case that
 * fails; empty lines are passed over.
 */
export function entriesOf(text: string): Entry[] {
  const whole = parsed(text.replace(/^\ufeff/, ''))
  if (whole.ok && isObject(whole.json) && Array.isArray(whole.json['cases'])) {
    const { format, cases } = whole.json as { format?: unknown; cases: unknown[] }
    const fault = format === 'kiln-cases/1' ? undefined : `the file's format is ${JSON.stringify(format) ?? 'missing'}; "kiln-cases/1" is known`
    return cases.map((json, i) => entryOf(json, `case ${i + 1}`, fault))
  }
  if (whole.ok && Array.isArray(whole.json)) return whole.json.map((json: unknown, i) => entryOf(json, `case ${i + 1}`))
  return linesOf(text)
}

function linesOf(text: string): Entry[] {
  const entries: Entry[] = []
  text.split(/\r?\n/).forEach((line, i) => {
    if (line.trim() === '') return
    const result = parsed(line)
    if (result.ok) entries.push(entryOf(result.json, `line ${i + 1}`))
    else entries.push({ name: `line ${i + 1}`, json: undefined, fault: `no JSON: ${result.message}` })
  })
  return entries
}

function entryOf(json: unknown, place: string, fault?: string): Entry {
  if (!isObject(json)) return { name: place, json, fault: 'a case is a JSON object' }
  const name = typeof json['name'] === 'string' ? json['name'] : place
  return fault === undefined ? { name, json } : { name, json, fault }
}

function parsed(text: string): { ok: true; json: unknown } | { ok: false; message: string } {
  try {
    return { ok: true, json: JSON.parse(text) }
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) }
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
