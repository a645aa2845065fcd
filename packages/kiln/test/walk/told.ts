import type { Span } from 'kiln-format/walk'

/** All that a span says, on one line; its rule last. */
export function told(spans: Iterable<Span>): string[] {
  return Array.from(spans, (span) => {
    const { offset, length, path, kind, rule, type, value, entries, tensor, fault } = span
    const more = [
      type === undefined ? '' : ` ${type}`,
      Object.hasOwn(span, 'value') ? ` = ${shown(value)}` : '',
      Object.hasOwn(span, 'entries') ? ` (${entries})` : '',
      Object.hasOwn(span, 'tensor') ? ` #${tensor}` : '',
      fault === undefined ? '' : ` ${fault.code} at ${fault.byte}`,
    ].join('')
    return `${offset}+${length} ${kind} ${path === '' ? '.' : path}${more} | ${rule}`
  })
}

function shown(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`
  if (value instanceof Uint8Array && value.length > 100) return `${value.length} bytes`
  if (value instanceof Uint8Array) return `bytes ${[...value].join(' ')}`
  if (typeof value === 'object' && value !== null && 'copy' in value) return `numbers ${[...(value as { copy(): Iterable<number> }).copy()].join(' ')}`
  return JSON.stringify(value)
}
