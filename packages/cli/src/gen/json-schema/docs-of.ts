import { member, textOf, type JsonNode } from '../json/json-tree.js'
import type { Docs } from '../model/model.js'

/** What a schema says of itself in words. */
export function docsOf(node: JsonNode): Docs {
  const title = textOf(node, 'title')
  const description = textOf(node, 'description')
  const deprecated = member(node, 'deprecated')
  return {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(deprecated?.kind === 'boolean' && deprecated.value ? { deprecated: true } : {}),
  }
}
