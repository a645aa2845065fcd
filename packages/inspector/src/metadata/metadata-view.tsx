import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { navigate, type Route } from '../app/route.js'
import type { OpenedFile } from '../model/opened-file.js'
import { countText, plural, shortened, shown, shownLines } from '../ui/format.js'
import { CopyButton, SearchBox } from '../ui/parts.js'
import { useVirtualRows } from '../ui/virtual-list.js'

const ROW = 34
/** Longer values are shown as far as this; copying takes all. */
const MOST_SHOWN = 200_000

/** Keys and values of the file's metadata. */
export function MetadataView({ file, route }: { readonly file: OpenedFile; readonly route: Route }) {
  const find = route.find ?? ''
  const entries = useMemo(() => {
    const words = find
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '')
    return [...file.metadata].filter(([key, value]) =>
      words.every((word) => key.toLowerCase().includes(word) || value.toLowerCase().includes(word)),
    )
  }, [file, find])
  const [active, setActive] = useState(0)
  useEffect(() => setActive(0), [entries])
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualRows(scroller, entries.length, ROW)
  const chosen = entries[active]
  const move = (to: number): void => {
    const next = Math.min(Math.max(to, 0), entries.length - 1)
    setActive(next)
    virtual.scrollTo(next)
  }
  return (
    <div class="metadata-view">
      <h1 class="visually-hidden">Metadata</h1>
      <div class="metadata-list">
        <div class="toolbar">
          <SearchBox value={find} label="Search keys and values" onFind={(text) => navigate({ find: text }, true)} />
          <span class="quiet-text number" role="status">
            {find === ''
              ? plural(entries.length, 'entry', 'entries')
              : `${countText(entries.length)} of ${countText(file.metadata.size)}`}
          </span>
        </div>
        <div
          class="listbox"
          ref={scroller}
          role="listbox"
          aria-label="Metadata"
          tabIndex={0}
          aria-activedescendant={chosen === undefined ? undefined : `entry-${active}`}
          onKeyDown={(event) => {
            const to = {
              ArrowDown: active + 1,
              ArrowUp: active - 1,
              Home: 0,
              End: entries.length - 1,
              PageDown: active + 10,
              PageUp: active - 10,
            }[event.key]
            if (to === undefined) return
            event.preventDefault()
            move(to)
          }}
        >
          <div role="presentation" class="grid-rows" style={{ height: `${virtual.height}px` }}>
            {virtual.items.map(({ index, start }) => {
              const [key, value] = entries[index]!
              return (
                <div
                  key={index}
                  id={`entry-${index}`}
                  role="option"
                  aria-selected={index === active}
                  class={`entry-row${index === active ? ' active' : ''}`}
                  style={{ transform: `translateY(${start}px)` }}
                  onClick={() => setActive(index)}
                >
                  <span class="mono key clip">
                    <bdi>{shown(shortened(key, 160))}</bdi>
                  </span>
                  <span class="mono clip quiet-text">
                    <bdi>{shown(shortened(value, 160))}</bdi>
                  </span>
                </div>
              )
            })}
          </div>
        </div>
        {entries.length === 0 ? <p class="empty">Nothing is found.</p> : null}
      </div>
      {chosen === undefined ? null : <Entry name={chosen[0]} value={chosen[1]} />}
    </div>
  )
}

function Entry({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <section class="entry" aria-live="polite">
      <div class="section-head">
        <h2 class="mono" dir="auto">
          {shown(name)}
        </h2>
        <CopyButton text={() => value} what="value" />
      </div>
      <p class="quiet-text small number">
        {plural(value.length, 'character')}
        {value.length > MOST_SHOWN ? `; the first ${countText(MOST_SHOWN)} are shown` : ''}
      </p>
      <pre class="box" tabIndex={0} dir="auto" aria-label="Value">
        {shownLines(shortened(value, MOST_SHOWN))}
      </pre>
    </section>
  )
}
