import { useMemo, useRef, useState } from 'preact/hooks'
import { tensorKey, tensorTitle } from './naming.js'
import { navigate } from '../app/route.js'
import { familyOf } from '../model/dtype-groups.js'
import type { OpenedFile } from '../model/opened-file.js'
import { countText, hexText, plural, shapeText, shown } from '../ui/format.js'
import { SearchBox, Size } from '../ui/parts.js'
import { useVirtualRows } from '../ui/virtual-list.js'
import { nameTree, treeRows, type TreeRow } from './name-tree.js'
import { arranged, nextSorting, parseSorting, type Column, type Sorting } from './order.js'

const ROW = 34
/** A tree pays where there is something to fold. */
const FEW = 12

const HEADINGS: readonly { readonly column: Column; readonly title: string; readonly right?: boolean }[] = [
  { column: 'name', title: 'Name' },
  { column: 'dtype', title: 'Dtype' },
  { column: 'shape', title: 'Shape' },
  { column: 'bytes', title: 'Bytes', right: true },
  { column: 'offset', title: 'Offset', right: true },
]

interface Props {
  readonly file: OpenedFile
  readonly find: string
  readonly sort: string | undefined
  readonly selected: number | undefined
}

/** The list of tensors: a tree by the parts of their names, or flat where it is sorted. */
export function TensorGrid(props: Props) {
  const { file, find, selected } = props
  const { tensors } = file
  const sorting = parseSorting(props.sort)
  const [flat, setFlat] = useState(tensors.length < FEW)
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(pathTo(file, selected)))
  const indexes = useMemo(() => arranged(tensors, find, sorting), [tensors, find, props.sort])
  const asTree = !flat && sorting === undefined
  const root = useMemo(() => (asTree ? nameTree(tensors, indexes) : undefined), [asTree, tensors, indexes])
  const rows = useMemo(
    () => (root === undefined ? undefined : treeRows(tensors, root, open, find !== '')),
    [root, open, find, tensors],
  )
  const count = rows?.length ?? indexes.length
  const rowAt = (i: number): TreeRow => {
    const index = indexes[i]!
    return rows?.[i] ?? { type: 'tensor', index, label: tensors.names[index]!, level: 1, place: i + 1, among: count }
  }
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualRows(scroller, count, ROW, ROW)
  const [active, setActive] = useState(0)
  const at = Math.min(active, Math.max(count - 1, 0))

  function toggle(prefix: string, wanted?: boolean): void {
    const next = new Set(open)
    if (wanted ?? !next.has(prefix)) next.add(prefix)
    else next.delete(prefix)
    setOpen(next)
  }

  function choose(row: TreeRow): void {
    if (row.type === 'group') toggle(row.group.prefix)
    else
      navigate({
        view: 'tensors',
        tensor: tensorKey(tensors.names[row.index]!, row.index),
        axes: undefined,
        at: undefined,
        pan: undefined,
      })
  }

  function move(to: number): void {
    const next = Math.min(Math.max(to, 0), count - 1)
    setActive(next)
    virtual.scrollTo(next)
  }

  function onKey(event: KeyboardEvent): void {
    // Keys that are pressed on a heading are the heading's.
    if (event.target !== event.currentTarget || count === 0 || event.ctrlKey || event.metaKey || event.altKey) return
    const row = rowAt(at)
    const page = Math.max(Math.floor((scroller.current?.clientHeight ?? ROW) / ROW) - 2, 1)
    const moves: Readonly<Record<string, () => void>> = {
      ArrowDown: () => move(at + 1),
      ArrowUp: () => move(at - 1),
      PageDown: () => move(at + page),
      PageUp: () => move(at - page),
      Home: () => move(0),
      End: () => move(count - 1),
      Enter: () => choose(row),
      ' ': () => choose(row),
      ArrowRight: () => (row.type === 'group' && !row.open ? toggle(row.group.prefix, true) : move(at + 1)),
      ArrowLeft: () => {
        if (row.type === 'group' && row.open) toggle(row.group.prefix, false)
        else move(parentOf(rowAt, at))
      },
    }
    const go = moves[event.key]
    if (go === undefined) return
    event.preventDefault()
    go()
  }

  return (
    <div class="tensor-list">
      <div class="toolbar">
        <SearchBox value={find} label="Search name, dtype or shape" onFind={(text) => navigate({ find: text }, true)} />
        <span class="quiet-text number" role="status">
          {find === ''
            ? plural(tensors.length, 'tensor')
            : `${countText(indexes.length)} of ${countText(tensors.length)}`}
        </span>
        <button
          type="button"
          class="quiet"
          aria-pressed={asTree}
          onClick={() => {
            setFlat(asTree)
            navigate({ sort: undefined }, true)
          }}
        >
          Tree
        </button>
      </div>
      <div
        class="grid"
        ref={scroller}
        role={asTree ? 'treegrid' : 'grid'}
        aria-label="Tensors"
        aria-rowcount={count + 1}
        aria-colcount={5}
        tabIndex={0}
        aria-activedescendant={count === 0 ? undefined : `row-${at}`}
        onKeyDown={onKey}
      >
        <div class="grid-rows" role="presentation" style={{ height: `${virtual.height}px` }}>
          <div class="grid-head" role="row" aria-rowindex={1}>
            {HEADINGS.map(({ column, title, right }) => (
              <div
                key={column}
                role="columnheader"
                class={`cell cell-${column}${right === true ? ' right' : ''}`}
                aria-sort={ariaSort(sorting?.column === column ? sorting.descending : undefined)}
              >
                <button
                  type="button"
                  class="heading"
                  onClick={() => navigate({ sort: nextSorting(sorting, column) }, true)}
                >
                  {title}
                  <span aria-hidden="true">{arrow(sorting, column)}</span>
                </button>
              </div>
            ))}
          </div>
          {virtual.items.map(({ index: i, start }) => {
            const row = rowAt(i)
            const isChosen = row.type === 'tensor' && row.index === selected
            return (
              <div
                key={i}
                id={`row-${i}`}
                role="row"
                class={`grid-row${i === at ? ' active' : ''}${isChosen ? ' selected' : ''}`}
                style={{ transform: `translateY(${start}px)` }}
                aria-rowindex={i + 2}
                aria-selected={isChosen}
                {...(asTree ? { 'aria-level': row.level, 'aria-posinset': row.place, 'aria-setsize': row.among } : {})}
                {...(row.type === 'group' ? { 'aria-expanded': row.open } : {})}
                onClick={() => {
                  setActive(i)
                  choose(row)
                }}
              >
                {row.type === 'group' ? (
                  <GroupCells row={row} />
                ) : (
                  <TensorCells file={file} row={row} inTree={asTree} />
                )}
              </div>
            )
          })}
        </div>
      </div>
      {count === 0 ? <p class="empty">No tensor is found.</p> : null}
    </div>
  )
}

