import { member, type JsonNode } from './json-tree.js'

/** A JSON Pointer with one more step, as a URI fragment: `#/properties/a~1b`. */
export function pointerTo(pointer: string, step: string | number): string {
  return `${pointer}/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** The steps of a pointer, with or without `#` in front; undefined for what is none. */
export function stepsOfPointer(pointer: string): string[] | undefined {
  let text = pointer
  if (text.startsWith('#')) {
    try {
      text = decodeURIComponent(text.slice(1))
    } catch {
      return undefined
    }
  }
  if (text === '') return []
  if (!text.startsWith('/') || /~(?![01])/.test(text)) return undefined
  return text
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The node that a pointer's steps lead to, or undefined. */
export function resolve(root: JsonNode, steps: readonly string[]): JsonNode | undefined {
  let node: JsonNode | undefined = root
  for (const step of steps) {
    if (node?.kind === 'array') node = /^(0|[1-9]\d*)$/.test(step) ? node.items[Number(step)] : undefined
    else node = member(node, step)
  }
  return node
}
