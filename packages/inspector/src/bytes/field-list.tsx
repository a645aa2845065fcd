import { useEffect, useRef, useState } from 'preact/hooks'
import type { Span } from 'kiln-format/walk'
import { bytesText, hexText, shown } from '../ui/format.js'
import { useVirtualRows } from '../ui/virtual-list.js'
import { KIND_NAMES } from './kinds.js'
import { valueText } from './value-text.js'

const ROW = 30

interface Props {
  readonly parts: readonly Span[]
  readonly fields: readonly Span[]
  readonly selected: Span | undefined
  onGo(offset: number): void
}

/** The parts of the file, or the fields about where one is: a click shows the bytes. */
export function FieldList({ parts, fields, selected, onGo }: Props) {
  const [which, setWhich] = useState<'parts' | 'fields'>('parts')
  return (
    <div class="field-list">
      <div class="buttons" role="group" aria-label="List">
        <button type="button" class="quiet" aria-pressed={which === 'parts'} onClick={() => setWhich('parts')}>
          Parts
        </button>
        <button type="button" class="quiet" aria-pressed={which === 'fields'} onClick={() => setWhich('fields')}>
          Fields here
        </button>
      </div>
      <SpanList
        key={which}
        spans={which === 'parts' ? parts : fields}
        label={which === 'parts' ? 'Parts of the file' : 'Fields near the byte'}
        selected={selected}
        onGo={onGo}
      />
    </div>
  )
}

function SpanList({
  spans,
  label,
  selected,
  onGo,
}: {
  readonly spans: readonly Span[]
  readonly label: string
  readonly selected: Span | undefined
  readonly onGo: (offset: number) => void
}) {
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualRows(scroller, spans.length, ROW)
  const at = selected === undefined ? -1 : indexAt(spans, selected.offset)
  useEffect(() => {
    if (at >= 0) virtual.scrollTo(at)
  }, [at, spans])
  const move = (to: number): void => {
    const span = spans[Math.min(Math.max(to, 0), spans.length - 1)]
    if (span !== undefined) onGo(span.offset)
  }
  return (
    <div
      class="span-list"
      ref={scroller}
      role="listbox"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={at < 0 ? undefined : `span-${at}`}
      onKeyDown={(event) => {
        const to = {
          ArrowDown: at + 1,
          ArrowUp: at - 1,
          Home: 0,
          End: spans.length - 1,
          PageDown: at + 10,
          PageUp: at - 10,
        }[event.key]
        if (to === undefined) return
        event.preventDefault()
        move(to)
      }}
    >
      <div role="presentation" style={{ height: `${virtual.height}px` }} class="grid-rows">
        {virtual.items.map(({ index, start }) => {
          const span = spans[index]!
          return (
            <div
              key={index}
              id={`span-${index}`}
              role="option"
              aria-selected={index === at}
              class={`span-row${index === at ? ' active' : ''}`}
              style={{ transform: `translateY(${start}px)` }}
              onClick={() => onGo(span.offset)}
            >
              <i class={`swatch k-${span.kind}`} aria-hidden="true" />
              <span class="mono clip grow" dir="auto">
                {titleOf(span)}
              </span>
              <span class="quiet-text number">
                {span.length < 1024 ? hexText(span.offset, 1) : bytesText(span.length)}
              </span>
            </div>
          )
        })}
      </div>
    </div>
  )
}

/** The last span that begins at or before a byte. */
function indexAt(spans: readonly Span[], offset: number): number {
  let low = 0
  let high = spans.length
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (spans[middle]!.offset <= offset) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** A span in a few words: where it is, or else what it is, and what it says if that is short. */
export function titleOf(span: Span): string {
  const name = span.path === '' ? KIND_NAMES[span.kind] : span.path
  if (span.kind === 'padding' || span.kind === 'count' || span.kind === 'length')
    return shown(`${name} · ${KIND_NAMES[span.kind]}`)
  const value = valueText(span, 24)
  if (value === '') return shown(name)
  return shown(span.value === undefined ? `${name} · ${value}` : `${name} = ${value}`)
}
