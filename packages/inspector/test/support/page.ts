import { existsSync } from 'node:fs'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { findChromium } from '../../scripts/browser.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const built = join(root, '.tmp', 'page')

/** Why the browser tests can't be run here, or undefined. It stands in the tests' own names, so that it is seen. */
export const missingBrowser: string | undefined =
  findChromium() === undefined ? 'NOT RUN: no Chromium or Chrome is found; install one or set KILN_CHROMIUM' : undefined

/** The page as it is published, built from the sources as they are now. */
export async function builtPage(): Promise<string> {
  if (await isBuilt()) return built
  const fresh = `${built}-${process.pid}`
  for (const mode of ['production', 'offline']) {
    await build({
      root, mode, configFile: join(root, 'vite.config.ts'), logLevel: 'error', build: { outDir: fresh },
    })
  }
  // Test files run side by side: where another was quicker, its page is in use already.
  if (await isBuilt()) await rm(fresh, { recursive: true, force: true })
  else {
    await rm(built, { recursive: true, force: true })
    await rename(fresh, built)
  }
  return built
}

async function isBuilt(): Promise<boolean> {
  return existsSync(join(built, 'index.html')) && (await newest(built)) > (await newestSource())
}

async function newestSource(): Promise<number> {
  const folders = ['src', 'public', '../kiln/src', '../convert/src'].map((folder) => join(root, folder))
  const files = ['index.html', 'vite.config.ts'].map((file) => join(root, file))
  return Math.max(
    ...(await Promise.all([...folders.map(newest), ...files.map(async (file) => (await stat(file)).mtimeMs)])),
  )
}

async function newest(folder: string): Promise<number> {
  let latest = 0
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) latest = Math.max(latest, (await stat(join(entry.parentPath, entry.name))).mtimeMs)
  }
  return latest
}
