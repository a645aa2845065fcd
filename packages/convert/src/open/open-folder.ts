import { isKilnError, KilnError } from 'kiln-format'
import type { Folder, ForeignModel } from '../model.js'
import { inFile } from '../paths/file-errors.js'
import { openSafetensorsSet } from '../safetensors/open-set.js'
import { quoted, someOf } from '../text/quoted.js'
import { openForeign } from './open-foreign.js'
import type { FolderOptions } from './options.js'
import { checkFolder, checkOptions } from '../reading/arguments.js'
import { openIn } from '../reading/folder-file.js'

/** The files of a folder that are models, by format, the preferred one first. */
const SAFETENSORS = /\.safetensors(\.index\.json)?$/
const OTHERS: readonly RegExp[] = [
  /\.gguf$/i,
  /^model\.json$|weights_manifest\.json$/,
  /\.onnx$/i,
  /\.npz$/i,
  /\.npy$/i,
]

/**
 * Opens the one model that a folder holds: a safetensors file or set, a GGUF file or set, a TensorFlow.js
 * model, an ONNX model, an NPZ archive or an NPY file; of several formats the first in this order, since
 * the same weights often lie beside each other. More than one model of that format is `TYPE`, naming
 * them; none is `EOF`.
 */
export async function openForeignFolder(folder: Folder, options: FolderOptions = {}): Promise<ForeignModel> {
  checkOptions(options)
  checkFolder(folder)
  options.signal?.throwIfAborted()
  if (folder.list === undefined) throw new KilnError('TYPE', 'this folder can not be listed; name a file of the model')
  const names = [...(await folder.list())].sort()
  if (names.some((name) => SAFETENSORS.test(name))) {
    return openSafetensorsSet(folder, undefined, { signal: options.signal, limits: options.limits?.safetensors })
  }
  for (const pattern of OTHERS) {
    const found = onePerSet(names.filter((name) => pattern.test(name)))
    if (found.length > 1)
      throw new KilnError('TYPE', `the folder holds more than one model: name one of ${someOf(found)}`)
    if (found[0] !== undefined) return openNamed(folder, found[0], options)
  }
  throw new KilnError('EOF', 'there is no file in the folder that holds a model')
}

/** Of the files of each split set the first: any of them opens the set. */
function onePerSet(names: readonly string[]): string[] {
  const sets = new Map<string, string>()
  for (const name of names) {
    const set = name.replace(/-\d+(-of-\d+\.gguf)$/i, '$1')
    if (!sets.has(set)) sets.set(set, name)
  }
  return [...sets.values()]
}

/** Opens a file of the folder; the model closes it. */
async function openNamed(folder: Folder, name: string, options: FolderOptions): Promise<ForeignModel> {
  const source = await openIn(folder, name, options)
  try {
    const model = await openForeign(source, { ...options, name, folder })
    const close = async (): Promise<void> => {
      await model.close()
      await source.close?.()
    }
    // By descriptors, because a getter of the model (GGUF's metadata) has to stay one.
    return Object.defineProperties(
      {},
      { ...Object.getOwnPropertyDescriptors(model), close: { value: close, enumerable: true } },
    ) as ForeignModel
  } catch (error) {
    await source.close?.()
    throw isKilnError(error) && error.detail.includes(quoted(name)) ? error : inFile(error, name)
  }
}
