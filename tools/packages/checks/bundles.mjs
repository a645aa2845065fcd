import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import vm from 'node:vm'
import { pathToFileURL } from 'node:url'
import { bundlers } from '../bundlers.mjs'
import { entriesOf } from '../paths.mjs'
import { expectNone } from '../report.mjs'

const wholes = [...entriesOf('kiln-format').filter((entry) => entry !== 'kiln-format/node'), 'kiln-convert']
// One function, and the bytes of all that has to come with it.
const parts = [
  // With the error for what is no bytes, which says what it was.
  { entry: 'kiln-format', name: 'crc32', most: 3500 },
  { entry: 'kiln-format/numeric', name: 'quantizationFormat', most: 12_000 },
  { entry: 'kiln-convert', name: 'plainName', most: 12_000 },
]
// `process` is none of these: a dependency looks whether there is one. That none is needed is shown by running it.
const NODE = /["'`]node:|\brequire\(|\bBuffer\b/

/** Bundles for browsers, run where there is no Node: a context with what the web has. */
export async function checkBundles(report, project) {
  mkdirSync(join(project, 'bundled'), { recursive: true })
  for (const [bundler, bundle] of Object.entries(bundlers)) {
    const made = async (name, code, expectedWarning = /^$/) => {
      const file = join(project, `${name}.mjs`)
      writeFileSync(file, code)
      const { code: text, warnings } = await bundle(file, project)
      expectNone(
        warnings.filter((warning) => !expectedWarning.test(warning)),
        'warnings',
      )
      const node = NODE.exec(text)
      if (node !== null) throw new Error(`the bundle has ${text.slice(Math.max(0, node.index - 60), node.index + 60)}`)
      return text
    }
    for (const entry of wholes) {
      await report.check(`${bundler}: all of ${entry}`, async () => {
        const text = await made(
          `all-${entry.replaceAll('/', '-')}`,
          `import * as all from '${entry}'\nglobalThis.found = Object.keys(all).sort()\nglobalThis.all = all\n`,
        )
        const { found } = ran(text)
        const want = Object.keys(await import(pathToFileURL(fileIn(project, entry)).href)).sort()
        if (found.join() !== want.join()) throw new Error(`it exports ${found}, not ${want}`)
        return `${text.length} bytes`
      })
    }
    for (const { entry, name, most } of parts) {
      await report.check(`${bundler}: ${name} of ${entry} alone`, async () => {
        const text = await made(
          `part-${name}`,
          `import { ${name} } from '${entry}'\nglobalThis.found = typeof ${name}\n`,
        )
        if (ran(text).found !== 'function') throw new Error('it does not run')
        if (text.length > most) throw new Error(`${text.length} bytes, of which the rest of the package is the most`)
        return `${text.length} bytes`
      })
    }
    await report.check(`${bundler}: an import without names leaves nothing`, async () => {
      const code = `${wholes.map((entry) => `import '${entry}'\n`).join('')}globalThis.found = 1\n`
      // esbuild says that such an import is in vain, and so it should be.
      const text = await made('nothing', code, /marked as having no side effects/)
      if (ran(text).found !== 1 || text.length > 200) throw new Error(`${text.length} bytes are left`)
      return `${text.length} bytes`
    })
  }
}

function fileIn(project, entry) {
  const [name, ...path] = entry.split('/')
  const folder = join(project, 'node_modules', name)
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return join(folder, exports[['.', ...path].join('/')].default)
}

function ran(text) {
  const context = vm.createContext({ TextDecoder, TextEncoder, TransformStream })
  vm.runInContext(text, context, { timeout: 60_000 })
  return context
}
