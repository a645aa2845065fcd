// How much a program's imports weigh: node tools/packages/sizes.mjs. Needs the built packages; writes docs/sizes.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fileOf, measure } from './measure.mjs'
import { here, root } from './paths.mjs'
import { Report } from './report.mjs'

/** Folders of kiln-format that its core does without. */
const NOT_CORE = new Set(['sources', 'lazy', 'writing'])

/** What is imported, the limit that checks hold it to and, where there is one, what it should once be; kB. */
const subjects = JSON.parse(readFileSync(join(here, 'sizes.json'), 'utf8'))

/** The exports of `kiln-format` that make up the core, from the list in its index. */
export function coreNames(index) {
  return [...index.matchAll(/^export \{ ([^}]*) \} from '\.\/(\w+)\//gm)]
    .filter(([, , folder]) => !NOT_CORE.has(folder))
    .flatMap(([, names]) => names.split(', '))
}

async function measureAll() {
  const names = coreNames(readFileSync(fileOf('kiln-format'), 'utf8'))
  if (names.length < 20)
    throw new Error(`the core has only ${names.length} exports: is the index written otherwise now?`)
  const sizes = []
  for (const subject of subjects) {
    const code = subject.core === true ? `{ ${names.join(', ')} } from 'kiln-format'` : subject.import
    sizes.push({ ...subject, ...(await measure(`export ${code}`)) })
  }
  return sizes
}

const kB = (bytes) => (bytes / 1000).toFixed(1)

function rowOf({ what, minified, gzipped, aim }) {
  const over =
    aim === undefined
      ? ''
      : gzipped <= aim * 1000
        ? `under ${aim}`
        : `under ${aim}: **missed by ${kB(gzipped - aim * 1000)}**`
  return `| ${what} | ${kB(minified)} | ${kB(gzipped)} | ${over} |`
}

/** The largest files in the core. */
function largestOf({ files }) {
  const byFolder = new Map()
  for (const [path, bytes] of files) {
    const folder = /dist\/(\w+)\//.exec(path)?.[1]
    if (folder !== undefined) byFolder.set(folder, (byFolder.get(folder) ?? 0) + bytes)
  }
  return [...byFolder].sort((a, b) => b[1] - a[1]).map(([folder, bytes]) => `| \`${folder}\` | ${kB(bytes)} |`)
}

function pageOf(sizes) {
  return `# Sizes

This page is made by \`node tools/packages/sizes.mjs\`, which is a part of \`npm run packages\`. Each line is a program that imports what
it says and nothing else: bundled and minified by esbuild, compressed by gzip at level 9. 1 kB is 1,000 bytes.

| import | minified, kB | gzipped, kB | aim, gzipped |
| --- | --- | --- | --- |
${sizes.map(rowOf).join('\n')}

*The core* is what encoding, decoding, views, frames and tensors need: every export of \`kiln-format\` but those of its folders
\`sources\`, \`lazy\` and \`writing\`. Its minified bytes, by folder of \`packages/kiln/src\`:

| folder | minified, kB |
| --- | --- |
${largestOf(sizes.find(({ core }) => core === true)).join('\n')}

A test fails if a size grows over its limit in \`tools/packages/sizes.json\`.
`
}

/** Measures, writes the page, and gives the sizes. */
export async function writeSizes() {
  const sizes = await measureAll()
  writeFileSync(join(root, 'docs/sizes.md'), pageOf(sizes))
  return sizes
}

export async function checkSizes(report, sizes) {
  for (const { what, gzipped, limit, aim } of sizes) {
    await report.check(what, () => {
      if (gzipped > limit * 1000) throw new Error(`${gzipped} bytes gzipped, the limit is ${limit * 1000}`)
      return `${gzipped} bytes gzipped${aim !== undefined && gzipped > aim * 1000 ? `, aimed at ${aim * 1000}` : ''}`
    })
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const report = new Report()
  await checkSizes(report, await writeSizes())
  console.log(`written: ${relative(process.cwd(), join(root, 'docs/sizes.md'))}`)
  report.end()
}
