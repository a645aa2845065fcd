import { KilnError, type ByteSource } from 'kiln-format'
import type { Folder, ForeignModel, ForeignTensor, Omission } from '../model.js'
import { explain } from '../sniff/explain.js'
import { quoted } from '../text/quoted.js'
import { ExternalFiles } from './external-files.js'
import type { GraphFacts, Initializer } from './graph.js'
import { metadataOf } from './metadata.js'
import { readModel, type ModelFacts, type Opset } from './model-proto.js'
import { resolveLimits, type OnnxOptions } from './options.js'
import { candidate, toForeign, wordsOmission, type Candidate } from './tensor.js'
import { WireMessage } from './wire-message.js'
import { WireWindow } from './wire-window.js'
import { checkFolder, sourceGiven } from '../reading/arguments.js'

/** An ONNX model's weights, with what the model says of itself. */
export interface OnnxModel extends ForeignModel {
  readonly format: 'onnx'
  /** Undefined where the file doesn't say. */
  readonly irVersion: string | undefined
  readonly opset: readonly Opset[]
  readonly producerName: string | undefined
  readonly graphName: string | undefined
  /** Nodes of the graph, without those of graphs inside nodes. */
  readonly nodes: number
  readonly sparseInitializers: number
}

const EXPECTED = { kinds: ['onnx'], what: 'an ONNX model' } as const

/**
 * Opens the initializers of an ONNX model. The file is walked through, weights passed over; every way
 * of TensorProto to store elements is read, external data from `folder`, the model's own.
 *
 * In `omitted` are the graph itself, initializers of strings, sparse ones, those of unknown data types
 * or over 8 dimensions, and those of graphs inside nodes (see the options). Refused are protobuf that
 * is none (`FRAME`, `EOF`); two initializers of one name, dims or elements that don't fit (`TYPE`,
 * naming the initializer); any tensor of the model whose file would be outside the folder (`TYPE`, and
 * nothing is opened); a missing or short file of external data (`EOF`).
 */
export async function openOnnx(given: ByteSource, folder?: Folder, options?: OnnxOptions): Promise<OnnxModel> {
  const source = sourceGiven(given, options)
  if (folder !== undefined) checkFolder(folder)
  const limits = resolveLimits(options)
  let facts: ModelFacts
  try {
    const range = { start: 0, end: source.size, what: 'the model' }
    facts = await readModel(new WireMessage(new WireWindow(source, options), range), limits)
  } catch (error) {
    throw await explain(error, source, EXPECTED, options)
  }
  const candidates = chooseInitializers(facts.graph.initializers, options?.subgraphs === true)
  checkNames(candidates)
  const files = new ExternalFiles(folder, options)
  try {
    const tensors: ForeignTensor[] = []
    const { metadata, omitted } = metadataOf(facts)
    const left: Omission[] = []
    for (const found of candidates) {
      if ('reason' in found) left.push(found)
      else {
        tensors.push(await toForeign(found, source, files))
        left.push(...wordsOmission(found.name, found.record.docString, found.record.properties))
      }
    }
    const { nodes, name, sparseInitializers } = facts.graph
    return {
      format: 'onnx',
      tensors,
      metadata,
      omitted: [...left, graphOmission(facts.graph), ...omitted],
      irVersion: facts.values.get('ir_version'),
      opset: facts.opset,
      producerName: facts.values.get('producer_name'),
      graphName: name,
      nodes,
      sparseInitializers,
      close: () => files.close(),
    }
  } catch (error) {
    await files.close()
    throw error
  }
}

/** Checks all initializers, before any file beside the model is opened. */
function chooseInitializers(initializers: readonly Initializer[], subgraphs: boolean): Candidate[] {
  return initializers.map((initializer) => {
    const { record, label, main, sparse } = initializer
    const what = `initializer ${quoted(label)}`
    // Checked in any case: what is wrong with it is wrong with the file.
    const found = candidate(record, label, what)
    if (sparse)
      return { name: label, reason: 'a sparse initializer, and Kiln has no sparse tensors; store it dense to keep it' }
    if (main || subgraphs || 'reason' in found) return found
    return { name: label, reason: 'an initializer of a graph inside a node; the option subgraphs takes those too' }
  })
}

/** That no initializer of a graph inside a node has, after the way to it, the name of another that is taken too. */
function checkNames(candidates: readonly Candidate[]): void {
  const names = new Set<string>()
  for (const found of candidates) {
    if ('reason' in found) continue
    if (names.has(found.name)) {
      const why = 'one is of a graph inside a node: leave those out, without the option subgraphs'
      throw new KilnError('TYPE', `two initializers are named ${quoted(found.name)}; ${why}`, found.record.range.start)
    }
    names.add(found.name)
  }
}

/** The computation is no tensor and no text, so it always stays behind. */
function graphOmission(graph: GraphFacts): Omission {
  const constants = graph.constants > 0 ? ` and ${graph.constants} tensors in their attributes` : ''
  const properties = graph.properties > 0 ? `; its metadata_props (${graph.properties}) stay behind too` : ''
  return {
    name: 'graph',
    reason: `${graph.nodes} nodes${constants}: initializers are taken over, the computation is not${properties}`,
  }
}
