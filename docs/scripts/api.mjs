import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Application, ReflectionKind } from 'typedoc'
import { exampleOf, snippets } from './examples.mjs'

const docs = fileURLToPath(new URL('..', import.meta.url))
const packages = fileURLToPath(new URL('../../packages/', import.meta.url))

/** The folder of each entry, the name by which programs import it, and what is in it. */
const entries = new Map([
  ['kiln/src', ['kiln-format', 'Schemas, records, tensors, frames, streams, and files of tensors wherever they lie.']],
  ['kiln/src/node', ['kiln-format/node', 'Files, with Node, Bun and Deno.']],
  ['kiln/src/numeric', ['kiln-format/numeric', 'Widening, narrowing, dequantization, quantization, statistics.']],
  ['kiln/src/walk', ['kiln-format/walk', 'What each byte of a value is, for inspectors.']],
  ['kiln/src/runtime', ['kiln-format/runtime', 'What generated code imports; not meant to be called by hand.']],
  ['kiln/src/debug', ['kiln-format/debug', 'The counter of allocations, for tests.']],
  ['convert/src', ['kiln-convert', 'Other formats of tensors, in and out.']],
])

const OPTIONS = {
  tsconfig: `${docs}tsconfig.api.json`,
  plugin: ['typedoc-plugin-markdown'],
  outputs: [{ name: 'markdown', path: `${docs}api` }],
  router: 'member',
  readme: 'none',
  excludeInternal: true,
  excludePrivate: true,
  disableSources: true,
  disableGit: true,
  hideBreadcrumbs: true,
  hidePageHeader: true,
  entryFileName: 'index',
  useCodeBlocks: true,
  expandParameters: true,
  parametersFormat: 'list',
  propertiesFormat: 'list',
  interfacePropertiesFormat: 'list',
  typeDeclarationFormat: 'list',
  logLevel: 'Warn',
}

const KINDS = [
  [ReflectionKind.Function, 'functions'],
  [ReflectionKind.Class, 'classes'],
  [ReflectionKind.Variable, 'variables'],
  [ReflectionKind.Interface, 'interfaces'],
  [ReflectionKind.TypeAlias, 'type-aliases'],
]

// TypeDoc writes the dtypes out one by one wherever one is meant: 55 lines instead of a name.
const DTYPES = /([ \t]*\n?[ \t]*)\\?\|\s*`?"i8"`?(?:\s*\\?\|\s*`?"(?:[a-z]\w*)"`?)+/g

function tidied(page, ownName) {
  const short = page.replace(DTYPES, (all, before) => {
    if (!all.includes('"ggml_q2_0"')) return all
    // In prose the name is code, on a line of its own if the list was; in a signature it follows what is before it.
    return all.includes('`') ? `${before.includes('\n') ? '\n' : ' '}\`DtypeName\`` : ' DtypeName'
  })
  return (ownName === 'DtypeName' ? page : short).replace(/^\*\*\*$/gm, '')
}

/** The pages of one entry, as a sidebar has them. */
function sidebarOf(module) {
  const name = module.name
  const groups = KINDS.map(([kind, folder]) => ({
    text: folder.replace('-', ' '),
    collapsed: false,
    items: (module.children ?? [])
      .filter((child) => child.kind === kind)
      .map((child) => ({ text: child.name, link: `/api/${name}/${folder}/${child.name}` }))
      .sort((a, b) => a.text.localeCompare(b.text)),
  })).filter(({ items }) => items.length > 0)
  return { text: name, link: `/api/${name}/`, items: groups }
}

function finishPages() {
  const programs = snippets()
  const names = [...entries.values()]
  for (const entry of readdirSync(`${docs}api`, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.md')) continue
    const path = `${entry.parentPath}/${entry.name}`
    const folder = entry.parentPath.slice(`${docs}api/`.length)
    const module = names.find(([name]) => [...KINDS].some(([, kind]) => folder === `${name}/${kind}`))?.[0]
    const own = entry.name.slice(0, -'.md'.length)
    const example = module === undefined ? undefined : exampleOf(programs, module, own)
    const text = tidied(readFileSync(path, 'utf8'), own)
    writeFileSync(path, example === undefined ? text : `${text.trimEnd()}\n\n${example}`)
  }
}

function entriesPage() {
  const rows = [...entries.values()].map(([name, text]) => `| [\`${name}\`](./${name}/index.md) | ${text} |`)
  return ['# API', '', 'Everything is exported by name; there is no default export.', '', '| entry | what is in it |', '| --- | --- |', ...rows, ''].join('\n')
}

/** Writes the pages of the API from the docstrings, a page for each export with a program that uses it; gives the sidebar. */
export async function writeApi() {
  rmSync(`${docs}api`, { recursive: true, force: true })
  const app = await Application.bootstrapWithPlugins({
    ...OPTIONS,
    entryPoints: [...entries.keys()].map((folder) => `${packages}${folder}/index.ts`),
  })
  const project = await app.convert()
  if (project === undefined) throw new Error('the sources do not compile; run npm run build in the root')
  const modules = project.children ?? []
  for (const module of modules) {
    const name = entries.get(module.name)?.[0]
    if (name === undefined) throw new Error(`the entry ${module.name} has no name; give it one in scripts/api.mjs`)
    module.name = name
  }
  await app.generateOutputs(project)
  finishPages()
  writeFileSync(`${docs}api/index.md`, entriesPage())
  const order = [...entries.values()].map(([name]) => name)
  return modules.sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name)).map(sidebarOf)
}
