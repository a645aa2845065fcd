// Loads test files through Vite, with the aliases of the repository's Vitest, and collects their tests with Vitest's own collector.
import { fileURLToPath } from 'node:url'
import * as collector from '@vitest/runner'
import { createServer, createServerModuleRunner } from 'vite'
import { expect, expectTypeOf, vi } from './matchers.mjs'

const STAND_IN = fileURLToPath(new URL('./vitest-stand-in.mjs', import.meta.url))

export async function load(paths) {
  const root = process.cwd()
  const source = (path) => `${root}/${path}`
  const server = await createServer({
    configFile: false,
    root,
    logLevel: 'error',
    server: { middlewareMode: true, hmr: false, watch: null, ws: false },
    optimizeDeps: { noDiscovery: true },
    resolve: {
      alias: [
        { find: /^vitest$/, replacement: STAND_IN },
        { find: /^kiln-format$/, replacement: source('packages/kiln/src/index.ts') },
        { find: /^kiln-format\/(\w+)$/, replacement: source('packages/kiln/src/$1/index.ts') },
      ],
    },
  })
  const modules = createServerModuleRunner(server.environments.ssr, { hmr: false, sourcemapInterceptor: false })
  const { describe, test, it, beforeAll, beforeEach, afterAll, afterEach } = collector
  globalThis.kilnStandIn = { describe, test, it, beforeAll, beforeEach, afterAll, afterEach, expect, expectTypeOf, vi }
  const files = await collector.collectTests(paths, {
    config: {
      root, setupFiles: [], name: '', passWithNoTests: false, testTimeout: 4000, hookTimeout: 4000, maxConcurrency: 1, retry: 0,
      sequence: { seed: 1, hooks: 'stack', setupFiles: 'list', concurrent: false, shuffle: false }, tags: [], strictTags: false, chaiConfig: undefined,
      includeTaskLocation: false, allowOnly: true, diffOptions: undefined, tagsFilter: undefined,
    },
    pool: 'threads',
    importFile: (path) => modules.import(path),
  })
  const broken = files.filter(({ result }) => result?.state === 'fail')
  if (broken.length > 0) throw new Error(broken.map(({ filepath, result }) => `${filepath}: ${result.errors?.map(({ stack }) => stack).join('\n')}`).join('\n'))
  return {
    files,
    async close() {
      await modules.close()
      await server.close()
    },
  }
}
