import type { TensorList } from '../model/opened-file.js'

/** Tensors whose names begin alike. */
export interface NameGroup {
  /** The parts of the names that they share, and the dot: `model.layers.`. */
  readonly prefix: string
  /** What of the prefix is this group's own: `layers.`. */
  readonly label: string
  readonly groups: Map<string, NameGroup>
  /** Tensors that stand right in this group. */
  readonly tensors: number[]
  /** All tensors below. */
  count: number
  bytes: number
}

function groupOf(prefix: string, label: string): NameGroup {
  return { prefix, label, groups: new Map(), tensors: [], count: 0, bytes: 0 }
}

/** Groups tensors by the parts of their names, which `.` and `/` set apart. A group of a group alone is one with it. */
export function nameTree(tensors: TensorList, indexes: Iterable<number>): NameGroup {
  const root = groupOf('', '')
  for (const index of indexes) {
    const name = tensors.names[index]!
    const bytes = tensors.at(index).byteLength
    let group = root
    let start = 0
    for (;;) {
      group.count++
      group.bytes += bytes
      const end = partEnd(name, start)
      if (end === -1) break
      const label = name.slice(start, end)
      let inner = group.groups.get(label)
      if (inner === undefined) {
        inner = groupOf(name.slice(0, end), label)
        group.groups.set(label, inner)
      }
      group = inner
      start = end
    }
    group.tensors.push(index)
  }
  return joined(root)
}

/** Where a part of a name ends, its mark included; −1 in the last part. Marks at the very end make no part. */
function partEnd(name: string, start: number): number {
  for (let i = start; i < name.length - 1; i++) {
    const c = name.charCodeAt(i)
    if ((c === 0x2e || c === 0x2f) && i > start) return i + 1
  }
  return -1
}

/**
 * Without groups of which each has only one other, or one tensor: they say in three rows what one row can say.
 */
function joined(group: NameGroup): NameGroup {
  const groups = new Map<string, NameGroup>()
  for (const [label, inner] of group.groups) {
    if (inner.count === 1) group.tensors.push(onlyOf(inner))
    else groups.set(label, joined(inner))
  }
  if (group.prefix !== '' && groups.size === 1 && group.tensors.length === 0) {
    const [only] = groups.values()
    if (only !== undefined) return { ...only, label: group.label + only.label }
  }
  return { ...group, groups }
}

function onlyOf(group: NameGroup): number {
  const [first] = group.tensors
  if (first !== undefined) return first
  const [inner] = group.groups.values()
  return inner === undefined ? 0 : onlyOf(inner)
}

/** A row of the tree as it is shown. */
export type TreeRow =
  | {
      readonly type: 'group'
      readonly group: NameGroup
      readonly level: number
      readonly open: boolean
      readonly place: number
      readonly among: number
    }
  | {
      readonly type: 'tensor'
      readonly index: number
      readonly label: string
      readonly level: number
      readonly place: number
      readonly among: number
    }

/** The rows of a tree in which the groups of `open` are open; `all` opens every group. */
export function treeRows(tensors: TensorList, root: NameGroup, open: ReadonlySet<string>, all: boolean): TreeRow[] {
  const rows: TreeRow[] = []
  function add(group: NameGroup, level: number): void {
    const among = group.groups.size + group.tensors.length
    let place = 0
    for (const inner of group.groups.values()) {
      const isOpen = all || open.has(inner.prefix)
      rows.push({ type: 'group', group: inner, level, open: isOpen, place: ++place, among })
      if (isOpen) add(inner, level + 1)
    }
    for (const index of group.tensors) {
      rows.push({
        type: 'tensor',
        index,
        label: tensors.names[index]!.slice(group.prefix.length),
        level,
        place: ++place,
        among,
      })
    }
  }
  add(root, 1)
  return rows
}
