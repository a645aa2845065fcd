import { KilnError } from 'kiln-format'
import { quoted } from '../text/quoted.js'
import type { GgufHead } from './read-head.js'
import type { GgufKeyValue } from './value-types.js'

const NO = 'split.no'
const COUNT = 'split.count'
const TENSORS = 'split.tensors.count'

/** The greatest values of these keys by the types that they are written with: llama.cpp's uint16 and int32. */
export const MOST_FILES = 65_535
export const MOST_TENSORS = 2 ** 31 - 1

/** The keys that say how a set is split; a model that is whole has none. */
export const SPLIT_KEYS: ReadonlySet<string> = new Set([NO, COUNT, TENSORS])

/** What a file says of the set that it is of. */
export interface Split {
  /** From 0. */
  readonly no: number
  readonly count: number
  /** In all the files together. */
  readonly tensors: number
}

/** The keys by which a file of a set says which one it is. */
export function splitKeys({ no, count, tensors }: Split): GgufKeyValue[] {
  return [
    { key: NO, type: 'uint16', value: no },
    { key: COUNT, type: 'uint16', value: count },
    { key: TENSORS, type: 'int32', value: tensors },
  ]
}

/** The split of a head, or undefined for a file that stands alone. */
export function splitOf(head: GgufHead): Split | undefined {
  const count = integerOf(head.keyValues, COUNT)
  // Writers put a count of 0 or 1 into files that are whole.
  if (count === undefined || count <= 1) return undefined
  if (count > MOST_FILES) throw new KilnError('LIMIT', `${COUNT} is ${count}; a set has at most ${MOST_FILES} files`)
  const no = integerOf(head.keyValues, NO)
  const tensors = integerOf(head.keyValues, TENSORS)
  if (no === undefined || tensors === undefined) {
    throw new KilnError('TYPE', `${COUNT} is ${count}, and there is no ${no === undefined ? NO : TENSORS}`)
  }
  if (no >= count) throw new KilnError('TYPE', `${NO} is ${no}, counted from 0, and ${COUNT} is ${count}`)
  return { no, count, tensors }
}

function integerOf(keyValues: readonly GgufKeyValue[], key: string): number | undefined {
  const found = keyValues.find((keyValue) => keyValue.key === key)
  if (found === undefined) return undefined
  const { type, value } = found
  const integer = typeof value === 'bigint' || (typeof value === 'number' && type !== 'float32' && type !== 'float64')
  if (!integer) throw new KilnError('TYPE', `${key} must be of an integer type; it is of type ${type}`)
  const number = Number(value)
  if (number < 0 || !Number.isSafeInteger(number)) throw new KilnError('TYPE', `${key} is ${value}, which is no count`)
  return number
}

// As llama.cpp names them: five digits, or more for sets that need it, and counted from 1.
const NAME = /^(.*)-(\d{5,9})-of-(\d{5,9})\.gguf$/su

/** The names of a set's files, in order, by the name of one of them, which must agree with what it says inside. */
export function shardNames(name: string, { no, count }: Split): string[] {
  const match = NAME.exec(name)
  if (match === null) {
    throw new KilnError(
      'TYPE',
      `${quoted(name)} is file ${no + 1} of a set of ${count}, and does not end in ` +
        `-${digits(no + 1)}-of-${digits(count)}.gguf, by which the others are found`,
    )
  }
  const [, prefix, number, of] = match as unknown as [string, string, string, string]
  if (Number(of) !== count) {
    throw new KilnError(
      'TYPE',
      `${quoted(name)} is of ${Number(of)} files by its name, and of ${count} by its ${COUNT}`,
    )
  }
  if (Number(number) !== no + 1) {
    throw new KilnError(
      'TYPE',
      `${quoted(name)} is file ${Number(number)} by its name, and ${no + 1} by its ${NO}, which counts from 0`,
    )
  }
  return namesOf(prefix, count)
}

/** The names of a set of `count` files, in order. */
export function namesOf(set: string, count: number): string[] {
  return Array.from({ length: count }, (_, i) => `${set}-${digits(i + 1)}-of-${digits(count)}.gguf`)
}

function digits(n: number): string {
  return String(n).padStart(5, '0')
}

/** A file of a set that is open, with its name. */
export interface GgufFile {
  readonly name: string
  readonly head: GgufHead
}

/** That a file of a set is the one of this number, of the same set; else `TYPE`. */
export function checkSame(head: GgufHead, index: number, split: Split): void {
  const own = splitOf(head)
  if (own === undefined)
    throw new KilnError('TYPE', `this file is of no set, and by its name it is of one of ${split.count}`)
  if (own.count !== split.count || own.tensors !== split.tensors) {
    throw new KilnError(
      'TYPE',
      `${COUNT} is ${own.count} and ${TENSORS} ${own.tensors}; ` +
        `in the file that was named they are ${split.count} and ${split.tensors}`,
    )
  }
  if (own.no !== index)
    throw new KilnError('TYPE', `${NO} is ${own.no}, counted from 0; by its name the file is ${index}`)
}

/** That the files together have as many tensors as each says, and none twice; else `TYPE`. */
export function checkWhole(files: readonly GgufFile[], split: Split): void {
  const names = new Map<string, string>()
  for (const { head, name: file } of files) {
    for (const { name } of head.infos) {
      const other = names.get(name)
      if (other !== undefined)
        throw new KilnError('TYPE', `tensor ${quoted(name)} is in ${quoted(other)} and in ${quoted(file)}`)
      names.set(name, file)
    }
  }
  if (names.size !== split.tensors) {
    throw new KilnError('TYPE', `the set has ${names.size} tensors, and by ${TENSORS} it should have ${split.tensors}`)
  }
}
