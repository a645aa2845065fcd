import { KilnError } from 'kiln-format'
import { quoted } from '../text/quoted.js'

// On Windows these name devices, with any extension and in any folder; reading one may wait for ever.
const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9\u00b9\u00b2\u00b3])\s*(\..*)?$/i

/** Why a name can't be that of a file in the folder itself, or undefined. */
function fault(name: string): string | undefined {
  if (typeof name !== 'string') return 'it is no text'
  if (name === '') return 'it is empty'
  if (name === '.' || name === '..') return 'it names a folder'
  if (/[/\\]/.test(name)) return 'it leads to another folder'
  // Drive letters, and the named streams of NTFS.
  if (name.includes(':')) return 'it has a colon'
  // eslint-disable-next-line no-control-regex -- NUL ends a name early in many systems; the others hide in listings
  if (/[\u0000-\u001f\u007f]/.test(name)) return 'it has a control character'
  if (/\p{Surrogate}/u.test(name)) return 'it is no text'
  // Windows drops them, so that ".. " would be "..".
  if (/[. ]$/.test(name)) return 'it ends with a dot or a space'
  if (DEVICE.test(name)) return 'it names a device on Windows'
  if (name.length > 255) return 'it is longer than 255 characters'
  return undefined
}

function shown(name: unknown): string {
  return typeof name === 'string' ? quoted(name) : `(of type ${typeof name})`
}

/**
 * Returns a file name that came out of a file if it is a plain one, of a file in the folder itself;
 * else `TYPE`. Nothing is opened. The rules are those of all systems together, so that a set opens
 * everywhere or nowhere: no separators of either kind, no drive letters, no NUL, no device names.
 */
export function plainName(name: string, what = 'a file name'): string {
  const why = fault(name)
  if (why === undefined) return name
  throw new KilnError('TYPE', `${what} ${shown(name)} is not opened, for ${why}; only files of the folder itself are`)
}

/**
 * The same for a path that may lead into folders below: plain names with `/` between them, after a
 * `./` at most. Returned without that; else `TYPE`.
 */
export function plainPath(path: string, what = 'a path'): string {
  if (typeof path !== 'string') return plainName(path, what)
  const inner = path.startsWith('./') ? path.slice(2) : path
  const names = inner.split('/')
  const why =
    path === ''
      ? 'it is empty'
      : names.length > 32
        ? 'it is deeper than 32 folders'
        : path.startsWith('/')
          ? 'it is absolute'
          : names.map(fault).find((found) => found !== undefined)
  if (why === undefined) return inner
  throw new KilnError(
    'TYPE',
    `${what} ${quoted(path)} is not opened, for ${why}; only files in the folder and below are`,
  )
}
