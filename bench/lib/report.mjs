const UNITS = [[1, 's'], [1e-3, 'ms'], [1e-6, 'µs'], [1e-9, 'ns']]

/** A time with three digits. */
export function time(seconds) {
  const [unit, name] = UNITS.find(([size]) => seconds >= size) ?? UNITS.at(-1)
  return `${(seconds / unit).toPrecision(3)} ${name}`
}

/** A ratio with two or three digits. */
export const ratio = (value) => (value >= 1000 ? value.toExponential(0) : value >= 100 ? value.toFixed(0) : value.toPrecision(value >= 10 ? 3 : 2))

/** Rows as a table of Markdown that also reads well in a terminal. */
export function table(columns, rows) {
  const widths = columns.map((column, i) => Math.max(column.length, ...rows.map((row) => String(row[i] ?? '').length)))
  const line = (cells) => `| ${cells.map((cell, i) => (i === 0 ? String(cell).padEnd(widths[i]) : String(cell ?? '').padStart(widths[i]))).join(' | ')} |`
  return [line(columns), line(widths.map((width, i) => (i === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))), ...rows.map(line)].join('\n')
}
