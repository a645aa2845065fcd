import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { root } from './paths.mjs'

const folders = { 'kiln-format': 'packages/kiln', 'kiln-convert': 'packages/convert' }

/** The built file of an entry. */
export function fileOf(entry) {
  const [name, ...path] = entry.split('/')
  const folder = join(root, folders[name])
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return join(folder, exports[['.', ...path].join('/')].default)
}

const resolve = {
  name: 'built-entries',
  setup: (bundler) =>
    bundler.onResolve({ filter: /^kiln-(format|convert)(\/|$)/ }, ({ path }) => ({
      path: fileOf(path),
      sideEffects: false,
    })),
}

/** What a program's import costs: bundled and minified by esbuild, then gzipped; with bytes by file. */
export async function measure(code) {
  const { outputFiles, metafile } = await build({
    stdin: { contents: code, resolveDir: root, loader: 'js' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    mainFields: ['module', 'main'],
    external: ['node:*'],
    plugins: [resolve],
    metafile: true,
    write: false,
    outdir: '/',
    logLevel: 'silent',
  })
  const { contents } = outputFiles[0]
  const files = Object.entries(Object.values(metafile.outputs)[0].inputs).map(([path, { bytesInOutput }]) => [
    path,
    bytesInOutput,
  ])
  return { minified: contents.length, gzipped: gzipSync(contents, { level: 9 }).length, files }
}
