import type { Omission } from '../model.js'
import { quoted } from '../text/quoted.js'
import type { ModelFacts } from './model-proto.js'

/** Before the keys of what a model says of itself; its own `metadata_props` keep their keys. */
export const ONNX_PREFIX = 'onnx.'

/**
 * A model's metadata: `metadata_props` as they are; ONNX's own facts as `onnx.ir_version`,
 * `onnx.opset_import` (JSON, a list of domain and version), `onnx.producer_name`,
 * `onnx.producer_version`, `onnx.domain`, `onnx.model_version`, `onnx.doc_string`, `onnx.graph.name`
 * and `onnx.graph.doc_string`. A key that comes twice keeps its first value, and the others are
 * reported.
 */
export function metadataOf(facts: ModelFacts): { metadata: Map<string, string>; omitted: Omission[] } {
  const metadata = new Map<string, string>()
  const omitted: Omission[] = []
  const add = (key: string, value: string): void => {
    if (!metadata.has(key)) metadata.set(key, value)
    else omitted.push({ name: key, reason: `a further value of this key, ${quoted(value)}` })
  }
  for (const [name, value] of facts.values) if (value !== '') add(ONNX_PREFIX + name, value)
  if (facts.opset.length > 0) {
    const pairs = facts.opset.map(([domain, version]) => `[${JSON.stringify(domain)},${version}]`)
    add(`${ONNX_PREFIX}opset_import`, `[${pairs.join(',')}]`)
  }
  if (facts.graph.name !== undefined && facts.graph.name !== '') add(`${ONNX_PREFIX}graph.name`, facts.graph.name)
  if (facts.graph.docString !== undefined && facts.graph.docString !== '')
    add(`${ONNX_PREFIX}graph.doc_string`, facts.graph.docString)
  for (const { key, value } of facts.properties) add(key, value)
  return { metadata, omitted }
}
