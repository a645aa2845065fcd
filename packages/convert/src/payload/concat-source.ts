import { KilnError, type ByteSource, type ReadOptions } from 'kiln-format'

/**
 * Several sources read as one, in the given order. Closing it closes none of them: they are their
 * opener's.
 */
export function concatSource(parts: readonly ByteSource[], label: string): ByteSource {
  const ends: number[] = []
  let size = 0
  for (const part of parts) ends.push((size += part.size))

  async function read(offset: number, length: number, options?: ReadOptions): Promise<Uint8Array> {
    if (!(offset >= 0 && length >= 0 && offset + length <= size)) {
      throw new KilnError('EOF', `${label}: ${length} bytes from byte ${offset} asked for, it has ${size}`, offset)
    }
    let index = partAt(ends, offset)
    const inFirst = offset - (index === 0 ? 0 : ends[index - 1]!)
    const first = parts[index]
    if (first === undefined || length === 0) return new Uint8Array(0)
    if (inFirst + length <= first.size) return first.read(inFirst, length, options)
    const joined = new Uint8Array(length)
    let at = inFirst
    for (let done = 0; done < length; index++) {
      const part = parts[index]!
      const take = Math.min(part.size - at, length - done)
      if (take > 0) joined.set(await part.read(at, take, options), done)
      done += take
      at = 0
    }
    return joined
  }
  const readSize = parts.reduce((most, part) => Math.max(most, part.readSize ?? 0), 0)
  return { size, label, readSize, read }
}

/** The first part that ends after `offset`: by halving, since a model may come in thousands of parts. */
function partAt(ends: readonly number[], offset: number): number {
  let low = 0
  let high = ends.length
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (ends[middle]! <= offset) low = middle + 1
    else high = middle
  }
  return low
}
