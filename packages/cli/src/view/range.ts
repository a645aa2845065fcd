/** Bytes that a request asks for; `undefined` for all of them. */
export interface ByteRange {
  readonly offset: number
  readonly length: number
}

/**
 * What a Range header asks for of so many bytes: a range, all (no header, or one that is passed over as RFC 9110 has
 * it: another unit, several ranges, nonsense), or `beyond` the end. Never more than there is.
 */
export function parseRange(header: string | undefined, size: number): ByteRange | 'all' | 'beyond' {
  const [, first, last] = /^bytes=(\d{0,16})-(\d{0,16})$/.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return 'all'
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'beyond' : { offset: size - length, length }
  }
  const offset = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < offset) return 'all'
  return offset >= size ? 'beyond' : { offset, length: end - offset + 1 }
}
