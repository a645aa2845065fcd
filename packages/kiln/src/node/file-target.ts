import { lstat, readlink, stat } from 'node:fs/promises'
import { dirname, resolve, sep } from 'node:path'
import { KilnError } from '../errors/kiln-error.js'
import { pathOf, type FileSource } from './open-file.js'

/** Where a file that is to be written will lie. */
export interface FileTarget {
  /** The file itself, with symbolic links followed. */
  readonly path: string
  /** Permissions of the file that it replaces, if there is one. */
  readonly mode: number | undefined
}

/** A file that must not be written over: its path, or the open source. */
export type SourceFile = string | URL | Pick<FileSource, 'dev' | 'ino'>

// As many as Linux follows.
const MAX_LINKS = 40

/** The path behind symbolic links, also where the last one leads to nothing yet. */
async function behindLinks(path: string): Promise<string> {
  let target = resolve(path)
  for (let i = 0; i < MAX_LINKS; i++) {
    const link = await lstat(target).then(
      (s) => s.isSymbolicLink(),
      () => false,
    )
    if (!link) return target
    target = resolve(dirname(target), await readlink(target))
  }
  throw new KilnError('TYPE', `${path} can't be written: its symbolic links lead in a circle`)
}

async function identities(sources: readonly SourceFile[]): Promise<Set<string>> {
  const known = new Set<string>()
  for (const source of sources) {
    const id =
      typeof source === 'object' && source !== null && 'ino' in source
        ? source
        : await stat(pathOf(source), { bigint: true }).catch(() => undefined)
    if (id !== undefined) known.add(`${id.dev}:${id.ino}`)
  }
  return known
}

/**
 * Where `path` leads, after checking that a file can be put there: it isn't a folder, a pipe or a device, and none of
 * the sources under whatever name (device and inode tell).
 */
export async function fileTarget(path: string, sources: readonly SourceFile[]): Promise<FileTarget> {
  if (path.endsWith('/') || path.endsWith(sep))
    throw new KilnError('TYPE', `${path} names a folder; give the name of a file in it`)
  // Even if there is nothing yet to write over: what is no source is told at once, and not the second time.
  const known = await identities(sources)
  const target = await behindLinks(path)
  const existing = await stat(target, { bigint: true }).catch((error: unknown) => {
    if ((error as { code?: unknown }).code === 'ENOENT') return undefined
    throw error
  })
  if (existing === undefined) return { path: target, mode: undefined }
  if (existing.isDirectory()) throw new KilnError('TYPE', `${path} is a folder; give the name of a file in it`)
  if (!existing.isFile())
    throw new KilnError(
      'TYPE',
      `${path} is a pipe, a socket or a device; only files can be written whole or not at all`,
    )
  if (known.has(`${existing.dev}:${existing.ino}`)) {
    throw new KilnError(
      'TYPE',
      `${path} is the file that is read, perhaps under another name; write to another and rename it afterwards`,
    )
  }
  return { path: target, mode: Number(existing.mode % 0o10000n) }
}
