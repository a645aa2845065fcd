import { isKilnError, KilnError } from '../errors/kiln-error.js'
import type { KilnErrorCode } from '../errors/kiln-error.js'

/** What the operating system's error codes mean here: the code of Kiln's error, and what a person can do. */
const READING: { readonly [code: string]: readonly [KilnErrorCode, string] } = {
  ENOENT: ['EOF', 'there is no such file'],
  ENOTDIR: ['EOF', 'a part of the path is a file, not a folder'],
  EACCES: ['EOF', "reading it is not permitted; look at its permissions and its folder's"],
  EPERM: ['EOF', 'reading it is not permitted'],
  EISDIR: ['TYPE', 'it is a folder; give a file in it'],
  ENXIO: ['TYPE', 'it is a socket or a device, not a file'],
  ELOOP: ['TYPE', 'its symbolic links lead in a circle, or it is one where none is followed'],
  ENAMETOOLONG: ['TYPE', 'its name is longer than the file system takes'],
  EMFILE: ['LIMIT', 'too many files are open in this process; close some'],
  ENFILE: ['LIMIT', 'too many files are open on this machine'],
  EIO: ['EOF', "the device can't be read; the disk may be damaged or gone"],
  ESTALE: ['EOF', 'the file was removed on its server'],
}

const WRITING: { readonly [code: string]: readonly [KilnErrorCode, string] } = {
  ENOENT: ['TYPE', 'its folder does not exist; make it first'],
  ENOTDIR: ['TYPE', 'a part of the path is a file, not a folder'],
  EACCES: ['TYPE', 'writing there is not permitted; look at the permissions of its folder'],
  EPERM: ['TYPE', 'writing there is not permitted'],
  EROFS: ['TYPE', 'its file system can only be read'],
  EISDIR: ['TYPE', 'it is a folder; give the name of a file'],
  ELOOP: ['TYPE', 'its symbolic links lead in a circle'],
  ENAMETOOLONG: ['TYPE', 'its name is longer than the file system takes'],
  ENOSPC: ['LIMIT', 'the disk is full; nothing was left behind'],
  EDQUOT: ['LIMIT', 'the disk quota is used up; nothing was left behind'],
  EFBIG: ['LIMIT', 'the file would be larger than the file system takes; split it'],
  EMFILE: ['LIMIT', 'too many files are open in this process; close some'],
  ENFILE: ['LIMIT', 'too many files are open on this machine'],
  EIO: ['EOF', "the device can't be written; the disk may be damaged or gone"],
}

/** An error of the file system as a Kiln error that names the file; one of Kiln's as it is. */
export function systemError(error: unknown, how: 'read' | 'write', path: string): unknown {
  if (isKilnError(error) || !(error instanceof Error)) return error
  const { code } = error as { code?: unknown }
  if (typeof code !== 'string') return error
  const known = (how === 'read' ? READING : WRITING)[code]
  const [kilnCode, detail] = known ?? ([how === 'read' ? 'EOF' : 'TYPE', error.message] as const)
  return new KilnError(
    kilnCode,
    `${path} can't be ${how === 'read' ? 'read' : 'written'}: ${detail} (${code})`,
    undefined,
    { cause: error },
  )
}
