import { parsers } from 'prettier/plugins/yaml'

/** A node of the tree that prettier's YAML parser makes. */
interface YamlNode {
  readonly type: string
  readonly value?: string
  readonly children?: readonly (YamlNode | null)[]
}

/** The data of a YAML document without anchors, tags and merges. */
export function parseYaml(text: string): unknown {
  // The parser's options are those of formatting and have no part in reading.
  const root = parsers['yaml']!.parse(text, {} as never) as YamlNode
  const body = find(find(root, 'document'), 'documentBody')
  return dataOf(body)
}

function find(node: YamlNode, type: string): YamlNode {
  const child = node.children?.find((one) => one?.type === type)
  if (child === undefined || child === null) throw new Error(`no ${type} in the ${node.type}`)
  return child
}

function dataOf(node: YamlNode): unknown {
  const children = (node.children ?? []).filter((child) => child !== null)
  switch (node.type) {
    case 'mapping':
      return Object.fromEntries(
        children.map((item) => [dataOf(find(item, 'mappingKey')), dataOf(find(item, 'mappingValue'))]),
      )
    case 'sequence':
      return children.map(dataOf)
    case 'plain':
      return plainData(node.value!)
    case 'quoteSingle':
    case 'quoteDouble':
    case 'blockLiteral':
      return node.value
    default:
      // A key, a value, an item of a sequence, the body: one node is inside.
      if (children.length !== 1) throw new Error(`${node.type} of ${children.length} is not expected here`)
      return dataOf(children[0]!)
  }
}

function plainData(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true'
  return /^(0x[0-9a-f]+|[0-9]+(\.[0-9]+)?)$/.test(text) ? Number(text) : text
}
