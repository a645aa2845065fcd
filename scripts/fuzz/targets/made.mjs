import { decode, decodeFrame, encode, encodeDirectory, encodeFrame, isKilnError, parseSchema, readDirectory, verifyDirectory, view } from 'kiln-format'
import { generate } from '../../../packages/cli/dist/gen/generate.js'
import { toJsonSchema } from '../../../packages/cli/dist/gen/to-json-schema.js'
import { agree, outcome, sameBytes } from '../agree.mjs'
import { generatedFor, syntaxErrors } from '../generated.mjs'
import { makeSchema, makeTensors, makeValue } from '../make.mjs'
import { mutate } from '../mutate.mjs'
import { Random } from '../random.mjs'
import { documents } from '../seeds.mjs'
import { checkBody, directories as directoryTarget } from './core.mjs'

/** Draws out of the bytes of an input, so that an input is a schema and a value. */
function drawsOf(bytes) {
  let seed = 2166136261
  for (const byte of bytes) seed = Math.imul(seed ^ byte, 16777619)
  return new Random(seed)
}

const entropy = () => [new Uint8Array(8)]

/** A refusal is what most damage ends with, and not of interest here. */
function refusalsAside(run) {
  try {
    return run()
  } catch (error) {
    if (!isKilnError(error)) throw error
    return undefined
  }
}

const values = {
  name: 'made values',
  words: [],
  seeds: entropy,
  run(bytes) {
    const random = drawsOf(bytes)
    const schema = makeSchema(random, 4)
    const value = makeValue(random, schema)
    const written = encode(schema, value)
    sameBytes(written, encode(parseSchema(schema.text), value), `${schema.text}, parsed`)
    sameBytes(written, encode(schema, decode(schema, written)), `${schema.text}, read and written`)
    checkBody(schema, written)
    const framed = encodeFrame(schema, value, { schema: true, checksum: true })
    agree(outcome(() => decodeFrame(framed).value), outcome(() => decode(schema, written)), `${schema.text} in a frame`)
    const inputs = [written, ...Array.from({ length: 4 }, () => mutate(written, random, [written]))]
    for (const input of inputs) refusalsAside(() => checkBody(schema, input))
    // Compiling costs as much as fifty inputs.
    if (!random.chance(8)) return
    const generated = generatedFor(schema)
    sameBytes(written, generated.encode(value), `${schema.text}, written by generated code`)
    for (const input of inputs) {
      agree(outcome(() => decode(schema, input)), outcome(() => generated.decode(input)), `${schema.text}, read by generated code`)
      agree(outcome(() => view(schema, input)), outcome(() => generated.view(input)), `${schema.text}, borrowed by generated code`)
    }
  },
}

const directories = {
  name: 'made directories',
  words: [],
  seeds: entropy,
  async run(bytes) {
    const random = drawsOf(bytes)
    const tensors = makeTensors(random)
    const written = encodeDirectory(tensors)
    verifyDirectory(written)
    readDirectory(written, { strict: true })
    await directoryTarget.run(written)
    for (let i = 0; i < 4; i++) {
      try {
        await directoryTarget.run(mutate(written, random, [written]))
      } catch (error) {
        if (!isKilnError(error)) throw error
      }
    }
  },
}

const jsonSchema = {
  name: 'JSON Schema',
  words: [
    '"type":"object"', '"type":"array"', '"properties":{', '"required":["a"]', '"items":', '"$ref":"#"', '"$ref":"#/$defs/a"', '"enum":["a"]', '"oneOf":[', '"const":1',
    '"additionalProperties":false', '"format":"int64"', '"minimum":', '"description":"*/"', '"__proto__":{', '"type":["string","null"]', '{', '}', '[', ']', ',', ':', 'null',
    '1e400', '-0', '\\ud800', '[['.repeat(40),
  ],
  seeds: () => documents(),
  run(bytes) {
    const { code } = generate(new TextDecoder().decode(bytes), { source: 'fuzz.json' })
    if (code === undefined) return
    const errors = syntaxErrors(code)
    if (errors.length > 0) throw new Error(`the module is no TypeScript: ${errors[0]}`)
  },
}

const jsonSchemaBack = {
  name: 'JSON Schema and back',
  words: [],
  seeds: entropy,
  run(bytes) {
    const schema = makeSchema(drawsOf(bytes), 4)
    const document = refusalsAside(() => toJsonSchema(schema, 'Root'))
    if (document === undefined) return
    const { code, refusals } = generate(document, { source: 'fuzz.json' })
    if (code === undefined) throw new Error(`${schema.text} as JSON Schema is refused: ${refusals[0]?.detail}`)
    // Names are printable ASCII, so backslashes and quotes are all that is escaped.
    const text = /^export const rootText =\s+'((?:[^'\\]|\\.)*)'/m.exec(code)?.[1]?.replace(/\\(.)/g, '$1')
    if (text !== schema.text) throw new Error(`${schema.text} comes back as ${text}`)
  },
}

export const made = [values, directories, jsonSchema, jsonSchemaBack]
