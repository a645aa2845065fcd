import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Span } from 'kiln-format/walk'
import { navigate, type Route } from '../app/route.js'
import { faultOf } from '../model/fault.js'
import type { OpenedFile } from '../model/opened-file.js'
import { countText, hexText } from '../ui/format.js'
import { Busy, Notice } from '../ui/parts.js'
import { useTask } from '../ui/use-task.js'
import { FieldList } from './field-list.js'
import { HexGrid } from './hex-grid.js'
import { KIND_NAMES, LEGEND } from './kinds.js'
import { MapStrip } from './map-strip.js'
import { SpanDetails } from './span-details.js'
import { ByteMap } from './span-windows.js'

/** The bytes of the file, each with what it is. */
export function BytesView({ file, route }: { readonly file: OpenedFile; readonly route: Route }) {
  const map = useMemo(() => new ByteMap(file.source, file.frames.length > 0), [file])
  const byte = Math.min(parseByte(route.byte) ?? 0, Math.max(file.size - 1, 0))
  const parts = useTask(() => map.parts(), [map])
  const window = useTask(() => map.windowAt(byte), [map, Math.floor(byte / 16_384)])
  const span = useTask(() => map.spanAt(byte), [map, byte])
  const [seen, setSeen] = useState<Span | undefined>(undefined)
  useEffect(() => {
    if (span.state === 'done') setSeen(span.value)
  }, [span])
  const goTo = (offset: number): void => navigate({ byte: String(offset) }, true)
  if (file.size === 0)
    return (
      <div class="page">
        <p class="empty">The file is empty.</p>
      </div>
    )
  return (
    <div class="bytes-view">
      <h1 class="visually-hidden">Bytes</h1>
      <div class="bytes-top">
        <GoTo byte={byte} size={file.size} onGo={goTo} />
        {parts.state === 'done' ? (
          <MapStrip parts={parts.value} size={file.size} byte={byte} onGo={goTo} />
        ) : (
          <Busy what="Mapping the file…" />
        )}
        <ul class="kinds" aria-label="Colours">
          {LEGEND.map((kind) => (
            <li key={kind}>
              <i class={`swatch k-${kind}`} aria-hidden="true" />
              {KIND_NAMES[kind]}
            </li>
          ))}
        </ul>
      </div>
      {parts.state === 'failed' ? (
        <Notice kind="fault" title="The bytes can’t be read">
          {faultOf(parts.error).detail}
        </Notice>
      ) : null}
      {window.state === 'failed' ? (
        <Notice kind="fault" title="The bytes can’t be read">
          {faultOf(window.error).detail}
        </Notice>
      ) : null}
      <div class="bytes-columns">
        <FieldList
          parts={parts.state === 'done' ? parts.value : []}
          fields={window.state === 'done' ? window.value.spans : []}
          selected={seen}
          onGo={goTo}
        />
        <HexGrid map={map} byte={byte} selected={seen} onGo={goTo} />
        <SpanDetails file={file} span={seen} byte={byte} onGo={goTo} />
      </div>
    </div>
  )
}

/** A byte's place as people write it: `4096`, `4,096`, `0x1000`. */
export function parseByte(text: string | undefined): number | undefined {
  const plain = (text ?? '').replace(/[,_\s]/g, '')
  if (!/^(\d+|0x[0-9a-f]+)$/i.test(plain)) return undefined
  const byte = Number(plain)
  return Number.isSafeInteger(byte) ? byte : undefined
}

function GoTo({
  byte,
  size,
  onGo,
}: {
  readonly byte: number
  readonly size: number
  readonly onGo: (offset: number) => void
}) {
  const [text, setText] = useState<string | undefined>(undefined)
  const given = text === undefined ? undefined : parseByte(text)
  const wrong = text !== undefined && text !== '' && (given === undefined || given >= size)
  return (
    <form
      class="go-to"
      onSubmit={(event) => {
        event.preventDefault()
        if (given !== undefined && given < size) onGo(given)
        setText(undefined)
      }}
    >
      <label for="go-to">Byte</label>
      <input
        id="go-to"
        class="mono"
        inputmode="text"
        spellcheck={false}
        autocomplete="off"
        value={text ?? `0x${hexText(byte, 1)}`}
        aria-invalid={wrong}
        onFocus={(event) => event.currentTarget.select()}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit">Go</button>
      <span class="quiet-text number">{wrong ? `from 0 to ${countText(size - 1)}` : `of ${countText(size)}`}</span>
    </form>
  )
}
