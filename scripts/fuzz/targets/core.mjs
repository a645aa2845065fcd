import {
  bytesSource, decode, decodeFrame, decodePrefix, DirectoryReader, encode, encodedSize, encodeDirectory, encodeFrame, formatHash, framesOf,
  iterateFrames, open, openDirectory, parseSchema, readDirectory, readFrames, verifyDirectory, verifySource, view, viewFrame,
} from 'kiln-format'
import { walk } from 'kiln-format/walk'
import { agree, agreeInCode, hasNaN, outcome, outcomeOf, sameBytes, tensorFacts } from '../agree.mjs'
import { bytesOfCases, cases } from '../seeds.mjs'

// One reader for all inputs, as a receiver of messages has it.
const reused = new DirectoryReader()

/** The bytes at another place of a larger buffer, at an odd address. */
function shifted(bytes) {
  const buffer = new Uint8Array(bytes.length + 20).fill(0xa5)
  buffer.set(bytes, 13)
  return buffer.subarray(13, 13 + bytes.length)
}

/** The pieces of a walk lie one behind the other, from the first byte to the last. */
function checkTiling(bytes, options) {
  let at = 0
  for (const { offset, length } of walk(bytes, options)) {
    if (offset !== at) throw new Error(`a span of the walk begins at ${offset}, the one before ends at ${at}`)
    at += length
  }
  if (at !== bytes.length) throw new Error(`the walk ends at ${at} of ${bytes.length}`)
}

/** Refuses again what was refused, so that the run counts it. */
function end(result, error) {
  if ('code' in result) throw error
}

function failure(run) {
  try {
    run()
    return undefined
  } catch (error) {
    return error
  }
}

export const directories = {
  name: 'directories',
  words: ['KILT'],
  seeds: () => bytesOfCases('directory'),
  async run(bytes) {
    const owned = outcome(() => readDirectory(bytes))
    agree(owned, outcome(() => readDirectory(shifted(bytes))), 'a directory at an odd place')
    agree(owned, outcome(() => reused.read(bytes)), 'a reader that is used again')
    const facts = (directory) => ({ base: directory.payloadBase, size: directory.byteLength, tensors: [...directory].map((t) => ({ ...tensorFacts(t) })) })
    const lazy = await outcomeOf(async () => facts(await openDirectory(bytesSource(bytes))))
    agree(
      'value' in owned ? { value: { ...owned.value, tensors: owned.value.tensors.map(({ bytes: _, ...rest }) => rest) } } : owned,
      lazy,
      'a directory that is read lazily',
    )
    if ('value' in lazy) {
      const directory = await openDirectory(bytesSource(bytes))
      for (let i = 0; i < Math.min(directory.length, 8); i++) {
        const loaded = await directory.load(i)
        if (Buffer.from(loaded.bytes).toString('hex') !== owned.value.tensors[i].bytes) throw new Error(`the payload of tensor ${i} is another one when loaded`)
      }
    }
    const whole = outcome(() => void verifyDirectory(bytes))
    if (bytes.length >= 4 && Buffer.from(bytes.subarray(0, 4)).toString() === 'KILT') {
      agreeInCode(whole, await outcomeOf(async () => void (await verifySource(bytes))), 'verify in memory and of a source')
    }
    checkTiling(bytes, {})
    if ('value' in owned) {
      const rewritten = encodeDirectory(readDirectory(bytes))
      const again = encodeDirectory(readDirectory(rewritten))
      sameBytes(rewritten, again, 'what was written is written otherwise the second time')
      const strict = outcome(() => void readDirectory(bytes, { strict: true }))
      if ('value' in strict && 'value' in whole) sameBytes(rewritten, bytes, 'canonical bytes come back otherwise')
    }
    end(owned, failure(() => readDirectory(bytes)))
  },
}

const bodySchemas = [...new Set(cases.filter(({ kind, value }) => kind === 'frozen' && value !== undefined).map(({ schema }) => schema))].map((text) => parseSchema(text))

export const bodies = {
  name: 'bodies',
  words: [],
  // The first two bytes pick the schema.
  seeds: () =>
    cases
      .filter(({ kind, hex }) => kind === 'frozen' && hex.length < 8000)
      .flatMap(({ schema, hex }) => {
        const index = bodySchemas.findIndex(({ text }) => text === schema)
        return index === -1 ? [] : [new Uint8Array([index % 256, Math.floor(index / 256), ...Buffer.from(hex, 'hex')])]
      }),
  run(bytes) {
    const schema = bodySchemas[((bytes[0] ?? 0) + 256 * (bytes[1] ?? 0)) % bodySchemas.length]
    checkBody(schema, bytes.subarray(2))
  },
}

