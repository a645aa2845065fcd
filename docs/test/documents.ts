import { readdirSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A fenced block of a page. */
export interface Block {
  /** From the root, such as `docs/numeric.md`. */
  readonly page: string
  /** The line in the page of the block's first line, from 1. */
  readonly line: number
  /** The word behind the fence, such as `ts`. */
  readonly language: string
  readonly text: string
}

export const root = fileURLToPath(new URL('../..', import.meta.url))

// What the site's build makes beside the pages is what the folder's .gitignore names.
const made = readFileSync(`${root}docs/.gitignore`, 'utf8').split('\n').map((line) => `docs/${line.replace(/\/$/, '')}`)

function pagesBelow(folder: string): string[] {
  return readdirSync(root + folder)
    .filter((name) => !name.startsWith('.') && !['node_modules', 'dist', 'test'].includes(name))
    .flatMap((name) => {
      const path = `${folder}/${name}`
      if (made.includes(path)) return []
      if (statSync(root + path).isDirectory()) return pagesBelow(path)
      return path.endsWith('.md') ? [path] : []
    })
}

/** Every page that is written by hand for users. */
export function pages(): string[] {
  const packages = readdirSync(`${root}packages`).map((name) => `packages/${name}/README.md`)
  const exists = (path: string): boolean => statSync(root + path, { throwIfNoEntry: false }) !== undefined
  return ['README.md', ...packages.filter(exists), ...pagesBelow('docs')]
}

/** The blocks of a page, in order. */
export function blocksOf(page: string): Block[] {
  const lines = readFileSync(root + page, 'utf8').split('\n')
  const blocks: Block[] = []
  let open: { line: number; language: string; from: number } | undefined
  lines.forEach((line, i) => {
    const fence = /^ {0,3}```(.*)$/.exec(line)
    if (fence === null) return
    if (open === undefined) open = { line: i + 2, language: fence[1]!.trim(), from: i + 1 }
    else {
      blocks.push({ page, line: open.line, language: open.language, text: lines.slice(open.from, i).join('\n') })
      open = undefined
    }
  })
  if (open !== undefined) throw new Error(`${page}: the block at line ${open.line} is not closed`)
  return blocks
}
