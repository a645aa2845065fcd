import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const sources = fileURLToPath(new URL('../../packages/kiln/src/', import.meta.url))
const parsed = new Map()
const files = readdirSync(sources, { recursive: true })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.ts'))

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

function declarationsIn(file, path) {
  const [name, member] = path.split(/\.(.*)/)
  const found = named(sourceFile(file).statements, name)
  return member === undefined || found.length === 0 ? found : named(found[0].members ?? [], member)
}

/**
 * A declaration, with its comment, and the file that it is in: `file#name` or `file#Class.member`. One that moved is found
 * where it is now; where there is none of that name, or there are several in other files, this throws, so that
 * a page can't name what has gone.
 */
export function declaration(place) {
  const split = place.indexOf('#')
  const [said, path] = [place.slice(0, split), place.slice(split + 1)]
  const holding = (candidates) => candidates.filter((file) => declarationsIn(file, path).length > 0)
  const [file, ...others] = files.includes(said) && holding([said]).length > 0 ? [said] : holding(files)
  if (file === undefined || others.length > 0) {
    throw new Error(`there is no ${path} in packages/kiln/src/${said}; mend docs/scripts/rule-code.mjs`)
  }
  const tree = sourceFile(file)
  const text = declarationsIn(file, path).map((node) => tree.text.slice(node.getFullStart(), node.end).replace(/^\s*\n/, '')).join('\n')
  const indent = /^ */.exec(text)[0]
  const lines = text.split('\n').map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
  return { file, text: lines.join('\n').trimEnd() }
}
