import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { nodeResolve } from '@rollup/plugin-node-resolve'
import * as esbuild from 'esbuild'
import { rollup } from 'rollup'
import * as vite from 'vite'
import webpack from 'webpack'

/** Each makes one minified script for browsers of a module, and tells what it warned of. */
export const bundlers = { Vite: withVite, esbuild: withEsbuild, webpack: withWebpack, Rollup: withRollup }

async function withVite(file, root) {
  const warnings = []
  const logger = {
    ...vite.createLogger('silent'),
    warn: (text) => warnings.push(text),
    warnOnce: (text) => warnings.push(text),
  }
  const built = await vite.build({
    root,
    configFile: false,
    customLogger: logger,
    logLevel: 'warn',
    build: { write: false, target: 'es2022', lib: { entry: file, formats: ['iife'], name: 'bundle' }, minify: true },
  })
  return { code: [built].flat()[0].output[0].code, warnings }
}

async function withEsbuild(file) {
  const { outputFiles, warnings } = await esbuild.build({
    entryPoints: [file],
    bundle: true,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    write: false,
    logLevel: 'silent',
  })
  return { code: outputFiles[0].text, warnings: warnings.map(({ text }) => text) }
}

async function withWebpack(file, root) {
  const filename = `webpack-${basename(file, '.mjs')}.js`
  const path = join(root, 'bundled')
  const stats = await promisify(webpack)({
    mode: 'production',
    target: ['web', 'es2022'],
    context: root,
    entry: file,
    output: { path, filename },
    performance: { hints: false },
    parallelism: 1,
  })
  const { errors, warnings } = stats.toJson({ all: false, errors: true, warnings: true })
  return {
    code: readFileSync(join(path, filename), 'utf8'),
    warnings: [...errors, ...warnings].map(({ message }) => message),
  }
}

async function withRollup(file) {
  const warnings = []
  const bundle = await rollup({
    input: file,
    plugins: [nodeResolve({ browser: true })],
    onwarn({ code, id, message }) {
      // Helpers of older compilers, in dependencies, look for a `this` that modules don't have, and do without it.
      if (code !== 'THIS_IS_UNDEFINED' || /node_modules.kiln-/.test(id)) warnings.push(message)
    },
  })
  const { output } = await bundle.generate({ format: 'iife' })
  await bundle.close()
  // Rollup has no minifier of its own.
  const { code } = await esbuild.transform(output[0].code, { minify: true, target: 'es2022' })
  return { code, warnings }
}
