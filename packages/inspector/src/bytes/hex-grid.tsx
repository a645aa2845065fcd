import { useEffect, useReducer, useRef } from 'preact/hooks'
import type { Span } from 'kiln-format/walk'
import { countText, hexText } from '../ui/format.js'
import { useWidth } from '../ui/use-size.js'
import { useVirtualRows } from '../ui/virtual-list.js'
import { spanWith, WINDOW, type ByteMap, type ByteWindow } from './span-windows.js'

const ROW = 22
/** Bytes that can be scrolled through: browsers have no boxes for all rows of a file of gigabytes. */
const PAGE = 2 ** 20

interface Props {
  readonly map: ByteMap
  readonly byte: number
  readonly selected: Span | undefined
  onGo(offset: number): void
}

/** Bytes in rows, coloured by what they are. Arrow keys move from byte to byte. */
export function HexGrid({ map, byte, selected, onGo }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const width = useWidth(scroller)
  // Until the width is known nothing is drawn, or rows would change under the reader.
  const perRow = width < 330 ? 4 : width < 560 ? 8 : 16
  const page = byte - (byte % PAGE)
  const length = Math.min(PAGE, map.size - page)
  const rows = Math.ceil(length / perRow)
  const virtual = useVirtualRows(scroller, width === 0 ? 0 : rows, ROW)
  const windows = useWindows(
    map,
    virtual.items.map(({ index }) => page + index * perRow),
  )
  const at = Math.floor((byte - page) / perRow)
  useEffect(() => {
    const target = scroller.current
    if (target === null) return
    const top = at * ROW - target.scrollTop
    const near = top > -4 * ROW && top < target.clientHeight + 4 * ROW
    virtual.scrollTo(at, near ? 'auto' : 'center')
  }, [at, page, perRow])

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const screen = Math.max(Math.floor((scroller.current?.clientHeight ?? ROW) / ROW) - 1, 1) * perRow
    const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -perRow, ArrowDown: perRow, PageUp: -screen, PageDown: screen }[
      event.key
    ]
    const to =
      by !== undefined
        ? byte + by
        : event.key === 'Home'
          ? byte - (byte % perRow)
          : event.key === 'End'
            ? byte - (byte % perRow) + perRow - 1
            : undefined
    if (to === undefined) return
    event.preventDefault()
    onGo(Math.min(Math.max(to, 0), map.size - 1))
  }

  function onClick(event: MouseEvent): void {
    const offset = (event.target as HTMLElement).dataset['byte']
    if (offset !== undefined) onGo(Number(offset))
  }

  const digits = Math.max(map.size.toString(16).length, 6)
  return (
    <div class="hex">
      {map.size <= PAGE ? null : (
        <div class="toolbar">
          <button type="button" class="quiet" disabled={page === 0} onClick={() => onGo(page - PAGE)}>
            ← MiB before
          </button>
          <span class="quiet-text number">
            {countText(page / PAGE + 1)} of {countText(Math.ceil(map.size / PAGE))} MiB
          </span>
          <button type="button" class="quiet" disabled={page + PAGE >= map.size} onClick={() => onGo(page + PAGE)}>
            MiB after →
          </button>
        </div>
      )}
      <div
        class="hex-scroll mono"
        ref={scroller}
        tabIndex={0}
        role="application"
        aria-roledescription="hex view"
        aria-label={`Byte ${countText(byte)}. Arrow keys move from byte to byte.`}
        aria-describedby="span-details"
        onKeyDown={onKeyDown}
        onClick={onClick}
      >
        <div class="grid-rows" aria-hidden="true" style={{ height: `${virtual.height}px` }}>
          {virtual.items.map(({ index, start }) => {
            const offset = page + index * perRow
            const window = windows.get(offset - (offset % WINDOW))
            return (
              <div key={index} class="hex-row" style={{ transform: `translateY(${start}px)` }}>
                <span class="hex-offset">{hexText(offset, digits)}</span>
                {window === undefined ? (
                  <span class="quiet-text">…</span>
                ) : (
                  <HexRow window={window} offset={offset} perRow={perRow} byte={byte} selected={selected} />
                )}
              </div>
            )
          })}
        </div>
      </div>
    </div>
  )
}

function HexRow({
  window,
  offset,
  perRow,
  byte,
  selected,
}: {
  readonly window: ByteWindow
  readonly offset: number
  readonly perRow: number
  readonly byte: number
  readonly selected: Span | undefined
}) {
  const { bytes, spans } = window
  const from = offset - window.offset
  const count = Math.min(perRow, bytes.length - from)
  const cells = []
  let ascii = ''
  let span: Span | undefined
  for (let i = 0; i < count; i++) {
    const place = offset + i
    if (span === undefined || place >= span.offset + span.length) span = spanWith(spans, place)
    const value = bytes[from + i]!
    ascii += value >= 0x20 && value < 0x7f ? String.fromCharCode(value) : '·'
    const inSelected = selected !== undefined && place >= selected.offset && place < selected.offset + selected.length
    const classes = ['b', `k-${span?.kind ?? 'rest'}`]
    if (inSelected) classes.push('in')
    if (place === byte) classes.push('at')
    // A line where one field ends and the next begins.
    if (span?.offset === place && i > 0) classes.push('first')
    cells.push(
      <span key={i} class={classes.join(' ')} data-byte={place}>
        {hexText(value)}
      </span>,
    )
  }
  return (
    <>
      <span class={`hex-cells of-${perRow}`}>{cells}</span>
      <span class="hex-text">{ascii}</span>
    </>
  )
}

/** The windows that rows at these offsets are in, as far as they have come. */
function useWindows(map: ByteMap, offsets: readonly number[]): ReadonlyMap<number, ByteWindow> {
  const [, redraw] = useReducer((n: number) => n + 1, 0)
  const store = useRef<{ map: ByteMap; windows: Map<number, ByteWindow> }>({ map, windows: new Map() })
  if (store.current.map !== map) store.current = { map, windows: new Map() }
  const starts = [...new Set(offsets.map((offset) => offset - (offset % WINDOW)))]
  useEffect(() => {
    let gone = false
    const { windows } = store.current
    for (const start of starts) {
      if (windows.has(start)) continue
      map.windowAt(start).then(
        (window) => {
          windows.set(start, window)
          for (const old of windows.keys()) if (windows.size > 8 && !starts.includes(old)) windows.delete(old)
          if (!gone) redraw(0)
        },
        // The view says what can't be read.
        () => undefined,
      )
    }
    return () => {
      gone = true
    }
  }, [map, starts.join(',')])
  return store.current.windows
}
