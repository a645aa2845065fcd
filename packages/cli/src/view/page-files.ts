import { readdir, readFile } from 'node:fs/promises'
import { dirname, extname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UsageError } from '../terminal/usage-error.js'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** A file of the page. */
export interface PageFile {
  readonly type: string
  readonly bytes: Uint8Array
}

/** Where the built page lies. */
export function pageFolder(): string {
  try {
    return join(dirname(fileURLToPath(import.meta.resolve('kiln-inspector/package.json'))), 'dist')
  } catch (cause) {
    throw new UsageError('the page is not installed; install the package kiln-inspector beside kiln-cli', { cause })
  }
}

/**
 * The files of the page, by their path within it. They are listed and read once, so that a request can name nothing
 * else, whatever it spells.
 */
export async function pageFiles(folder: string): Promise<ReadonlyMap<string, PageFile>> {
  const files = new Map<string, PageFile>()
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((cause: unknown) => {
    throw new UsageError(`the page is not built: there is no folder ${folder}; run npm run build`, { cause })
  })
  for (const entry of entries) {
    const type = TYPES[extname(entry.name)]
    if (!entry.isFile() || type === undefined) continue
    const path = join(entry.parentPath, entry.name)
    files.set(relative(folder, path).split(sep).join('/'), { type, bytes: await readFile(path) })
  }
  if (!files.has('index.html'))
    throw new UsageError(`the page is not built: ${folder} has no index.html; run npm run build`)
  return files
}
