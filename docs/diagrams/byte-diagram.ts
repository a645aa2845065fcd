/** A field of a byte diagram. */
export interface DiagramField {
  /** From the first byte of what is drawn. */
  readonly offset: number
  /** Bytes. */
  readonly length: number
  readonly name: string
  /** Such as `u32`; shown where there is room. */
  readonly type: string
}

export interface Diagram {
  readonly title: string
  readonly fields: readonly DiagramField[]
}

// Eight bytes a row: a u64 is one row, and the picture is legible in the width of a telephone.
const ROW_BYTES = 8
const CELL = 46
const ROW_HEIGHT = 34
const LEFT = 40
const TOP = 44
const WIDTH = LEFT + ROW_BYTES * CELL + 12
// The advance of a character of a monospace font at 12 px, rounded up.
const CHARACTER = 7.4

const FILLS: Readonly<Record<string, string>> = { reserved: '#eceae4', magic: '#ffe2c6', checksum: '#e3ecd8' }
const PLAIN = '#fdf3e7'
const SIZES = '#dfe9f3'

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

function fillOf({ name, type }: DiagramField): string {
  return FILLS[name] ?? (['u64', 'u32'].includes(type) ? SIZES : PLAIN)
}

/** A field's rectangles: whole rows are one, and a field inside a row is one. Fields never end inside another row. */
function box({ offset, length }: DiagramField): { x: number; y: number; width: number; height: number } {
  const column = offset % ROW_BYTES
  const rows = Math.max(1, length / ROW_BYTES)
  if (!Number.isInteger(rows) || (rows > 1 ? column !== 0 : column + length > ROW_BYTES)) {
    throw new Error(`a field of ${length} bytes at ${offset} does not fit rows of ${ROW_BYTES}`)
  }
  return {
    x: LEFT + column * CELL,
    y: TOP + Math.floor(offset / ROW_BYTES) * ROW_HEIGHT,
    width: Math.min(length, ROW_BYTES) * CELL,
    height: rows * ROW_HEIGHT,
  }
}

/** What is written into a field: its name, and its type if both fit. */
function label(field: DiagramField, width: number): string {
  const whole = `${field.name} ${field.type}`.trim()
  return whole.length * CHARACTER < width - 6 ? whole : field.name
}

/** Draws fields as an SVG, eight bytes a row, with the row's offset at the left and the byte's at the top. */
export function drawDiagram({ title, fields }: Diagram): string {
  const end = Math.max(...fields.map(({ offset, length }) => offset + length))
  const height = TOP + Math.ceil(end / ROW_BYTES) * ROW_HEIGHT + 12
  const columns = Array.from({ length: ROW_BYTES }, (_, i) =>
    `<text x="${LEFT + (i + 0.5) * CELL}" y="${TOP - 8}" text-anchor="middle" class="at">+${i}</text>`)
  const rows = Array.from({ length: Math.ceil(end / ROW_BYTES) }, (_, i) =>
    `<text x="${LEFT - 8}" y="${TOP + i * ROW_HEIGHT + 21}" text-anchor="end" class="at">${i * ROW_BYTES}</text>`)
  const boxes = fields.map((field) => {
    const { x, y, width, height: tall } = box(field)
    const small = label(field, width).length * CHARACTER > width - 4 ? ' font-size="10"' : ''
    return [
      `<rect x="${x}" y="${y}" width="${width}" height="${tall}" fill="${fillOf(field)}" stroke="#5c5346"/>`,
      `<text x="${x + width / 2}" y="${y + tall / 2 + 4}" text-anchor="middle"${small}>${escaped(label(field, width))}</text>`,
    ].join('\n')
  })
  const told = fields.map(({ offset, length, name }) => `${offset}: ${name}, ${length} bytes`).join('; ')
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<desc>${escaped(told)}</desc>`,
    '<style>text{font:12px ui-monospace,Menlo,Consolas,monospace;fill:#2b2620}text[font-size]{font-size:10px}',
    '.at{fill:#6f665a;font-size:10px}.title{font:600 13px system-ui,sans-serif}</style>',
    `<rect width="${WIDTH}" height="${height}" rx="8" fill="#fffdf9"/>`,
    `<text x="${LEFT}" y="20" class="title">${escaped(title)}</text>`,
    ...columns,
    ...rows,
    ...boxes,
    '</svg>',
    '',
  ].join('\n')
}
