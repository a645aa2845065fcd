import { check } from './check.mjs'
import { peers } from './contenders.mjs'
import { engines, generatedReusing } from '../peers/kiln.mjs'

// These take minutes a round for a million numbers, and are out of the race by two digits.
const TOO_SLOW = { 'W1 1M': new Set(['borsh']), W3: new Set([]), W3u: new Set([]) }

/** Every contender of a workload, checked: what it reads back is the value. */
export function contendersOf(workload) {
  const value = workload.value()
  const made = []
  for (const peer of [...engines, generatedReusing, ...peers]) {
    if (TOO_SLOW[workload.id]?.has(peer.name)) continue
    const codec = peer.make(workload.kind)
    if (codec === undefined) continue
    const input = codec.prepare(value)
    const bytes = Uint8Array.from(codec.encode(input))
    check(workload.kind, peer.name, codec.decode(bytes), value)
    made.push({ name: peer.name, codec, input, bytes })
  }
  return { value, made }
}
