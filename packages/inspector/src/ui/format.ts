/**
 * What is not seen, or reorders or hides the text around it: control and formatting characters (bidi, zero width),
 * line separators, lone surrogates.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/** Text of a file as one line on which every character is seen: `\u202e` stands for what would turn the text around. */
export function shown(text: string): string {
  return text.replace(UNSEEN, escaped)
}

/** As {@link shown}, with line breaks and tabs left as they are: for a box that keeps white space. */
export function shownLines(text: string): string {
  return text.replace(UNSEEN, (c) => (c === '\n' || c === '\t' ? c : escaped(c)))
}

function escaped(text: string): string {
  let result = ''
  for (let i = 0; i < text.length; i++) result += `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`
  return result
}

export function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text
}

const UNITS = ['KiB', 'MiB', 'GiB', 'TiB', 'PiB']

/** A size for people: `17 B`, `1.5 KiB`, `10.0 GiB`. */
export function bytesText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  let value = bytes
  let unit = -1
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024
    unit++
  }
  return `${value.toFixed(value < 100 ? 1 : 0)} ${UNITS[unit]}`
}

/** An integer with separators: `1,234,567`. */
export function countText(count: number | bigint): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',')
}

/** A count in words: `1.2 billion`. */
export function largeText(count: number): string {
  const [unit, name] = count >= 1e9 ? [1e9, ' billion'] : count >= 1e6 ? [1e6, ' million'] : [1, '']
  return unit === 1 ? countText(count) : `${(count / unit).toFixed(count / unit < 10 ? 2 : 1)}${name}`
}

/** `1 tensor`, `2 tensors`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : many}`
}

export function shapeText(shape: readonly number[]): string {
  return shape.length === 0 ? 'scalar' : shape.join(' × ')
}

export function hexText(value: number, digits = 2): string {
  return value.toString(16).padStart(digits, '0')
}

/** A number as it is, −0 and NaN too; of f32 the shortest text that f32 reads back. */
export function numberText(value: number, single = false): string {
  if (Object.is(value, -0)) return '-0'
  if (!single || !Number.isFinite(value) || Number.isInteger(value)) return String(value)
  for (let digits = 6; digits <= 9; digits++) {
    const text = value.toPrecision(digits)
    if (Math.fround(Number(text)) === value) return String(Number(text))
  }
  return String(value)
}

/** A number in about as many digits as people compare: `-0.01234`, `1.2e-7`. */
export function roundText(value: number): string {
  if (!Number.isFinite(value) || Number.isInteger(value)) return numberText(value)
  return String(Number(value.toPrecision(4)))
}

export function percentText(part: number, whole: number): string {
  if (whole === 0 || part === 0) return '0 %'
  const percent = (part / whole) * 100
  return percent < 0.1 ? '< 0.1 %' : `${percent.toFixed(percent < 10 ? 1 : 0)} %`
}
