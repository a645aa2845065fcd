// Values at which counts, sizes and offsets tip over.
const EDGES = [
  0n, 1n, 2n, 63n, 64n, 65n, 128n, 255n, 256n, 2n ** 16n - 1n, 2n ** 16n, 2n ** 20n + 1n, 2n ** 24n + 1n, 2n ** 28n + 1n, 2n ** 31n,
  2n ** 32n - 64n, 2n ** 32n - 1n, 2n ** 32n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 63n, 2n ** 64n - 64n, 2n ** 64n - 1n,
]

/**
 * A copy with one to four damages: bits, bytes and whole fields changed, ranges cut out, doubled or put in from elsewhere in
 * the same or another input, words put in, the end cut off.
 *
 * @param {Uint8Array} bytes
 * @param {import('./random.mjs').Random} random
 * @param {readonly Uint8Array[]} others inputs that parts may come from
 * @param {readonly string[]} words texts that mean something to the reader
 */
export function mutate(bytes, random, others, words = []) {
  let result = bytes
  for (let n = random.chance(2) ? 1 : 1 + random.int(4); n > 0; n--) result = damage(result, random, others, words)
  return result
}

/**
 * @param {Uint8Array} bytes
 * @param {import('./random.mjs').Random} random
 * @param {readonly Uint8Array[]} others
 * @param {readonly string[]} words
 */
function damage(bytes, random, others, words) {
  const at = place(bytes.length, random)
  switch (random.int(words.length > 0 ? 11 : 9)) {
    case 0:
      return changed(bytes, at, bytes[at] ^ (1 << random.int(8)))
    case 1:
      return changed(bytes, at, random.of([0, 1, 2, 0x7f, 0x80, 0xc0, 0xff, random.int(256)]))
    case 2:
      return changed(bytes, at, bytes[at] + random.of([1, 255]))
    case 3:
      return field(bytes, at, random)
    case 4:
      return spliced(bytes, at, random.int(17), new Uint8Array(0))
    case 5:
      return spliced(bytes, at, 0, bytes.subarray(at, at + random.int(70)))
    case 6: {
      const other = random.of(others)
      const from = place(other.length, random)
      return spliced(bytes, at, random.int(17), other.subarray(from, from + random.int(70)))
    }
    case 7:
      return bytes.slice(0, at)
    case 8:
      return spliced(bytes, bytes.length, 0, random.bytes(1 + random.int(70)))
    default:
      return spliced(bytes, at, random.int(3), Buffer.from(random.of(words)))
  }
}

/** Most damage is done near the front, where heads and tables are. */
function place(length, random) {
  if (length === 0) return 0
  return random.chance(3) ? random.int(length) : random.int(Math.min(length, 400))
}

function changed(bytes, at, value) {
  const copy = bytes.slice()
  if (at < copy.length) copy[at] = value
  return copy
}

function field(bytes, at, random) {
  const copy = bytes.slice()
  const width = random.of([2, 4, 8])
  const start = random.chance(4) ? at : at - (at % width)
  let value = random.of(EDGES)
  for (let i = start; i < Math.min(start + width, copy.length); i++, value /= 256n) copy[i] = Number(value % 256n)
  return copy
}

function spliced(bytes, at, removed, added) {
  const end = Math.min(bytes.length, at + removed)
  const result = new Uint8Array(at + added.length + bytes.length - end)
  result.set(bytes.subarray(0, at))
  result.set(added, at)
  result.set(bytes.subarray(end), at + added.length)
  return result
}
