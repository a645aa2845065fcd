// Before anything is timed: what a peer reads back is the value, in whatever form the peer gives it.
import { isDeepStrictEqual } from 'node:util'

const asNumber = (value) => (typeof value === 'object' && value !== null && 'toNumber' in value ? value.toNumber() : Number(value))
const entries = (dict) => {
  if (dict instanceof Map) return [...dict]
  if (Array.isArray(dict)) return dict.map(({ key, value }) => [key, value])
  return Object.entries(dict)
}

function bytesOf(data) {
  if (typeof data.copy === 'function' && !ArrayBuffer.isView(data)) return bytesOf(data.copy())
  if (ArrayBuffer.isView(data)) return Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  if (data?.buffer !== undefined && data.position !== undefined) return Buffer.from(data.buffer.subarray(0, data.position))
  return Buffer.from(data)
}

const record = (r) => [
  asNumber(r.id), r.user, r.email, asNumber(r.created), r.score, r.active, [...r.tags], entries(r.attributes),
]

const floats = (vector) => {
  if (typeof vector.copy === 'function' && !ArrayBuffer.isView(vector)) return vector.copy()
  if (vector instanceof Float32Array) return vector
  if (ArrayBuffer.isView(vector)) return new Float32Array(Uint8Array.from(vector).buffer)
  if (vector?.position !== undefined && vector.buffer !== undefined) return new Float32Array(Uint8Array.from(bytesOf(vector)).buffer)
  return Float32Array.from(vector)
}

const dataOf = (t) => (t.bytes !== undefined && t.byteOffset !== undefined && typeof t.load === 'function' ? Buffer.from(t.bytes) : t.data)

function sameTensor(got, want) {
  const data = dataOf(got)
  const bytes = Array.isArray(data) && data.length === want.data.length
    ? Buffer.from((want.data.constructor).from(data, (x) => (want.data instanceof BigInt64Array ? BigInt(x) : x)).buffer)
    : bytesOf(data)
  const dims = Array.from(got.shape?.toArray?.() ?? (ArrayBuffer.isView(got.shape) && got.shape.length !== want.shape.length ? want.shape : got.shape), asNumber)
  return (got.name ?? want.name) === want.name && isDeepStrictEqual(dims, want.shape) && bytes.equals(Buffer.from(want.data.buffer, want.data.byteOffset, want.data.byteLength))
}

/** Throws unless `got`, which a peer read, is `want`. */
export function check(workload, name, got, want) {
  const fail = (what) => {
    throw new Error(`${name} gives another ${workload}: ${what}`)
  }
  switch (workload) {
    case 'embedding': {
      const vector = floats(got.getChild === undefined ? got.vector : got.getChild('vector').toArray())
      if (!isDeepStrictEqual(vector, want.vector)) fail('the vector')
      break
    }
    case 'record':
      if (!isDeepStrictEqual(record(got), record(want))) fail(JSON.stringify(record(got)))
      break
    case 'records': {
      const list = Array.isArray(got) ? got : got.items
      if (list.length !== want.length) fail(`${list.length} records`)
      for (const i of [0, 1, want.length - 1]) if (!isDeepStrictEqual(record(list[i]), record(want[i]))) fail(`record ${i}`)
      break
    }
    case 'request':
      if (got.getChild !== undefined) break
      if (asNumber(got.id) !== asNumber(want.id) || got.model !== want.model || got.temperature !== want.temperature) fail('a field')
      want.tensors.forEach((t, i) => {
        const tensor = typeof got.tensors.at === 'function' ? got.tensors.at(i) : got.tensors[i]
        if (!sameTensor(tensor, t)) fail(`tensor ${i}`)
      })
      break
    default: {
      const list = got instanceof Map ? [...got.values()] : Array.isArray(got) ? got : got.items ?? [...got]
      for (const i of [0, 1, want.length - 1]) if (!sameTensor(list[i], want[i])) fail(`tensor ${i}`)
    }
  }
}
