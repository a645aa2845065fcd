import { readdir, realpath, stat } from 'node:fs/promises'
import { isAbsolute, join, relative, sep } from 'node:path'
import { describe } from '../bytes/input.js'
import { KilnError } from '../errors/kiln-error.js'
import type { ReadOptions } from '../sources/source.js'
import { openFile, pathOf, type FileSource } from './open-file.js'
import { systemError } from './system-error.js'

/** The files of a folder, for readers of sets of files. */
export interface NodeFolder {
  readonly path: string
  /** Opens a file of the folder, or of a folder below by a path with `/`. */
  open(name: string, options?: ReadOptions): Promise<FileSource>
  /** The names of the files in the folder itself, sorted. */
  list(): Promise<readonly string[]>
}

/**
 * A folder of the file system out of which no name leads: not by `..`, not by an absolute path, and not by a symbolic
 * link. Such a name is `TYPE`, and so is a folder that is none; a missing file is `EOF`.
 */
export async function nodeFolder(path: string | URL): Promise<NodeFolder> {
  const label = pathOf(path)
  let root: string
  try {
    root = await realpath(label)
    if (!(await stat(root)).isDirectory()) throw new KilnError('TYPE', `${label} is not a folder`)
  } catch (error) {
    throw systemError(error, 'read', label)
  }

  async function open(name: string, options?: ReadOptions): Promise<FileSource> {
    const inside = await insidePath(root, name, label)
    return openFile(inside, options)
  }

  async function list(): Promise<readonly string[]> {
    try {
      const entries = await readdir(root, { withFileTypes: true })
      const files = await Promise.all(
        entries.map(async (entry) => {
          if (!entry.isSymbolicLink()) return entry.isFile()
          const inside = await insidePath(root, entry.name, label).catch(() => undefined)
          return (
            inside !== undefined &&
            (await stat(inside).then(
              (s) => s.isFile(),
              () => false,
            ))
          )
        }),
      )
      return entries
        .filter((_, i) => files[i])
        .map((entry) => entry.name)
        .sort()
    } catch (error) {
      throw systemError(error, 'read', label)
    }
  }
  return { path: label, open, list }
}

/** Where a name of the folder really lies; `TYPE` unless that is inside. */
async function insidePath(root: string, name: string, label: string): Promise<string> {
  const refuse = (why: string): KilnError =>
    new KilnError('TYPE', `${typeof name === 'string' ? JSON.stringify(name) : describe(name)} is not opened: ${why}; only files in ${label} are`)
  if (typeof name !== 'string' || name === '' || name.includes('\0')) throw refuse('it is no file name')
  if (isAbsolute(name) || leadsOut(relative(root, join(root, name)))) throw refuse('it leads out of the folder')
  let real: string
  try {
    real = await realpath(join(root, name))
  } catch (error) {
    throw systemError(error, 'read', join(label, name))
  }
  if (leadsOut(relative(root, real))) throw refuse('it is a link that leads out of the folder')
  return real
}

function leadsOut(path: string): boolean {
  return path === '' || path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path)
}
