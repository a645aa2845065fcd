import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { posix } from 'node:path'
import { expect, test } from 'vitest'
import { siteLink } from '../.vitepress/links.js'
import { slug } from '../.vitepress/slug.js'
import { pages, root } from './documents.js'

/** What is checked: what a user reads, and what somebody who works on it reads. */
const checked = [
  ...pages(),
  ...readdirSync(`${root}spec`).filter((name) => name.endsWith('.md')).map((name) => `spec/${name}`),
  ...['ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'].filter((name) => existsSync(root + name)),
]

// Made when the site is built, from what is checked elsewhere.
const MADE = /^\/(api|inspector)\//

/** The text of a page without its code. */
function prose(page: string): string {
  return readFileSync(root + page, 'utf8').replace(/^ {0,3}```[^]*?^ {0,3}```/gm, '').replace(/<!--[^]*?-->/g, '')
}

/** The anchors of a page: its headings, with a number behind one that comes again, and those set by hand. */
function anchorsOf(page: string): Set<string> {
  const anchors = new Set<string>()
  for (const [, text] of prose(page).matchAll(/^#{1,6} (.*)$/gm)) {
    const plain = text!.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '')
    const base = slug(plain)
    let anchor = base
    for (let i = 1; anchors.has(anchor); i++) anchor = `${base}-${i}`
    anchors.add(anchor)
  }
  for (const [, id] of prose(page).matchAll(/<a (?:id|name)="([^"]+)"/g)) anchors.add(id!)
  return anchors
}

/** Where the links and pictures of a page lead. */
function linksOf(page: string): string[] {
  const text = prose(page).replace(/`[^`\n]*`/g, '')
  const inline = [...text.matchAll(/\]\(([^()\s]+(?:\([^()\s]*\))?)(?: "[^"]*")?\)/g)].map(([, href]) => href!)
  const reference = [...text.matchAll(/^\[[^\]]+\]: (\S+)$/gm)].map(([, href]) => href!)
  const html = [...text.matchAll(/<(?:a|img) [^>]*(?:href|src)="([^"]+)"/g)].map(([, href]) => href!)
  const home = page.endsWith('docs/index.md') ? [...text.matchAll(/^ +link: (\S+)$/gm)].map(([, href]) => href!) : []
  return [...inline, ...reference, ...html, ...home]
}

/** What is wrong with a link; undefined if nothing is. Links to other hosts are not followed: tests run without a network. */
function fault(page: string, href: string): string | undefined {
  if (/^(https?|mailto):/.test(href)) return undefined
  const [path, anchor] = decodeURI(href).split('#') as [string, string | undefined]
  if (MADE.test(path)) return undefined
  const target = path === '' ? page : path.startsWith('/') ? `docs${path}${path.endsWith('/') ? 'index' : ''}.md` : posix.join(posix.dirname(page), path)
  if (target.startsWith('..')) return 'leads out of the repository'
  if (!existsSync(root + target)) return 'leads nowhere'
  if (anchor === undefined) return undefined
  if (statSync(root + target).isDirectory() || !target.endsWith('.md')) return 'has an anchor that no page has'
  return anchorsOf(target).has(anchor) ? undefined : `names no heading of ${target}`
}

test('there are pages and links to check', () => {
  expect(checked).toContain('README.md')
  expect(checked).toContain('spec/SPEC.md')
  expect(linksOf('docs/start.md').length).toBeGreaterThan(5)
  expect(fault('docs/start.md', 'guides/no-such-page.md')).toBe('leads nowhere')
  expect(fault('docs/start.md', 'why.md#no-such-heading')).toBe('names no heading of docs/why.md')
  expect(fault('docs/start.md', '../../etc/passwd')).toBe('leads out of the repository')
})

test.each(checked)('every link of %s leads to a file, and to a heading that is there', (page) => {
  const faults = linksOf(page).flatMap((href) => {
    const wrong = fault(page, href)
    return wrong === undefined ? [] : [`${href} ${wrong}`]
  })
  expect(faults).toEqual([])
})

test('a page is a page of the site, and what has none is only named there', () => {
  expect(siteLink('docs/guides/models.md', '../files-and-urls.md#urls')).toBe('/files-and-urls#urls')
  expect(siteLink('docs/format/index.md', '../../spec/SPEC.md#4-the-tensor-directory')).toBe('/format/specification#4-the-tensor-directory')
  expect(siteLink('docs/api/index.md', './kiln-format/index.md')).toBe('/api/kiln-format/')
  expect(siteLink('docs/start.md', '../bench/')).toBe(undefined)
  expect(siteLink('docs/start.md', 'https://example.org/')).toBe('https://example.org/')
})

test('anchors are made as the hosts of repositories make them', () => {
  expect(slug('What isn\'t checked')).toBe('what-isnt-checked')
  expect(slug('§4 The tensor directory')).toBe('4-the-tensor-directory')
  expect(slug('`kiln gen`, and more')).toBe('kiln-gen-and-more')
})
