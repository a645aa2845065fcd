import type { Random } from './random.js'

/** Input that is broken somewhere: bits, lengths, words and ends. */
export function mutated(random: Random, bytes: Uint8Array): Uint8Array {
  const copy = bytes.slice()
  for (let n = 1 + random.int(3); n > 0 && copy.length > 0; n--) {
    const at = random.int(copy.length)
    const kind = random.int(4)
    if (kind === 0) copy[at] = random.of([0, 1, 2, 0x7f, 0x80, 0xff])
    else if (kind === 1) copy[at] = copy[at]! ^ (1 << random.int(8))
    else if (kind === 2) copy.fill(0xff, at, at + 4)
    else copy.fill(0, at, at + 4)
  }
  return random.chance(3) ? copy.subarray(0, random.int(copy.length + 1)) : copy
}
