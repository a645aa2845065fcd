import { KilnError, sourceOf, type ByteSource } from 'kiln-format'
import type { Folder } from '../model.js'
import { quoted } from '../text/quoted.js'
import { plainPath } from './plain-name.js'

/**
 * A folder of sources that are open already, by name: the files that a person picked in a browser,
 * or bytes in memory. Closing what it opens leaves them open, since they are the caller's. Its `open` fails with `EOF` for a
 * name that is not there and with `TYPE` for one that {@link plainPath} refuses.
 */
export function folderOf(files: ReadonlyMap<string, ByteSource> | Iterable<readonly [string, ByteSource]>): Folder {
  const sources = new Map<string, ByteSource>()
  if (typeof files !== 'object' || files === null || !(Symbol.iterator in files)) {
    throw new KilnError('TYPE', 'folderOf takes a Map, or a list of name and source')
  }
  for (const entry of files as Iterable<unknown>) {
    if (!Array.isArray(entry) || typeof entry[0] !== 'string') throw new KilnError('TYPE', 'folderOf takes a list of name and source')
    sources.set(entry[0], sourceOf(entry[1] as ByteSource))
  }
  return {
    open(name) {
      return Promise.resolve().then(() => {
        const path = plainPath(name)
        const source = sources.get(path)
        if (source === undefined) throw new KilnError('EOF', `there is no file ${quoted(path)} in the folder`)
        return { size: source.size, label: source.label, readSize: source.readSize, read: source.read.bind(source) }
      })
    },
    list: () => Promise.resolve([...sources.keys()].filter((name) => !name.includes('/'))),
  }
}
