import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const docs = fileURLToPath(new URL('..', import.meta.url))
const SKIPPED = new Set(['node_modules', 'test', 'api', 'rules', 'public', 'scripts', 'diagrams', 'specification.md', 'cases.md', 'kaitai.md'])

function pagesBelow(folder) {
  return readdirSync(docs + folder, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.') && !SKIPPED.has(name))
    .flatMap((entry) => {
      const path = `${folder}${entry.name}`
      if (entry.isDirectory()) return pagesBelow(`${path}/`)
      return path.endsWith('.md') ? [path] : []
    })
}

/** Names that a program imports from a module, types too. */
function importsOf(text) {
  return [...text.matchAll(/import (?:type )?\{([^}]*)\} from '([^']+)'/g)].flatMap(([, names, module]) =>
    names.split(',').map((name) => ({ module, name: name.trim().replace(/^type /, '').split(' as ')[0] })))
}

/** Every program of the pages that a test runs: its page, its text, what it imports. */
export function snippets() {
  return pagesBelow('').flatMap((page) =>
    [...readFileSync(docs + page, 'utf8').matchAll(/^```ts(?: no-run)?\n([^]*?)^```$/gm)].map(([, text]) => ({
      page,
      text,
      imports: importsOf(text),
    })))
}

/** The shortest of the programs that import this name, under a heading; undefined if none does. */
export function exampleOf(programs, module, name) {
  const [shortest] = programs
    .filter(({ imports }) => imports.some((one) => one.module === module && one.name === name))
    .sort((a, b) => a.text.length - b.text.length)
  if (shortest === undefined) return undefined
  return `## Example\n\n\`\`\`ts\n${shortest.text}\`\`\`\n\nFrom [a guide](/${shortest.page}).\n`
}
