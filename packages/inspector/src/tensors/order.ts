import type { TensorList } from '../model/opened-file.js'

/** What the list of tensors can be sorted by. */
export const COLUMNS = ['name', 'dtype', 'shape', 'bytes', 'offset'] as const
export type Column = (typeof COLUMNS)[number]

export interface Sorting {
  readonly column: Column
  readonly descending: boolean
}

export function parseSorting(text: string | undefined): Sorting | undefined {
  const descending = text?.startsWith('-') === true
  const column = COLUMNS.find((name) => name === (descending ? text?.slice(1) : text))
  return column === undefined ? undefined : { column, descending }
}

/** What a click on a heading makes of the sorting: upwards, downwards, the file's order. */
export function nextSorting(now: Sorting | undefined, column: Column): string | undefined {
  if (now?.column !== column) return column
  return now.descending ? undefined : `-${column}`
}

/**
 * Whether a tensor is one that is searched for: every word stands in its name, dtype or shape (`128x64`), whatever
 * the case.
 */
export function matcher(find: string, tensors: TensorList): (index: number) => boolean {
  const words = find.toLowerCase().split(/\s+/).filter((word) => word !== '')
  if (words.length === 0) return () => true
  return (index) => {
    const name = tensors.names[index]!.toLowerCase()
    return words.every((word) => {
      if (name.includes(word)) return true
      const { dtype, shape } = tensors.at(index)
      return dtype.includes(word) || shape.join('x') === word.replace(/[×*]/g, 'x')
    })
  }
}

/** The tensors that are searched for, in the order asked for. Sorting is stable: ties stay in the file's order. */
export function arranged(tensors: TensorList, find: string, sorting: Sorting | undefined): Int32Array {
  const matches = matcher(find, tensors)
  const found: number[] = []
  for (let i = 0; i < tensors.length; i++) if (matches(i)) found.push(i)
  if (sorting !== undefined) {
    const compare = comparison(tensors, sorting.column)
    const sign = sorting.descending ? -1 : 1
    found.sort((a, b) => sign * compare(a, b))
  }
  return Int32Array.from(found)
}

// Numbers within names go by their value: layer 2 before layer 10.
const names = new Intl.Collator('en', { numeric: true, sensitivity: 'variant' })

function comparison(tensors: TensorList, column: Column): (a: number, b: number) => number {
  switch (column) {
    case 'name':
      return (a, b) => names.compare(tensors.names[a]!, tensors.names[b]!)
    case 'dtype': {
      const dtypes = tensors.names.map((_, i) => tensors.at(i).dtype)
      return (a, b) => (dtypes[a]! < dtypes[b]! ? -1 : dtypes[a]! > dtypes[b]! ? 1 : 0)
    }
    case 'shape': {
      const elements = Float64Array.from(tensors.names, (_, i) => tensors.at(i).elements)
      return (a, b) => elements[a]! - elements[b]!
    }
    case 'bytes': {
      const bytes = Float64Array.from(tensors.names, (_, i) => tensors.at(i).byteLength)
      return (a, b) => bytes[a]! - bytes[b]!
    }
    case 'offset': {
      const offsets = Float64Array.from(tensors.names, (_, i) => tensors.at(i).fileOffset ?? i)
      return (a, b) => offsets[a]! - offsets[b]!
    }
  }
}
