import { defineConfig } from 'vitepress'
import { repositoryLinks } from './links.js'
import { sidebar } from './sidebar.js'
import { slug } from './slug.js'

export default defineConfig({
  title: 'Kiln',
  description: 'A binary format for records and their tensors, and its TypeScript library',
  lang: 'en',
  base: process.env['KILN_DOCS_BASE'] ?? '/',
  srcExclude: ['test/**', 'scripts/**'],
  metaChunk: true,
  // No icon, and no request for one that isn't there.
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  markdown: {
    config: repositoryLinks,
    anchor: { slugify: slug },
  },
  themeConfig: {
    nav: [
      { text: 'Start', link: '/start' },
      { text: 'Guides', link: '/guides/messages', activeMatch: '^/(guides/|files-and-urls|formats|numeric|generated-code)' },
      {
        text: 'Why',
        activeMatch: '^/(why|comparison|performance|sizes|runtimes)',
        items: [
          { text: 'Decisions and their costs', link: '/why' },
          { text: 'Beside other formats', link: '/comparison' },
          { text: 'Performance', link: '/performance' },
        ],
      },
      { text: 'Format', link: '/format/' },
      { text: 'API', link: '/api/' },
      { text: 'CLI', link: '/cli' },
      // A page of its own beside the site: no link for the router.
      { text: 'Inspector', link: '/inspector/index.html', target: '_self' },
    ],
    sidebar,
    outline: { level: [2, 3] },
    search: { provider: 'local' },
    docFooter: { prev: 'Before', next: 'Next' },
    footer: { message: 'Apache-2.0' },
  },
})
