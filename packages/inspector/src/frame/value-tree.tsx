import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { ByteSource } from 'kiln-format'
import { go } from '../app/link.js'
import { linkTo, navigate } from '../app/route.js'
import { valueText } from '../bytes/value-text.js'
import { faultOf } from '../model/fault.js'
import { bytesText, hexText, plural, shortened, shown } from '../ui/format.js'
import { useVirtualRows } from '../ui/virtual-list.js'
import { canOpen, partsOf, type Parts, type ValueNode } from './value-node.js'

const ROW = 30

/** A part of the tree that is open, with the parts that have come. */
interface Branch {
  readonly parts: readonly ValueNode[]
  readonly next: number | undefined
  readonly busy: boolean
  readonly error: string | undefined
}

type Row =
  | {
      readonly type: 'node'
      readonly id: string
      readonly node: ValueNode
      readonly level: number
      readonly open: boolean
      readonly place: number
      readonly among: number
    }
  | {
      readonly type: 'more' | 'busy' | 'fault'
      readonly id: string
      readonly of: string
      readonly level: number
      readonly text: string
      readonly place: number
      readonly among: number
    }

interface Props {
  readonly source: ByteSource
  readonly root: ValueNode
  /** Called with a value that has no parts when it is chosen. */
  onChoose(node: ValueNode): void
}

/** A value as a tree whose parts are read when they are opened. */
export function ValueTree({ source, root, onChoose }: Props) {
  const [branches, setBranches] = useState<ReadonlyMap<string, Branch>>(new Map())
  const [active, setActive] = useState(0)
  const abort = useMemo(() => new AbortController(), [source, root])
  useEffect(() => () => abort.abort(), [abort])
  useEffect(() => {
    setBranches(new Map())
    setActive(0)
    load('0', root)
  }, [abort])

  function put(id: string, branch: Branch): void {
    setBranches((before) => new Map(before).set(id, branch))
  }

  function load(id: string, node: ValueNode, after?: Branch): void {
    const parts = after?.parts ?? []
    put(id, { parts, next: undefined, busy: true, error: undefined })
    partsOf(source, node, parts.length, after?.next, abort.signal).then(
      (more: Parts) => put(id, { parts: [...parts, ...more.nodes], next: more.next, busy: false, error: undefined }),
      (error: unknown) => {
        if (!abort.signal.aborted) put(id, { parts, next: undefined, busy: false, error: faultOf(error).detail })
      },
    )
  }

  function toggle(row: Row, wanted?: boolean): void {
    if (row.type === 'more') {
      const found = nodeAt(root, branches, row.of)
      const branch = branches.get(row.of)
      if (found !== undefined && branch !== undefined) load(row.of, found, branch)
      return
    }
    if (row.type === 'node' && !canOpen(row.node)) onChoose(row.node)
    if (row.type !== 'node' || !canOpen(row.node) || (wanted ?? !row.open) === row.open) return
    if (!row.open) load(row.id, row.node)
    else setBranches((before) => new Map([...before].filter(([id]) => id !== row.id && !id.startsWith(`${row.id}.`))))
  }

  const rows = useMemo(() => rowsOf(root, branches), [root, branches])
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualRows(scroller, rows.length, ROW)
  const at = Math.min(active, rows.length - 1)
  const move = (to: number): void => {
    const next = Math.min(Math.max(to, 0), rows.length - 1)
    setActive(next)
    virtual.scrollTo(next)
  }

  function onKeyDown(event: KeyboardEvent): void {
    const row = rows[at]
    if (row === undefined || event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey)
      return
    const keys: Readonly<Record<string, () => void>> = {
      ArrowDown: () => move(at + 1),
      ArrowUp: () => move(at - 1),
      Home: () => move(0),
      End: () => move(rows.length - 1),
      PageDown: () => move(at + 10),
      PageUp: () => move(at - 10),
      Enter: () => toggle(row),
      ' ': () => toggle(row),
      ArrowRight: () => (row.type === 'node' && !row.open && canOpen(row.node) ? toggle(row, true) : move(at + 1)),
      ArrowLeft: () => (row.type === 'node' && row.open ? toggle(row, false) : move(parentOf(rows, at))),
      b: () => {
        if (row.type === 'node') navigate({ view: 'bytes', byte: String(row.node.offset) })
      },
    }
    const act = keys[event.key]
    if (act === undefined) return
    event.preventDefault()
    act()
  }

  return (
    <div
      class="value-tree"
      ref={scroller}
      role="tree"
      aria-label="Value. Enter opens and closes, B shows the bytes."
      tabIndex={0}
      aria-activedescendant={rows.length === 0 ? undefined : `value-${at}`}
      onKeyDown={onKeyDown}
    >
      <div role="presentation" class="grid-rows" style={{ height: `${virtual.height}px` }}>
        {virtual.items.map(({ index, start }) => {
          const row = rows[index]!
          return (
            <div
              key={row.id}
              id={`value-${index}`}
              role="treeitem"
              class={`value-row${index === at ? ' active' : ''}`}
              style={{ transform: `translateY(${start}px)`, paddingInlineStart: `${8 + (row.level - 1) * 18}px` }}
              aria-level={row.level}
              aria-posinset={row.place}
              aria-setsize={row.among}
              aria-selected={index === at}
              {...(row.type === 'node' && canOpen(row.node) ? { 'aria-expanded': row.open } : {})}
              onClick={() => {
                setActive(index)
                toggle(row)
              }}
            >
              {row.type === 'node' ? (
                <NodeRow row={row} />
              ) : (
                <span class={row.type === 'fault' ? 'fault-text' : 'quiet-text'}>{row.text}</span>
              )}
            </div>
          )
        })}
      </div>
    </div>
  )
}

