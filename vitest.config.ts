import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const source = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  // Tests import the packages by name and run their sources; the built files are run by
  // the tests of the command line and of the packages.
  resolve: {
    alias: [
      { find: /^kiln-format$/, replacement: source('packages/kiln/src/index.ts') },
      { find: /^kiln-format\/(\w+)$/, replacement: source('packages/kiln/src/$1/index.ts') },
      { find: /^kiln-convert$/, replacement: source('packages/convert/src/index.ts') },
    ],
  },
  test: {
    include: ['packages/*/test/**/*.test.ts', 'spec/**/*.test.ts', 'docs/**/*.test.ts', 'examples/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A page on a busy machine takes its time; what never comes fails all the same.
    expect: { poll: { timeout: 20_000 } },
    maxWorkers: 2,
  },
})
