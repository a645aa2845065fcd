import type { Span } from 'kiln-format/walk'

/** All that a span says, on one line; its rule last. */
export function told(spans: Iterable<Span>): string[] {
  return Array.from(spans, ({ offset, length, path, kind, rule, type, value, entries, tensor, fault }) => {
    const more = [
      type === undefined ? '' : ` ${type}`,
      value === undefined ? '' : ` = ${shown(value)}`,
      entries === undefined ? '' : ` (${entries})`,
      tensor === undefined ? '' : ` #${tensor}`,
      fault === undefined ? '' : ` ${fault.code} at ${fault.byte}`,
    ].join('')
    return `${offset}+${length} ${kind} ${path === '' ? '.' : path}${more} | ${rule}`
  })
}

function shown(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`
  if (value instanceof Uint8Array) return `bytes ${[...value].join(' ')}`
  if (typeof value === 'object' && value !== null && 'copy' in value) return `numbers ${[...(value as { copy(): Iterable<number> }).copy()].join(' ')}`
  return JSON.stringify(value)
}
