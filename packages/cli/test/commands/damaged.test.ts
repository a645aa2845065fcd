import { readFileSync, writeFileSync } from 'node:fs'
import { encodeDirectory, encodeFrame, k, modelSchema, tensor } from 'kiln-format'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { kiln } from '../support/in-process.js'

const inFolder = temporaryFolder()
const ROUNDS = Number(process.env['KILN_FUZZ'] ?? 60)

/** Numbers that look random and are the same each time (Mulberry32 of the seed). */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

const tensors = [
  tensor('w', 'f32', [2, 32], new Float32Array(64).fill(1.5)),
  tensor('q', 'e2m1', [2, 32], new Uint8Array(32), { scale: 's', axis: 1, groupSize: 32 }),
  tensor('s', 'e8m0', [2, 1], new Uint8Array([127, 128]), { checksum: true }),
]
const record = k.struct({ id: k.i64, tags: k.dict(k.string, k.list(k.f32)), rows: k.list(k.struct({ a: k.bool, b: k.option(k.bytes) })) })
const value = { id: 5n, tags: { a: [1, 2], b: [] }, rows: [{ a: true, b: new Uint8Array([1]) }, { a: false }] }
const files: readonly [string, Uint8Array][] = [
  ['model.kiln', encodeFrame(modelSchema, { tensors, metadata: { a: 'b' } }, { schema: true })],
  ['directory.kiln', encodeDirectory(tensors)],
  ['frames.kiln', Buffer.concat([encodeFrame(record, value, { schema: true }), encodeFrame(record, value, { schema: true })])],
]

/** A few bytes changed, a run of them set to one value, or the end cut off. */
function damaged(bytes: Uint8Array, next: () => number): Uint8Array {
  const copy = Uint8Array.from(bytes)
  const place = (): number => Math.floor(next() * copy.length)
  const kind = next()
  if (kind < 0.2) return copy.subarray(0, place())
  if (kind < 0.5) copy.fill(next() < 0.5 ? 0xff : 0, place(), place())
  else for (let i = Math.floor(next() * 4); i >= 0; i--) copy[place()] = Math.floor(next() * 256)
  return copy
}

test('damaged files end in an answer or in one line with a code, in every command', async () => {
  const next = random(20_261_130)
  const out = inFolder('out.kiln')
  for (let round = 0; round < ROUNDS; round++) {
    const [name, bytes] = files[round % files.length]!
    const file = inFolder(name)
    writeFileSync(file, damaged(bytes, next))
    for (const args of [
      ['inspect', file], ['inspect', '--bytes', file], ['inspect', '--json', '--sha256', file], ['verify', file], ['decode', file], ['stats', file], ['diff', file, file],
      ['extract', file, '#0'], ['convert', file, out, '-q'], ['convert', file, out, '-q', '--dtype', 'f16', '--nan', 'zero'], ['meta', 'set', file, 'a=c', '-o', out],
      ['verify', '--repair', file, '-o', out], ['schema', file],
    ]) {
      const { code, stderr } = await kiln(args)
      const told = `round ${round}: ${args.join(' ')}: ${stderr}`
      expect([0, 1], told).toContain(code)
      expect(stderr, told).not.toContain('a fault of this program')
      if (code === 1 && args[1] !== '--bytes') expect(stderr, told).toMatch(/^kiln: [A-Z0-9]+/)
    }
    // What decodes comes back byte for byte.
    const { code, stdout } = await kiln(['decode', file])
    if (code === 0) expect((await kiln(['encode', '-'], { stdin: stdout })).bytes.equals(readFileSync(file)), `round ${round}`).toBe(true)
  }
})

test('damaged documents end in a line with a code', async () => {
  const next = random(7)
  const documents = await Promise.all(files.map(async ([name, bytes]) => {
    writeFileSync(inFolder(name), bytes)
    return (await kiln(['decode', inFolder(name)])).stdout
  }))
  for (let round = 0; round < ROUNDS * 4; round++) {
    const text = documents[round % documents.length]!
    const at = Math.floor(next() * text.length)
    const stdin = next() < 0.5 ? text.slice(0, at) + '"5'.charAt(round % 2) + text.slice(at + 1) : text.slice(0, at) + text.slice(at + Math.floor(next() * 40))
    const { code, stderr } = await kiln(['encode', '-'], { stdin })
    expect([0, 1], stderr).toContain(code)
    if (code === 1) expect(stderr).toMatch(/^kiln: [A-Z0-9]+ at standard input/)
  }
})
