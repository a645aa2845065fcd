/**
 * SHA-1 over a stream of bytes: the checksum that ONNX may give for a file of external data. It finds
 * damage; it is no protection against someone who means to deceive.
 */
export class Sha1 {
  private readonly state = Uint32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0)
  private readonly words = new Uint32Array(80)
  private readonly block = new Uint8Array(64)
  private filled = 0
  private length = 0

  update(bytes: Uint8Array): void {
    this.length += bytes.length
    let at = 0
    while (at < bytes.length) {
      const take = Math.min(64 - this.filled, bytes.length - at)
      this.block.set(bytes.subarray(at, at + take), this.filled)
      at += take
      this.filled += take
      if (this.filled === 64) this.compress()
    }
  }

  /** 40 hex digits. The object is of no use afterwards. */
  digest(): string {
    const bits = BigInt(this.length) * 8n
    this.block[this.filled++] = 0x80
    if (this.filled > 56) {
      this.block.fill(0, this.filled)
      this.compress()
    }
    this.block.fill(0, this.filled)
    new DataView(this.block.buffer).setBigUint64(56, bits)
    this.compress()
    return [...this.state].map((word) => word.toString(16).padStart(8, '0')).join('')
  }

  private compress(): void {
    const { words, state } = this
    const view = new DataView(this.block.buffer)
    for (let i = 0; i < 16; i++) words[i] = view.getUint32(4 * i)
    for (let i = 16; i < 80; i++) words[i] = rotate(words[i - 3]! ^ words[i - 8]! ^ words[i - 14]! ^ words[i - 16]!, 1)
    let [a = 0, b = 0, c = 0, d = 0, e = 0] = state
    for (let i = 0; i < 80; i++) {
      let mixed: number
      if (i < 20) mixed = ((b & c) | (~b & d)) + 0x5a827999
      else if (i < 40) mixed = (b ^ c ^ d) + 0x6ed9eba1
      else if (i < 60) mixed = ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc
      else mixed = (b ^ c ^ d) + 0xca62c1d6
      const next = (rotate(a, 5) + mixed + e + words[i]!) | 0
      e = d
      d = c
      c = rotate(b, 30)
      b = a
      a = next
    }
    state[0]! += a
    state[1]! += b
    state[2]! += c
    state[3]! += d
    state[4]! += e
    this.filled = 0
  }
}

function rotate(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by))
}
