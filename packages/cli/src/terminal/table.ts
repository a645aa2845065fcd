import stringWidth from 'string-width'

/** A column of a table: its heading, and whether its cells are numbers, which stand to the right. */
export interface Column {
  readonly title: string
  readonly right?: boolean
}

// Cells wider than this don't push the columns of all other rows apart.
const WIDEST = 60

/**
 * Rows under headings, two spaces apart. Cells are already fit to be shown; the last column is not padded. A cell is as wide
 * as a terminal shows it: two columns for a character of Chinese or Japanese, none for an accent that stands by itself.
 */
export function tableLines(columns: readonly Column[], rows: readonly (readonly string[])[]): string[] {
  const widths = columns.map(({ title }, c) =>
    rows.reduce((widest, row) => Math.max(widest, Math.min(stringWidth(row[c] ?? ''), WIDEST)), stringWidth(title)))
  const padded = (cell: string, c: number): string => {
    const spaces = ' '.repeat(Math.max(0, (widths[c] ?? 0) - stringWidth(cell)))
    return columns[c]?.right === true ? spaces + cell : cell + spaces
  }
  const line = (cells: readonly string[]): string => cells.map(padded).join('  ').trimEnd()
  return [line(columns.map(({ title }) => title)), ...rows.map(line)]
}
