// What the site has beside the pages in this folder: the specification with a page for each rule, the API from the docstrings,
// and the inspector. All of it is made anew at each build and none is committed.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { writeApi } from './api.mjs'
import { caseCounts, rulePages } from './rule-pages.mjs'
import { readRules, rulePage, specificationPage } from './specification.mjs'

const docs = fileURLToPath(new URL('..', import.meta.url))
const generated = `${docs}.vitepress/generated`

function writeFormat() {
  writeFileSync(`${docs}format/specification.md`, `---\noriginal: spec/SPEC.md\n---\n\n${specificationPage(caseCounts())}`)
  for (const [name, original] of [['cases', 'spec/CASES.md'], ['kaitai', 'spec/KAITAI.md']]) {
    writeFileSync(`${docs}format/${name}.md`, `---\noriginal: ${original}\n---\n\n${readFileSync(`${docs}../${original}`, 'utf8')}`)
  }
  rmSync(`${docs}format/rules`, { recursive: true, force: true })
  mkdirSync(`${docs}format/rules`)
  for (const [number, page] of rulePages()) writeFileSync(`${docs}format/${rulePage(number)}.md`, page)
  const items = readRules().map(({ number }) => ({ text: `§${number}`, link: `/format/${rulePage(number)}` }))
  writeFileSync(`${generated}/rules.json`, JSON.stringify(items))
}

function copyInspector() {
  const built = `${docs}../packages/inspector/dist`
  if (!existsSync(`${built}/index.html`)) throw new Error('the inspector is not built; run npm run build in the root first')
  rmSync(`${docs}public/inspector`, { recursive: true, force: true })
  cpSync(built, `${docs}public/inspector`, { recursive: true })
}

mkdirSync(generated, { recursive: true })
copyInspector()
writeFormat()
writeFileSync(`${generated}/api.json`, JSON.stringify(await writeApi()))
