import { KilnError } from 'kiln-format'
import type { ByteSource } from 'kiln-format'
import type { Folder, Omission } from '../model.js'
import { inFile } from '../paths/file-errors.js'
import { plainName } from '../paths/plain-name.js'
import { quoted, someOf } from '../text/quoted.js'
import { modelOf } from './model.js'
import type { GgufModel } from './model.js'
import type { GgufHead } from './read-head.js'
import { readFile } from './read-file.js'
import type { GgufOptions } from './read-file.js'
import { checkSame, checkWhole, shardNames, splitOf, SPLIT_KEYS } from './split.js'
import type { GgufFile, Split } from './split.js'
import { typeText, valueText } from './value-text.js'
import { ALIGNMENT_KEY } from './value-types.js'
import type { GgufKeyValue } from './value-types.js'
import { checkFolder, checkOptions } from '../reading/arguments.js'
import { openIn, openOrMissing } from '../reading/folder-file.js'

interface OpenFile extends GgufFile {
  readonly source: ByteSource
}

/**
 * Opens a split set as one model by the name of any of its files, such as `m-00002-of-00003.gguf`; a
 * file that is of no set opens as what it is.
 *
 * The set is checked whole before anything is returned: files that are missing are `EOF`, all of them
 * named; numbers and counts that don't agree with the names or with each other, and tensors that are
 * too few, too many or there twice, are `TYPE`. The tensors come file by file, the metadata from the
 * first file, without the keys that say how the set is split; other keys of later files are in `omitted`.
 */
export async function openGgufSet(folder: Folder, name: string, options: GgufOptions = {}): Promise<GgufModel> {
  checkOptions(options)
  checkFolder(folder)
  const opened: ByteSource[] = []
  const omitted: Omission[] = []
  const close = async (): Promise<void> => {
    const results = await Promise.allSettled(opened.map((source) => source.close?.()))
    const failed = results.find((result) => result.status === 'rejected')
    if (failed !== undefined) throw failed.reason
  }
  try {
    const first = await openFile(await openIn(folder, plainName(name), options))
    const split = inFileOf(name, () => splitOf(first.head))
    if (split === undefined) return modelOf([first], first.head.keyValues, omitted, close)
    const files = await openOthers(folder, first, split)
    checkWhole(files, split)
    const keyValues = files[0]!.head.keyValues.filter(({ key }) => !SPLIT_KEYS.has(key))
    return modelOf(files, keyValues, [...omitted, ...laterKeys(files)], close)
  } catch (error) {
    await close()
    throw error
  }

  async function openFile(source: ByteSource, fileName = name): Promise<OpenFile> {
    opened.push(source)
    try {
      const file = await readFile(source, options)
      for (const omission of file.omitted)
        omitted.push({ ...omission, reason: `in ${quoted(fileName)}: ${omission.reason}` })
      return { name: fileName, source, head: file.head }
    } catch (error) {
      throw inFile(error, fileName)
    }
  }

  async function openOthers(set: Folder, given: OpenFile, split: Split): Promise<OpenFile[]> {
    const files: OpenFile[] = []
    const missing: string[] = []
    const names = shardNames(given.name, split)
    for (const [i, fileName] of names.entries()) {
      options.signal?.throwIfAborted()
      const source = i === split.no ? undefined : await openOrMissing(set, fileName, options)
      if (source === undefined && i !== split.no) missing.push(fileName)
      if (missing.length > 0) {
        // Only looks which others are missing too.
        await source?.close?.()
        continue
      }
      const file = source === undefined ? given : await openFile(source, fileName)
      inFileOf(fileName, () => checkSame(file.head, i, split))
      files.push(file)
    }
    if (missing.length > 0) {
      throw new KilnError(
        'EOF',
        `the set is not whole: ${missing.length} of ${names.length} files are not in the folder: ${someOf(missing)}`,
      )
    }
    return files
  }
}

function inFileOf<T>(name: string, check: () => T): T {
  try {
    return check()
  } catch (error) {
    throw inFile(error, name)
  }
}

/** Keys of later files that the first has not, or has otherwise. Alignment is each file's own matter. */
function laterKeys(files: readonly { readonly name: string; readonly head: GgufHead }[]): Omission[] {
  const signature = (keyValue: GgufKeyValue): string => `${typeText(keyValue)} ${valueText(keyValue)}`
  const first = new Map(files[0]!.head.keyValues.map((keyValue) => [keyValue.key, keyValue]))
  const omitted: Omission[] = []
  for (const { head, name } of files.slice(1)) {
    for (const keyValue of head.keyValues) {
      const { key } = keyValue
      if (SPLIT_KEYS.has(key) || key === ALIGNMENT_KEY) continue
      const same = first.get(key)
      if (same !== undefined && signature(same) === signature(keyValue)) continue
      const reason = same === undefined ? 'which the first file has not' : 'of which the first file has another value'
      omitted.push({
        name: `key ${key}`,
        reason: `a key of ${quoted(name)} ${reason}; a set's keys are those of its first file`,
      })
    }
  }
  return omitted
}
