import { dirname } from 'node:path'
import { KilnError, urlSource, type ByteSource, type ReadOptions } from 'kiln-format'
import type { Folder } from 'kiln-convert'
import { nodeFolder, type SourceFile } from 'kiln-format/node'

/** The folder of a file, which remembers what was opened in it: none of that may be written over. */
export async function folderOfFile(path: string, opened: SourceFile[]): Promise<Folder> {
  return watchedFolder(dirname(path), opened)
}

export async function watchedFolder(path: string, opened: SourceFile[]): Promise<Folder> {
  const folder = await nodeFolder(path)
  return {
    list: () => folder.list(),
    async open(name, options) {
      const source = await folder.open(name, options)
      opened.push(source)
      return source
    },
  }
}

/** What lies beside a URL. A server can't be asked what there is, and a query is of one file alone. */
export function folderOfUrl(url: string, headers: readonly (readonly [string, string])[]): Folder {
  return {
    async open(name: string, options?: ReadOptions): Promise<ByteSource> {
      const beside = new URL(name.split('/').map(encodeURIComponent).join('/'), url)
      if (beside.origin !== new URL(url).origin) throw new KilnError('TYPE', `${JSON.stringify(name)} leads to another server and is not opened`)
      return urlSource(beside, { headers, signal: options?.signal })
    },
  }
}
