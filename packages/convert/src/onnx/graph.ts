import { KilnError } from 'kiln-format'
import { quoted } from '../text/quoted.js'
import { checkLocation } from './external-data.js'
import { readTensor, type TensorRecord } from './tensor-record.js'
import { nested, text, type WireField, type WireMessage } from './wire-message.js'

/** An initializer, and where it stands. */
export interface Initializer {
  readonly record: TensorRecord
  /** Its name, for one of a graph inside a node after the way to it: `node3.then_branch.w`. */
  readonly label: string
  /** Whether it is of the model's own graph. */
  readonly main: boolean
  readonly sparse: boolean
}

/** What walking through a model's graphs finds. */
export interface GraphFacts {
  readonly initializers: Initializer[]
  /** The name of the model's own graph. */
  name: string | undefined
  docString: string | undefined
  /** Nodes of the model's own graph, and sparse initializers there. */
  nodes: number
  sparseInitializers: number
  /** Tensors in attributes of nodes, all graphs taken together. */
  constants: number
  /** `metadata_props` of the model's own graph. */
  properties: number
}

/** How far the walk goes. */
export interface GraphLimits {
  /** Initializers in all graphs together. */
  readonly tensors: number
  /** Entries of `metadata_props` and `opset_import` together. */
  readonly entries: number
  /** Graphs inside nodes of graphs. */
  readonly depth: number
}

/** Where a graph is. */
interface Place {
  readonly prefix: string
  readonly depth: number
  /** Whether the graph is the model's own. */
  readonly main: boolean
  /** The names of its initializers so far. */
  readonly names: Set<string>
}

function inside(prefix: string, depth: number): Place {
  return { prefix, depth, main: false, names: new Set() }
}

/** Walks through graphs and collects what they hold of tensors; nodes are only looked through. */
export class GraphWalk {
  readonly facts: GraphFacts = {
    initializers: [],
    name: undefined,
    docString: undefined,
    nodes: 0,
    sparseInitializers: 0,
    constants: 0,
    properties: 0,
  }
  private readonly limits: GraphLimits
  // One for the model's own graph, which may come in parts that a reader has to put together.
  private readonly own: Place = { prefix: '', depth: 0, main: true, names: new Set() }

  constructor(limits: GraphLimits) {
    this.limits = limits
  }

  /** Walks through the model's own GraphProto, or through one beside it, whose initializers get a prefix. */
  async graph(message: WireMessage, prefix?: string): Promise<void> {
    await this.graphAt(message, prefix === undefined ? this.own : inside(prefix, 0))
  }

  private async graphAt(message: WireMessage, place: Place): Promise<void> {
    if (place.depth > this.limits.depth) {
      throw new KilnError(
        'LIMIT',
        `graphs nested deeper than ${this.limits.depth}; raise limits.depth if they are meant`,
        message.range.start,
      )
    }
    let nodes = 0
    for (let field = await message.next(); field !== undefined; field = await message.next()) {
      if (field.number === 1) {
        await this.node(nested(message, field, 'a node'), { ...place, prefix: `${place.prefix}node${nodes++}.` })
      } else if (field.number === 5) await this.initializer(message, field, place)
      else if (field.number === 15) await this.sparse(message, field, place)
      else if (place.main && field.number === 2) this.facts.name = await text(message, field, 'graph name')
      else if (place.main && field.number === 10) this.facts.docString = await text(message, field, 'graph doc_string')
      else if (place.main && field.number === 16) this.facts.properties++
    }
    if (place.main) this.facts.nodes += nodes
  }

  /** Walks through a FunctionProto: its nodes, and the values that its attributes have by default, may hold graphs. */
  async func(message: WireMessage, prefix: string): Promise<void> {
    let nodes = 0
    for (let field = await message.next(); field !== undefined; field = await message.next()) {
      if (field.number === 7) await this.node(nested(message, field, 'a node'), inside(`${prefix}node${nodes++}.`, 0))
      else if (field.number === 11) await this.attribute(nested(message, field, 'an attribute'), inside(prefix, 0))
    }
  }

  private async initializer(message: WireMessage, field: WireField, place: Place): Promise<void> {
    const record = await readTensor(nested(message, field, `an initializer of the graph`))
    this.add({ record, label: place.prefix + record.name, main: place.main, sparse: false }, place, field)
  }

  private async sparse(message: WireMessage, field: WireField, place: Place): Promise<void> {
    const inner = nested(message, field, 'a sparse initializer of the graph')
    if (place.main) this.facts.sparseInitializers++
    for (let part = await inner.next(); part !== undefined; part = await inner.next()) {
      if (part.number !== 1 && part.number !== 2) continue
      const record = await readTensor(nested(inner, part, 'a sparse initializer'))
      checkLocation(record, 'a sparse initializer')
      // The values carry the name of the whole.
      if (part.number === 1)
        this.add({ record, label: place.prefix + record.name, main: place.main, sparse: true }, place, field)
    }
  }

  private add(initializer: Initializer, { names }: Place, field: WireField): void {
    const { initializers } = this.facts
    if (initializers.length >= this.limits.tensors) {
      throw new KilnError(
        'LIMIT',
        `more than ${this.limits.tensors} initializers; raise limits.tensors if they are meant`,
        field.start,
      )
    }
    const { label, record } = initializer
    // At once, and not when all are known: of one name a file holds as many as it has pairs of bytes.
    if (names.has(record.name)) {
      throw new KilnError('TYPE', `two initializers are named ${quoted(label)}`, record.range.start)
    }
    names.add(record.name)
    initializers.push(initializer)
  }

  private async node(message: WireMessage, place: Place): Promise<void> {
    for (let field = await message.next(); field !== undefined; field = await message.next()) {
      if (field.number === 5) await this.attribute(nested(message, field, 'an attribute'), place)
    }
  }

  private async attribute(message: WireMessage, place: Place): Promise<void> {
    let name = ''
    let graphs = 0
    for (let field = await message.next(); field !== undefined; field = await message.next()) {
      switch (field.number) {
        case 1:
          name = await text(message, field, 'name')
          break
        case 5:
        case 10:
          await this.constant(nested(message, field, `the attribute ${quoted(name)}`))
          break
        case 22:
        case 23:
          await this.sparseConstant(nested(message, field, `the attribute ${quoted(name)}`))
          break
        case 6:
        case 11: {
          const prefix = `${place.prefix}${name}${field.number === 11 ? graphs++ : ''}.`
          await this.graphAt(nested(message, field, 'a graph in an attribute'), inside(prefix, place.depth + 1))
          break
        }
        default:
      }
    }
  }

  /** A tensor in an attribute is not carried over, but it may not name a file outside the folder either. */
  private async constant(message: WireMessage): Promise<void> {
    this.facts.constants++
    checkLocation(await readTensor(message), message.range.what)
  }

  private async sparseConstant(message: WireMessage): Promise<void> {
    for (let field = await message.next(); field !== undefined; field = await message.next()) {
      if (field.number === 1 || field.number === 2) await this.constant(nested(message, field, message.range.what))
    }
  }
}