function arrow(sorting: Sorting | undefined, column: Column): string {
  if (sorting?.column !== column) return ''
  return sorting.descending ? ' ↓' : ' ↑'
}

function ariaSort(descending: boolean | undefined): 'none' | 'ascending' | 'descending' {
  return descending === undefined ? 'none' : descending ? 'descending' : 'ascending'
}

/** The row of the group that a row is in. */
function parentOf(rowAt: (i: number) => TreeRow, at: number): number {
  const { level } = rowAt(at)
  for (let i = at - 1; i >= 0; i--) if (rowAt(i).level < level) return i
  return at
}

/** The groups that are to be open for a tensor to be seen. */
function pathTo({ tensors }: OpenedFile, selected: number | undefined): string[] {
  if (selected === undefined) return []
  const name = tensors.names[selected] ?? ''
  const prefixes: string[] = []
  for (let i = 1; i < name.length - 1; i++) if (name[i] === '.' || name[i] === '/') prefixes.push(name.slice(0, i + 1))
  return prefixes
}

function GroupCells(props: { readonly row: Extract<TreeRow, { type: 'group' }> }) {
  const { group, level, open } = props.row
  return (
    <>
      <div role="gridcell" class="cell cell-name mono" style={{ paddingInlineStart: `${indent(level)}px` }}>
        <span class={`twist${open ? ' open' : ''}`} aria-hidden="true" />
        <bdi>{shown(group.label)}</bdi>
      </div>
      <div role="gridcell" class="cell cell-dtype quiet-text number">
        {plural(group.count, 'tensor')}
      </div>
      <div role="gridcell" class="cell cell-shape" />
      <div role="gridcell" class="cell cell-bytes right number quiet-text">
        <Size bytes={group.bytes} />
      </div>
      <div role="gridcell" class="cell cell-offset" />
    </>
  )
}

function indent(level: number): number {
  return 10 + (level - 1) * 16
}

function TensorCells(props: {
  readonly file: OpenedFile
  readonly row: Extract<TreeRow, { type: 'tensor' }>
  readonly inTree: boolean
}) {
  const { index, label, level } = props.row
  const { name, dtype, shape, byteLength, fileOffset, scheme } = props.file.tensors.at(index)
  return (
    <>
      <div
        role="gridcell"
        class="cell cell-name mono"
        style={{ paddingInlineStart: `${indent(level) + (props.inTree ? 17 : 6)}px` }}
        title={shown(name)}
      >
        {name === '' ? <i class="quiet-text">{tensorTitle(name, index)}</i> : <bdi>{shown(label)}</bdi>}
      </div>
      <div role="gridcell" class="cell cell-dtype">
        <span class="dtype">
          <i class={`dot family-${familyOf(dtype)}`} aria-hidden="true" />
          {dtype}
        </span>
        {scheme === 0 ? null : (
          <span class="chip" title="quantized: linked to its scales">
            ×
          </span>
        )}
      </div>
      <div role="gridcell" class="cell cell-shape number">
        {shapeText(shape)}
      </div>
      <div role="gridcell" class="cell cell-bytes right number">
        <Size bytes={byteLength} />
      </div>
      <div role="gridcell" class="cell cell-offset right number quiet-text">
        {fileOffset === undefined ? '' : `0x${hexText(fileOffset, 1)}`}
      </div>
    </>
  )
}
