import { type TensorSpec, block, directory, directoryRefused, valueOf } from './block.js'
import { type Case, frozen, frozenRefused } from './case.js'
import { type Hex, patched, u64, u8, utf8, u16, u32 } from './hex.js'
import { PINNED_BYTES } from './pinned-bytes.js'

/** The eight pinned cases (FORMAT §8), which can't change. */
const SCHEMA = 'struct{id:i64,batch:tensors,}'

const VECTOR: TensorSpec = { dtype: 'f32', shape: [2], data: '0000803f000000c0' }

const NIBBLES = '1032547698badcfe'

const SCALES: readonly TensorSpec[] = [
  { name: 'w', dtype: 'e2m1', shape: [32], data: NIBBLES + NIBBLES, scheme: 1, axis: 0, groupSize: 32, scale: 1 },
  { name: 'w.scale', dtype: 'e8m0', shape: [1], data: '7f' },
]

const SCALES_AND_OUTER: readonly TensorSpec[] = [
  { name: 'w', dtype: 'e2m1', shape: [16], data: NIBBLES, scheme: 2, axis: 0, groupSize: 16, scale: 1, outer: 2 },
  { name: 'w.scale', dtype: 'f8e4m3', shape: [1], data: '38' },
  { name: 'w.outer', dtype: 'f32', shape: [1], data: '0000803f' },
]

const TWO_SCALES: readonly TensorSpec[] = [SCALES[0]!, { name: 'w.scale', dtype: 'e8m0', shape: [2], data: '7f7f' }]

const IN_STRUCT: Hex = u64(7) + block([VECTOR])

const FRAMED: Hex =
  utf8('KILF') + u8(1) + u8(0) + u16(0) + u32(32) + u32(0) + u64(0xe58aadc7552f0d82n) + u64(72) + u64(7) + block([])

function bytes(name: string): Hex {
  return PINNED_BYTES.get(name)!
}

/** The same bytes, built from the values as those of other cases are. */
export const BUILT_BYTES: ReadonlyMap<string, Hex> = new Map([
  ['kiln-pod-list-f32', u32(2) + VECTOR.data],
  ['kiln-v2-f32', block([VECTOR])],
  ['kiln-v2-in-struct', IN_STRUCT],
  ['kiln-v2-framed', FRAMED],
  ['kiln-v2-bad-version', patched(IN_STRUCT, 8 + 4, u8(1))],
  ['kiln-v2-scales', block(SCALES)],
  ['kiln-v2-scales-outer', block(SCALES_AND_OUTER)],
  ['kiln-v2-scale-count', block(TWO_SCALES)],
])

export function pinnedPodCases(): Case[] {
  return [
    frozen(
      'kiln-pod-list-f32',
      'A list of f32 is the count and then each number, four bytes as they are (FORMAT §8).',
      'list<f32>',
      bytes('kiln-pod-list-f32'),
      { count: 2, hex: '0000803f000000c0' },
    ),
  ]
}

export function pinnedDirectoryCases(): Case[] {
  return [
    directory(
      'kiln-v2-f32',
      'One vector without a name makes 200 bytes and ends with its numbers (FORMAT §8).',
      [VECTOR],
      {},
      bytes('kiln-v2-f32'),
    ),
    frozen(
      'kiln-v2-in-struct',
      'A directory may be a field like any other (FORMAT §8).',
      SCHEMA,
      bytes('kiln-v2-in-struct'),
      {
        id: '7',
        batch: valueOf([VECTOR]),
      },
    ),
    {
      name: 'kiln-v2-framed',
      note: 'A frame without its schema has 32 bytes of header and the hash 0xe58aadc7552f0d82 (FORMAT §8).',
      kind: 'frame',
      schema: SCHEMA,
      hex: bytes('kiln-v2-framed'),
      value: { id: '7', batch: [] },
      flags: 0,
      canonical: true,
    },
    frozenRefused(
      'kiln-v2-bad-version',
      'The header of a directory is checked as strictly inside a struct, here its version (FORMAT §8).',
      SCHEMA,
      bytes('kiln-v2-bad-version'),
      'FRAME',
    ),
    directory(
      'kiln-v2-scales',
      'Scheme 1 links 32 elements to one scale of another dtype (FORMAT §8).',
      SCALES,
      {},
      bytes('kiln-v2-scales'),
    ),
    directory(
      'kiln-v2-scales-outer',
      'Scheme 2 links to a scale and to one f32 over it (FORMAT §8).',
      SCALES_AND_OUTER,
      {},
      bytes('kiln-v2-scales-outer'),
    ),
    directoryRefused(
      'kiln-v2-scale-count',
      'Two scales where the groups need one are refused (FORMAT §8).',
      bytes('kiln-v2-scale-count'),
      'TYPE',
    ),
  ]
}
