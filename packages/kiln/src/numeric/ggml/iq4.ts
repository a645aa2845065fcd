import { halfAt, wordAt, type BlockReader } from './block.js'

// The 16 values of a 4-bit code: closer together near 0.
const VALUES = [-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113]

function codes(bytes: Uint8Array, at: number, scale: number, target: Float32Array, to: number): void {
  for (let i = 0; i < 16; i++) {
    const pair = bytes[at + i]!
    target[to + i] = scale * VALUES[pair & 15]!
    target[to + 16 + i] = scale * VALUES[pair >> 4]!
  }
}

/** 32 elements: d, then 16 bytes of codes. */
export const iq4_nl: BlockReader = (bytes, at, target, to) => codes(bytes, at + 2, halfAt(bytes, at), target, to)

/** 256 elements: d, high 2 bits and low 4 bits of 8 scales less 32, then 128 bytes of codes. */
export const iq4_xs: BlockReader = (bytes, at, target, to) => {
  const d = halfAt(bytes, at)
  const high = wordAt(bytes, at + 2)
  for (let group = 0; group < 8; group++) {
    const low = (bytes[at + 4 + (group >> 1)]! >> ((group & 1) * 4)) & 15
    const scale = d * ((low | (((high >> (group * 2)) & 3) << 4)) - 32)
    codes(bytes, at + 8 + group * 16, Math.fround(scale), target, to + group * 32)
  }
}
