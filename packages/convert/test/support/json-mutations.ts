import { mutated } from './mutations.js'

const NUMBERS = [
  '0', '-0', '1', '2', '3', '7', '8', '255', '256', '4294967295', '4294967296', '9007199254740991', '9007199254740992', '9223372036854775808',
  '18446744073709551615', '18446744073709551616', '-1', '1.5', '1e3', '99999999999999999999999999', 'null', '"x"', '[]', '{}', '[[[[1]]]]',
]

/** A number, a string, or a mark of JSON, each as it stands in the text. */
const TOKEN = /-?\d[\d.eE+-]*|"(?:[^"\\]|\\.)*"|[[\]{},:]/gu

/**
 * A copy of a file that has JSON in it, with one to three tokens of the JSON changed: numbers set to what is at
 * the edges, strings put in the place of others, parts doubled or left out. So it stays JSON more often than under
 * changes of bytes, which come in every fourth input beside them. Text from byte `start` up to byte `end(bytes)`.
 */
export function jsonMutations(part: (bytes: Uint8Array) => readonly [start: number, end: number]) {
  return (bytes: Uint8Array, random: (below: number) => number): Uint8Array => {
    const [start, end] = part(bytes)
    let text = Buffer.from(bytes.subarray(start, end)).toString('latin1')
    for (let i = 0; i <= random(3); i++) text = change(text, random)
    const inner = Buffer.from(text, 'latin1')
    const head = Buffer.from(bytes.subarray(0, start))
    // The length before a safetensors header, made right again most of the time.
    if (start === 8 && random(8) > 0) head.writeBigUInt64LE(BigInt(inner.length))
    const result = new Uint8Array(Buffer.concat([head, inner, bytes.subarray(end)]))
    return random(4) === 0 ? mutated(result, random) : result
  }
}

function change(text: string, random: (below: number) => number): string {
  const tokens = [...text.matchAll(TOKEN)]
  if (tokens.length === 0) return text
  const { 0: token, index } = tokens[random(tokens.length)]!
  const other = tokens[random(tokens.length)]!
  const swap = (by: string): string => text.slice(0, index) + by + text.slice(index + token.length)
  switch (random(5)) {
    case 0:
      return swap(other[0])
    case 1:
      return swap(/^[-\d]/.test(token) ? NUMBERS[random(NUMBERS.length)]! : token)
    case 2:
      return swap('')
    case 3:
      return swap(token + token)
    default: {
      // A whole stretch once more, such as an entry with its key.
      const [from, to] = [index, other.index].sort((a, b) => a - b) as [number, number]
      return text.slice(0, to) + text.slice(from, to) + text.slice(to)
    }
  }
}
