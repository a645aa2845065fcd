/** A column of a table: its heading, and whether its cells are numbers, which stand to the right. */
export interface Column {
  readonly title: string
  readonly right?: boolean
}

// Cells wider than this don't push the columns of all other rows apart.
const WIDEST = 60

/** Rows under headings, two spaces apart. Cells are already fit to be shown; the last column is not padded. */
export function tableLines(columns: readonly Column[], rows: readonly (readonly string[])[]): string[] {
  const widths = columns.map(({ title }, c) =>
    rows.reduce((widest, row) => Math.max(widest, Math.min((row[c] ?? '').length, WIDEST)), title.length))
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, c) => (columns[c]?.right === true ? cell.padStart(widths[c] ?? 0) : cell.padEnd(widths[c] ?? 0)))
      .join('  ')
      .trimEnd()
  return [line(columns.map(({ title }) => title)), ...rows.map(line)]
}
