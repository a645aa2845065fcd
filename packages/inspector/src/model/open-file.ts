import { blobSource, urlSource, type ByteSource } from 'kiln-format'
import { folderOf, sniffSource, type Folder } from 'kiln-convert'
import { openKilnFile } from './kiln-file.js'
import type { OpenedFile } from './opened-file.js'

/** Opens the file that was dropped or picked; of several the first that opens a set, with the others as its folder. */
export async function openPicked(files: readonly File[], signal: AbortSignal): Promise<OpenedFile> {
  const [first] = [...files].sort((a, b) => rank(a.name) - rank(b.name) || (a.name < b.name ? -1 : 1))
  if (first === undefined) throw new TypeError('no file was given')
  const folder = files.length < 2 ? undefined : folderOf(files.map((file) => [file.name, blobSource(file)] as const))
  return openSource(blobSource(first), first.name, folder, signal)
}

/** An index opens its set; external data of an ONNX model does not open the model. */
function rank(name: string): number {
  if (/\.index\.json$|^model\.json$/.test(name)) return 0
  return /\.(kiln|safetensors|gguf|onnx|npz|npy)$/i.test(name) ? 1 : 2
}

export async function openUrl(url: string, signal: AbortSignal): Promise<OpenedFile> {
  const address = new URL(url, location.href)
  const source = await urlSource(address, {
    signal,
    credentials: address.origin === location.origin ? 'same-origin' : 'omit',
  })
  const name = decoded(address.pathname.slice(address.pathname.lastIndexOf('/') + 1))
  return openSource(source, name === '' ? address.host : name, undefined, signal)
}

/** A part of a path as it was before it was written as a URL; as it is where a server takes names that are none such. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

async function openSource(
  source: ByteSource,
  name: string,
  folder: Folder | undefined,
  signal: AbortSignal,
): Promise<OpenedFile> {
  const { name: kind } = await sniffSource(source, name, { signal })
  if (kind === 'kiln-directory' || kind === 'kiln-frame')
    return openKilnFile(source, name, kind === 'kiln-frame', signal)
  // Converters are as large as the rest of the page, and not needed for Kiln's own files.
  const { openForeignFile } = await import('./foreign-file.js')
  return openForeignFile(source, name, folder, signal)
}
