import { posix } from 'node:path'
import type { MarkdownRenderer } from 'vitepress'

/** Pages of the repository that are made into pages of the site, by where they lie in the repository. */
const MOVED: Readonly<Record<string, string>> = {
  'spec/SPEC.md': '/format/specification',
  'spec/CASES.md': '/format/cases',
  'spec/KAITAI.md': '/format/kaitai',
}

/** Where a link of a page leads on the site; undefined for what is in the repository alone. */
export function siteLink(page: string, href: string): string | undefined {
  if (/^[a-z]+:|^\/|^#/.test(href)) return href
  const [path, anchor] = href.split('#') as [string, string | undefined]
  const target = posix.join(posix.dirname(page), path)
  const behind = anchor === undefined ? '' : `#${anchor}`
  const moved = MOVED[target]
  if (moved !== undefined) return moved + behind
  if (target.startsWith('docs/') && target.endsWith('.md')) {
    return `/${target.slice('docs/'.length, -'.md'.length).replace(/(^|\/)index$/, '$1')}${behind}`
  }
  if (target === 'docs') return '/'
  return undefined
}

/**
 * Pages link to each other as files of the repository, so that they can be read there. On the site such a link leads to the
 * page made of the file; a file without one is only named.
 */
export function repositoryLinks(md: MarkdownRenderer): void {
  md.core.ruler.after('inline', 'repository-links', (state) => {
    const env = state.env as { relativePath?: string; frontmatter?: { original?: string } }
    const page = env.frontmatter?.original ?? `docs/${env.relativePath ?? ''}`
    for (const { children } of state.tokens) {
      let unlinked = false
      for (const token of children ?? []) {
        if (token.type === 'link_close' && unlinked) {
          token.tag = 'span'
          unlinked = false
        }
        if (token.type !== 'link_open') continue
        const href = token.attrGet('href') ?? ''
        const link = siteLink(page, decodeURI(href))
        if (link !== undefined) token.attrSet('href', link)
        else {
          unlinked = true
          token.type = 'span_open'
          token.tag = 'span'
          token.attrs = [['class', 'in-repository'], ['title', `${posix.join(posix.dirname(page), href)} in the repository`]]
        }
      }
    }
  })
}