function NodeRow({ row }: { readonly row: Extract<Row, { type: 'node' }> }) {
  const { node, open } = row
  const { label, schema, span, offset, length, fault } = node
  const change = { view: 'bytes', byte: String(offset) } as const
  const none = schema.kind === 'option' && length === 1
  const value =
    fault ?? (none ? 'none' : schema.kind === 'struct' ? plural(schema.names.length, 'field') : valueText(span, 160))
  return (
    <>
      {canOpen(node) ? (
        <span class={`twist${open ? ' open' : ''}`} aria-hidden="true" />
      ) : (
        <span class="twist none" aria-hidden="true" />
      )}
      <span class="mono label">
        <bdi>{shown(shortened(label, 120))}</bdi>
      </span>
      <span class="type quiet-text mono clip">{shown(shortened(schema.text, 60))}</span>
      <span class={`mono clip grow${fault === undefined ? '' : ' fault-text'}`}>
        <bdi>{shown(value)}</bdi>
      </span>
      <span class="quiet-text number">{bytesText(length)}</span>
      <a
        class="number"
        tabIndex={-1}
        aria-label={`0x${hexText(offset, 1)}: show the bytes`}
        href={linkTo(change)}
        onClick={(event) => {
          event.stopPropagation()
          go(change)(event)
        }}
      >
        0x{hexText(offset, 1)}
      </a>
    </>
  )
}

function rowsOf(root: ValueNode, branches: ReadonlyMap<string, Branch>): Row[] {
  const rows: Row[] = []
  function add(id: string, node: ValueNode, level: number, place: number, among: number): void {
    const branch = branches.get(id)
    rows.push({ type: 'node', id, node, level, open: branch !== undefined, place, among })
    if (branch === undefined) return
    const { parts, next, busy, error } = branch
    const extra = (type: 'more' | 'busy' | 'fault', text: string): void => {
      rows.push({
        type,
        id: `${id}.${type}`,
        of: id,
        level: level + 1,
        text,
        place: parts.length + 1,
        among: parts.length + 1,
      })
    }
    parts.forEach((part, i) => add(`${id}.${i}`, part, level + 1, i + 1, parts.length))
    if (busy) extra('busy', 'Reading…')
    else if (error !== undefined) extra('fault', error)
    else if (next !== undefined) extra('more', 'Show more')
  }
  add('0', root, 1, 1, 1)
  return rows
}

function nodeAt(root: ValueNode, branches: ReadonlyMap<string, Branch>, id: string): ValueNode | undefined {
  let node: ValueNode | undefined = root
  const steps = id.split('.')
  for (let i = 1; i < steps.length; i++) node = branches.get(steps.slice(0, i).join('.'))?.parts[Number(steps[i])]
  return node
}

function parentOf(rows: readonly Row[], at: number): number {
  const level = rows[at]?.level ?? 1
  for (let i = at - 1; i >= 0; i--) if (rows[i]!.level < level) return i
  return at
}
