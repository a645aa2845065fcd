/** A part of a block, in order. */
export interface LayoutPart {
  readonly name: string
  /** How many bytes, in words. */
  readonly size: string
  /** Where the part begins, in words; left out where it is plainly behind the one before. */
  readonly at?: string
  /** Whether it is padding. */
  readonly padding?: boolean
}

const WIDTH = 420
const HEIGHT = 40
const LEFT = 112
const TOP = 36

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Draws what lies behind what in a block: a box a part, from the first byte down to the last. */
export function drawLayout(title: string, parts: readonly LayoutPart[]): string {
  const height = TOP + parts.length * HEIGHT + 12
  const boxes = parts.map(({ name, size, at, padding }, i) => {
    const y = TOP + i * HEIGHT
    return [
      at === undefined ? '' : `<text x="${LEFT - 8}" y="${y + 12}" text-anchor="end" class="at">${escaped(at)}</text>\n`,
      `<rect x="${LEFT}" y="${y}" width="${WIDTH - LEFT - 12}" height="${HEIGHT}" fill="${padding === true ? '#eceae4' : '#fdf3e7'}" stroke="#5c5346"/>\n`,
      `<text x="${LEFT + 10}" y="${y + 17}">${escaped(name)}</text>\n`,
      `<text x="${LEFT + 10}" y="${y + 32}" class="at">${escaped(size)}</text>`,
    ].join('')
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<desc>${escaped(parts.map(({ name, size }) => `${name}: ${size}`).join('; '))}</desc>`,
    '<style>text{font:13px system-ui,sans-serif;fill:#2b2620}.at{fill:#6f665a;font:11px ui-monospace,Menlo,Consolas,monospace}',
    '.title{font-weight:600}</style>',
    `<rect width="${WIDTH}" height="${height}" rx="8" fill="#fffdf9"/>`,
    `<text x="${LEFT}" y="22" class="title">${escaped(title)}</text>`,
    ...boxes,
    '</svg>',
    '',
  ].join('\n')
}
