import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const sources = fileURLToPath(new URL('../../packages/kiln/src/', import.meta.url))
const parsed = new Map()

function sourceFile(file) {
  const known = parsed.get(file)
  if (known !== undefined) return known
  const tree = ts.createSourceFile(file, readFileSync(sources + file, 'utf8'), ts.ScriptTarget.ES2023, true)
  parsed.set(file, tree)
  return tree
}

const nameOf = (node) => node.name?.getText()

/** The statements or members of this name: overloads come one behind the other. */
function named(nodes, name) {
  return nodes.filter((node) =>
    ts.isVariableStatement(node)
      ? node.declarationList.declarations.some((declaration) => nameOf(declaration) === name)
      : nameOf(node) === name)
}

/**
 * The text of a declaration, with its comment: `file#name` or `file#Class.member`. Throws if there is none, so that
 * a page can't name what has gone.
 */
export function declaration(place) {
  const [file, path] = place.split('#', 1).concat(place.slice(place.indexOf('#') + 1))
  const [name, member] = path.split(/\.(.*)/)
  const tree = sourceFile(file)
  let found = named(tree.statements, name)
  if (member !== undefined && found.length > 0) found = named(found[0].members ?? [], member)
  if (found.length === 0) throw new Error(`there is no ${path} in packages/kiln/src/${file}; mend docs/scripts/rule-code.mjs`)
  const text = found.map((node) => tree.text.slice(node.getFullStart(), node.end).replace(/^\s*\n/, '')).join('\n')
  const indent = /^ */.exec(text)[0]
  return text.split('\n').map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line)).join('\n').trimEnd()
}
