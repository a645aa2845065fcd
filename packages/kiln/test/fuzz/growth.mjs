// Run by growth.test.ts, with --expose-gc: prints, for inputs of each kind that is named in growing sizes, processor time and memory that a reader takes.
import { decode, decodeFrame, encode, encodeDirectory, encodeFrame, k, parseSchema, readDirectory, tensor, verifyDirectory, view } from 'kiln-format'

/** Bytes of about a size, good or such that they are refused at their end. */
const texts = (size) => encode(k.list(k.string), Array.from({ length: Math.floor(size / 12) }, (_, i) => `word${i % 9999}`.slice(0, 8)))
const dictOf = (size) => encode(k.dict(k.string, k.u32), new Map(Array.from({ length: Math.floor(size / 16) }, (_, i) => [`k${String(i).padStart(7, '0')}`, i])))
const rows = k.list(k.struct({ a: k.u32, b: k.option(k.f64), c: k.list(k.u8) }))
const structs = (size) => encode(rows, Array.from({ length: Math.floor(size / 21) }, (_, i) => ({ a: i, b: 0.5, c: [1, 2, 3, 4] })))
const tensors = (size) => encodeDirectory(Array.from({ length: Math.max(2, Math.floor(size / 200)) }, (_, i) => tensor(`layer.${i}`, 'u8', [1], [i % 256])))
const fields = (size) => `struct{${Array.from({ length: Math.floor(size / 12) }, (_, i) => `f${String(i).padStart(6, '0')}:u8,`).join('')}}`
/** The smallest elements that become objects. */
const zeros = (size, width) => {
  const bytes = new Uint8Array(4 + Math.floor(size / width) * width)
  new DataView(bytes.buffer).setUint32(0, Math.floor(size / width), true)
  return bytes
}
const cutAtEnd = (make) => (size) => make(size).slice(0, -1)
const refused = (read) => (input) => {
  try {
    read(input)
  } catch {
    return
  }
  throw new Error('not refused')
}

const kinds = {
  'list<string>': [texts, (b) => decode(k.list(k.string), b)],
  'list<string>, cut': [cutAtEnd(texts), refused((b) => decode(k.list(k.string), b))],
  'dict<string,u32>': [dictOf, (b) => decode(k.dict(k.string, k.u32), b)],
  'structs, borrowed': [structs, (b) => view(rows, b)],
  'structs in a frame with a checksum': [(size) => encodeFrame(rows, decode(rows, structs(size)), { schema: true, checksum: true }), (b) => decodeFrame(b)],
  'a directory': [tensors, (b) => readDirectory(b)],
  'a directory, by all its names': [tensors, (b) => [...verifyDirectory(b)].map((t) => t.name)],
  'structs of a bool': [(size) => zeros(size, 1), (b) => decode(k.list(k.struct({ a: k.bool })), b), 640_000],
  'empty lists': [(size) => zeros(size, 4), (b) => decode(k.list(k.list(k.u8)), b), 640_000],
  'empty dicts': [(size) => zeros(size, 4), (b) => decode(k.list(k.dict(k.u8, k.u8)), b), 2_560_000],
  'a text': [(size) => encode(k.string, 'aé'.repeat(size / 3)), (b) => decode(k.string, b)],
  'bytes': [(size) => encode(k.bytes, new Uint8Array(size)), (b) => decode(k.bytes, b)],
  'schema text': [fields, (text) => parseSchema(text), 48_000],
}

const WORK = 20_000

/** How often the largest input is read within `WORK` microseconds: a clock of processor time is no good for less. */
function repeats(read, input) {
  read(input)
  const start = performance.now()
  read(input)
  return Math.min(200, Math.ceil(WORK / 1000 / (performance.now() - start)))
}

const least = (values) => Math.min(...values)
const results = {}
for (const kind of process.argv.slice(2)) {
  const [make, read, most = 1_600_000] = kinds[kind]
  const repeat = repeats(read, make(most))
  results[kind] = [most / 16, most / 4, most].map((size) => {
    const input = make(size)
    // As many rounds as make each size the same work, so that the clock is long enough for the small ones too.
    const rounds = Math.max(1, Math.round(most / size)) * repeat
    for (let i = 0; i < Math.min(rounds, 4); i++) read(input)
    const times = Array.from({ length: 3 }, () => {
      const start = process.cpuUsage()
      for (let i = 0; i < rounds; i++) read(input)
      // Their sum is exact to the microsecond; how it is divided is guessed from ticks of some milliseconds.
      const { user, system } = process.cpuUsage(start)
      return (user + system) / rounds
    })
    globalThis.gc()
    const before = process.memoryUsage()
    const kept = read(input)
    globalThis.gc()
    const after = process.memoryUsage()
    if (kept === null) throw new Error('nothing read')
    return { size: input.length, time: least(times), memory: after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers }
  })
}
console.log(JSON.stringify(results))
