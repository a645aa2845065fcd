import { KilnError } from 'kiln-format'
import { GraphWalk, type GraphFacts, type GraphLimits } from './graph.js'
import { int64Text, readEntry } from './tensor-record.js'
import { nested, text, type WireField, type WireMessage } from './wire-message.js'

/** An operator set that a model imports: its domain, empty for ONNX's own, and its version. */
export type Opset = readonly [domain: string, version: string]

/** A ModelProto as it stands in the file. */
export interface ModelFacts {
  readonly graph: GraphFacts
  /** Single values by ONNX's name, as text. */
  readonly values: Map<string, string>
  readonly opset: Opset[]
  readonly properties: { key: string; value: string }[]
}

const TEXTS: Readonly<Record<number, string>> = {
  2: 'producer_name',
  3: 'producer_version',
  4: 'domain',
  6: 'doc_string',
}
const INTEGERS: Readonly<Record<number, string>> = { 1: 'ir_version', 5: 'model_version' }

/** Walks through a ModelProto. One without a graph is `FRAME`: it is no model, whatever else it is. */
export async function readModel(message: WireMessage, limits: GraphLimits): Promise<ModelFacts> {
  const walk = new GraphWalk(limits)
  const facts: ModelFacts = { graph: walk.facts, values: new Map(), opset: [], properties: [] }
  let graphs = 0
  let functions = 0
  let trainings = 0
  for (let field = await message.next(); field !== undefined; field = await message.next()) {
    const textName = TEXTS[field.number]
    const integerName = INTEGERS[field.number]
    if (textName !== undefined) facts.values.set(textName, await text(message, field, textName))
    else if (integerName !== undefined) facts.values.set(integerName, int64Text(message, field, integerName))
    else if (field.number === 7) {
      graphs++
      await walk.graph(nested(message, field, 'the graph'))
    } else if (field.number === 8 || field.number === 14) {
      if (facts.opset.length + facts.properties.length >= limits.entries) {
        const what = `more than ${limits.entries} entries of opset_import and metadata_props`
        throw new KilnError('LIMIT', `${what}; raise limits.entries if they are meant`, field.start)
      }
      if (field.number === 8) facts.opset.push(await readOpset(nested(message, field, 'opset_import')))
      else facts.properties.push(await readEntry(nested(message, field, 'metadata_props')))
    } else if (field.number === 20) await training(walk, message, field, `training${trainings++}.`)
    else if (field.number === 25) await walk.func(nested(message, field, 'a function'), `function${functions++}.`)
  }
  if (graphs === 0)
    throw new KilnError(
      'FRAME',
      'no graph in it, so it is no ONNX model; check that the file is whole',
      message.range.start,
    )
  return facts
}

async function readOpset(message: WireMessage): Promise<Opset> {
  let domain = ''
  let version = '0'
  for (let field = await message.next(); field !== undefined; field = await message.next()) {
    if (field.number === 1) domain = await text(message, field, 'domain')
    else if (field.number === 2) version = int64Text(message, field, 'version')
  }
  return [domain, version]
}

async function training(walk: GraphWalk, message: WireMessage, field: WireField, prefix: string): Promise<void> {
  const inner = nested(message, field, 'training_info')
  for (let part = await inner.next(); part !== undefined; part = await inner.next()) {
    if (part.number !== 1 && part.number !== 2) continue
    const name = part.number === 1 ? 'initialization' : 'algorithm'
    await walk.graph(nested(inner, part, `the training graph ${name}`), `${prefix}${name}.`)
  }
}
