import { fileURLToPath } from 'node:url'
import { defineConfig, type Alias, type UserConfig } from 'vite'

const source = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Files are cut where a view needs a library of its own (plots), so that the first load has only what it shows. */
const hosted: UserConfig = {
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // The licences of what is bundled go with it.
    license: { fileName: 'THIRD-PARTY.md' },
    rolldownOptions: { input: source('index.html'), checks: { pluginTimings: false } },
  },
}

/**
 * A page opened from disk has no origin, and browsers load neither modules nor workers for it: there one classic
 * script has everything, and statistics run in the page.
 */
const offline: UserConfig = {
  resolve: {
    alias: [{ find: /^\.\.\/worker\/run-statistics\.js$/, replacement: source('src/worker/statistics-in-page.ts') }],
  },
  publicDir: false,
  build: {
    outDir: 'dist',
    emptyOutDir: false,
    cssCodeSplit: false,
    rolldownOptions: {
      input: source('src/offline.tsx'),
      // A classic script has none; said here, so that the build doesn't warn of each.
      checks: { pluginTimings: false },
      transform: { define: { 'import.meta': '{}' } },
      output: {
        format: 'iife',
        entryFileNames: 'offline.js',
        assetFileNames: 'offline[extname]',
        codeSplitting: false,
      },
    },
  },
}

export default defineConfig(({ mode }) => {
  const own = mode === 'offline' ? offline : hosted
  return {
    base: './',
    root: source('.'),
    ...(own.publicDir === undefined ? {} : { publicDir: own.publicDir }),
    resolve: {
      alias: [
        ...((own.resolve?.alias ?? []) as Alias[]),
        { find: /^kiln-format$/, replacement: source('../kiln/src/index.ts') },
        { find: /^kiln-format\/(\w+)$/, replacement: source('../kiln/src/$1/index.ts') },
        { find: /^kiln-convert$/, replacement: source('../convert/src/index.ts') },
      ],
    },
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    worker: { format: 'es' },
    build: {
      target: 'es2022',
      // Everything is a file of its own: the page's policy allows no data: and no inline scripts.
      assetsInlineLimit: 0,
      modulePreload: false,
      sourcemap: false,
      reportCompressedSize: false,
      chunkSizeWarningLimit: 600,
      ...own.build,
    },
  }
})