/** All readers of bodies agree on these bytes, and what is canonical comes back as it was. */
export function checkBody(schema, bytes) {
  const owned = outcome(() => decode(schema, bytes))
  agree(owned, outcome(() => view(schema, bytes)), `${schema.text} borrowed`)
  agree(owned, outcome(() => decode(schema, shifted(bytes))), `${schema.text} at an odd place`)
  agree(owned, outcome(() => view(schema, shifted(bytes))), `${schema.text} borrowed at an odd place`)
  const prefix = outcome(() => decodePrefix(schema, bytes).value)
  if (owned.code !== 'TRAILING') agree(owned, prefix, `${schema.text} as a prefix`)
  else if ('code' in prefix) throw new Error(`${schema.text} is TRAILING, but its prefix is ${prefix.code}`)
  checkTiling(bytes, { schema })
  if ('value' in owned) {
    const value = decode(schema, bytes)
    const rewritten = encode(schema, value)
    if (encodedSize(schema, value) !== rewritten.length) throw new Error(`${schema.text} is ${rewritten.length} bytes and not as many as announced`)
    const exact = !schema.text.includes('tensors') && !hasNaN(value)
    if (exact) sameBytes(rewritten, bytes, `${schema.text} comes back otherwise`)
    else sameBytes(rewritten, encode(schema, decode(schema, rewritten)), `${schema.text} is written otherwise the second time`)
  }
  end(owned, failure(() => decode(schema, bytes)))
}

async function* cut(bytes, at) {
  for (let i = 0; i < bytes.length; i += at) yield bytes.subarray(i, i + at)
}

/** Frames one by one, and how that ended. */
async function gathered(frames) {
  const values = []
  const ended = await outcomeOf(async () => {
    for await (const { value, flags, offset, byteLength, schema } of frames) {
      values.push(outcome(() => ({ value, flags, offset, byteLength, schema: schema.text })).value)
    }
  })
  return { value: [values, ended] }
}

export const frames = {
  name: 'frames',
  words: ['KILF', 'KILT', 'list<', 'dict<', 'option<', 'struct{', '>', '}', 'u8', 'tensors', 'string'],
  seeds: () => bytesOfCases('frame'),
  async run(bytes) {
    const owned = outcome(() => decodeFrame(bytes).value)
    agree(owned, outcome(() => viewFrame(bytes).value), 'a frame borrowed')
    agree(owned, outcome(() => decodeFrame(shifted(bytes)).value), 'a frame at an odd place')
    const several = await gathered(iterateFrames(bytes))
    const streamed = await gathered(readFrames(cut(bytes, 1 + (bytes.length % 61))))
    agree({ value: several.value[0] }, { value: streamed.value[0] }, 'frames of a stream')
    // A stream counts a cut frame's fault from its start, and has a cap where memory has none.
    if (streamed.value[1].code !== 'LIMIT' || several.value[1].code !== 'EOF') agreeInCode(several.value[1], streamed.value[1], 'frames of a stream')
    if (bytes.length >= 4 && Buffer.from(bytes.subarray(0, 4)).toString() === 'KILF') {
      const lazily = await gathered(
        (async function* () {
          for await (const frame of framesOf(bytesSource(bytes))) yield frame.read()
        })(),
      )
      agreeInCode(several.value[1], lazily.value[1], 'frames of a source')
      agree({ value: several.value[0] }, { value: lazily.value[0] }, 'frames of a source')
    }
    checkTiling(bytes, {})
    await outcomeOf(() => verifySource(bytes))
    await outcomeOf(async () => (await open(bytesSource(bytes))).names)
    if ('value' in owned) {
      const { schema, value, flags } = decodeFrame(bytes)
      const rewritten = encodeFrame(schema, value, { schema: flags % 2 === 1, checksum: flags >= 2 })
      const exact = !schema.text.includes('tensors') && !hasNaN(value)
      if (exact) sameBytes(rewritten, bytes, 'a frame comes back otherwise')
    }
    end(owned, failure(() => decodeFrame(bytes)))
  },
}

export const schemaText = {
  name: 'schema text',
  words: [
    'list<', 'dict<', 'option<', 'struct{', '>', '}', ',', ':', ' ', '\n', 'u8', 'string', 'tensors', 'bytes', 'bool', 'i64', 'f32', 'a:', '__proto__',
    'constructor:u8,', 'list<'.repeat(60), '\u00e9', '<', '{',
  ],
  seeds: () => cases.filter(({ kind }) => kind === 'schema').map(({ text }) => new TextEncoder().encode(text)).filter(({ length }) => length < 5000),
  run(bytes) {
    // Lone bytes become U+FFFD, which no rule takes.
    const text = new TextDecoder().decode(bytes)
    const schema = parseSchema(text)
    const again = parseSchema(schema.text)
    if (again.text !== schema.text || formatHash(again.hash) !== formatHash(schema.hash)) throw new Error(`${schema.text} is printed otherwise the second time`)
    if (Object.prototype.polluted !== undefined || Object.keys(Object.prototype).length > 0) throw new Error('the prototype of all objects was changed')
  },
}
