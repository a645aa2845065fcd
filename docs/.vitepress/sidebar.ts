import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { DefaultTheme } from 'vitepress'

type Item = DefaultTheme.SidebarItem

/** What the build has found out for the sidebar; nothing where it hasn't run. */
function generated(name: string): Item[] {
  const path = fileURLToPath(new URL(`generated/${name}.json`, import.meta.url))
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Item[]) : []
}

const page = (text: string, link: string): Item => ({ text, link })

const guides: Item[] = [
  { text: 'Start', items: [page('The first round trip', '/start')] },
  {
    text: 'Guides',
    items: [
      page('Messages with tensors', '/guides/messages'),
      page('Datasets of frames', '/guides/datasets'),
      page('Past one machine', '/guides/scale-out'),
      page('Model files', '/guides/models'),
      page('Files and URLs', '/files-and-urls'),
      page('Converting', '/formats'),
      page('Numbers and quantized tensors', '/numeric'),
      page('Generated code', '/generated-code'),
      page('When a schema changes', '/guides/schema-changes'),
      page('Limits and untrusted input', '/guides/untrusted-input'),
      page('Alignment and borrowing', '/guides/borrowing'),
      page('64-bit integers', '/guides/integers'),
      page('One of each function', '/guides/functions'),
    ],
  },
  {
    text: 'Moving to Kiln',
    items: [
      page('from safetensors', '/guides/from-safetensors'),
      page('from protobuf', '/guides/from-protobuf'),
      page('from msgpack', '/guides/from-msgpack'),
      page('from NPY and NPZ', '/guides/from-npy'),
    ],
  },
  { text: 'Why', items: [
      page('Decisions and their costs', '/why'),
      page('Beside other formats', '/comparison'),
      page('Performance', '/performance'),
      page('Sizes', '/sizes'),
      page('Where it runs', '/runtimes'),
    ] },
  { text: 'Tools', items: [page('The command line', '/cli'), page('The inspector', '/inspector')] },
]

const format: Item[] = [
  {
    text: 'Format',
    items: [
      page('In pictures', '/format/'),
      page('Specification', '/format/specification'),
      page('How a case is written', '/format/cases'),
      page('Kaitai Struct', '/format/kaitai'),
    ],
  },
  { text: 'Rules', collapsed: true, items: generated('rules') },
]

/** The pages that are there: one that another part of the project brings may be missing. */
function present(items: Item[]): Item[] {
  const file = (link: string): string => fileURLToPath(new URL(`..${link.endsWith('/') ? `${link}index` : link}.md`, import.meta.url))
  return items
    .filter(({ link }) => link === undefined || existsSync(file(link)))
    .map((item) => (item.items === undefined ? item : { ...item, items: present(item.items) }))
}

// An entry's pages list that entry alone: there are hundreds of names, and each page carries its sidebar.
const api = generated('api')
const entries: Item = { text: 'API', items: [page('Entries', '/api/'), ...api.map(({ text, link }) => ({ text: text!, link: link! }))] }

export const sidebar: DefaultTheme.SidebarMulti = {
  '/format/': present(format),
  '/api/': [entries],
  ...Object.fromEntries(api.map(({ link, items }) => [link!, [entries, ...(items ?? [])]])),
  '/': present(guides),
}
