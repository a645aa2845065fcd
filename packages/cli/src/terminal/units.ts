import { UsageError } from './usage-error.js'

const UNITS: ReadonlyMap<string, number> = new Map([
  ['', 1], ['b', 1],
  ['kb', 1e3], ['mb', 1e6], ['gb', 1e9], ['tb', 1e12],
  ['kib', 2 ** 10], ['mib', 2 ** 20], ['gib', 2 ** 30], ['tib', 2 ** 40],
])

/** Bytes of a size such as `2GiB` (2^31), `2GB` (2·10^9) or `4096`. */
export function parseSize(text: string): number {
  const [, digits, unit] = /^(\d+(?:\.\d+)?) ?([a-z]*)$/i.exec(text.trim()) ?? []
  const factor = unit === undefined ? undefined : UNITS.get(unit.toLowerCase())
  const bytes = Number(digits) * (factor ?? NaN)
  if (!Number.isSafeInteger(bytes) || bytes <= 0) {
    throw new UsageError(`"${text}" is no size; write it like 2GiB (2^31 bytes), 500MB (5·10^8 bytes) or 4096`)
  }
  return bytes
}

/** A size for people: `17 B`, `1.5 KiB`, `2.0 GiB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  let value = bytes
  let unit = -1
  while (value >= 1024 && unit < 3) {
    value /= 1024
    unit++
  }
  return `${value.toFixed(value < 100 ? 1 : 0)} ${['KiB', 'MiB', 'GiB', 'TiB'][unit]}`
}

/** An integer with separators: `1,234,567`. */
export function countText(count: number | bigint): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',')
}

/** A count with its noun: `1 frame`, `2 frames`. */
export function counted(count: number, noun: string): string {
  return `${countText(count)} ${noun}${count === 1 ? '' : 's'}`
}
