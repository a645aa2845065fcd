// What is not mutated: the prose of errors. A text with a blank in it, or one that is an error's second argument, is for people; its wording
// is no part of the format. Codes, offsets, paths, names and the choice between two messages stay mutated.
import { PluginKind, declareValuePlugin } from '@stryker-mutator/api/plugin'

const reason = 'the wording of a message'

function isText({ type }) {
  return type === 'StringLiteral' || type === 'TemplateLiteral'
}

function isProse(node) {
  const text = node.type === 'StringLiteral' ? node.value : node.quasis.map(({ value }) => value.raw).join('')
  return text.includes(' ')
}

function isDetail({ node, parent, key, listKey }) {
  return isText(node) && parent?.type === 'NewExpression' && listKey === 'arguments' && key === 1 && parent.callee.name === 'KilnError'
}

export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, 'messages', {
    shouldIgnore: (path) => (isText(path.node) && isProse(path.node)) || isDetail(path) ? reason : undefined,
  }),
]
