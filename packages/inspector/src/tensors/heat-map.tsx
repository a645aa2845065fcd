import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { navigate } from '../app/route.js'
import type { OpenedFile, ViewTensor } from '../model/opened-file.js'
import { faultOf } from '../model/fault.js'
import { countText, roundText } from '../ui/format.js'
import { Notice } from '../ui/parts.js'
import { useWidth } from '../ui/use-size.js'
import { css, drawPicture, type Viewport } from './draw-picture.js'
import { colourOf, INFINITE_COLOUR, NAN_COLOUR, scaleFor, type ColourScale } from './colour-map.js'
import type { PayloadReader } from './payload-reader.js'
import { Readout } from './readout.js'
import { sample, type Picture } from './sample.js'
import { elementAt, type Slice } from './slice.js'

const LOWEST = 72
const HIGHEST = 460
const LARGEST_CELL = 28
const LARGEST_ZOOM = 64

const KEYS = 'Arrow keys move the cursor, plus and minus zoom, 0 fits.'

interface Props {
  readonly file: OpenedFile
  readonly tensor: ViewTensor
  readonly reader: PayloadReader
  readonly slice: Slice
  /** Row, column and pixels a cell, as they stand in the URL. */
  readonly pan: string | undefined
}

interface Cell {
  readonly row: number
  readonly column: number
}

/** A slice as colours; under the pointer, or the cursor that the arrow keys move, its value and bits. */
export function HeatMap({ file, tensor, reader, slice, pan }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const room = useWidth(box)
  const fit = Math.min(room / slice.columns, HIGHEST / slice.rows, LARGEST_CELL)
  const viewport = useMemo(() => parsePan(pan) ?? { row: 0, column: 0, zoom: fit }, [pan, fit])
  // As large as what there is to see, up to the room there is.
  const width = Math.min(Math.ceil(slice.columns * Math.max(viewport.zoom, fit)), room)
  const height = Math.ceil(Math.min(Math.max(slice.rows * Math.max(viewport.zoom, fit), LOWEST), HIGHEST))
  const [cell, setCell] = useState<Cell | undefined>(undefined)
  const { picture, scale, fault } = usePicture(reader, slice, viewport, width, height)

  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (context === null || context === undefined || picture === undefined || scale === undefined) return
    const dpr = devicePixelRatio
    drawPicture(context, picture, { ...viewport, zoom: viewport.zoom * dpr }, scale)
    drawCursor(context, cell, viewport, dpr)
  }, [picture, scale, viewport, cell, width, height])

  const look = useCallback(
    (next: Viewport) => {
      const zoom = Math.min(Math.max(next.zoom, Math.min(fit, 1)), LARGEST_ZOOM)
      const seenRows = Math.min(slice.rows * zoom, HIGHEST) / zoom
      const seenColumns = Math.min(slice.columns * zoom, room) / zoom
      const row = Math.min(Math.max(next.row, 0), slice.rows - seenRows)
      const column = Math.min(Math.max(next.column, 0), slice.columns - seenColumns)
      const text =
        zoom === fit && row === 0 && column === 0
          ? undefined
          : [row, column, zoom].map((n) => Number(n.toFixed(3))).join(',')
      navigate({ pan: text }, true)
    },
    [fit, slice, room],
  )

  /** Zooms so that the point at x, y of the canvas stays where it is. */
  function zoomAt(factor: number, x: number, y: number): void {
    const zoom = Math.min(Math.max(viewport.zoom * factor, Math.min(fit, 1)), LARGEST_ZOOM)
    look({
      row: viewport.row + y / viewport.zoom - y / zoom,
      column: viewport.column + x / viewport.zoom - x / zoom,
      zoom,
    })
  }

  function cellAt(event: { readonly offsetX: number; readonly offsetY: number }): Cell | undefined {
    const row = Math.floor(viewport.row + event.offsetY / viewport.zoom)
    const column = Math.floor(viewport.column + event.offsetX / viewport.zoom)
    return elementAt(slice, row, column) === undefined ? undefined : { row, column }
  }

  const drag = useRef<{ x: number; y: number; from: Viewport } | undefined>(undefined)

  function onPointerMove(event: PointerEvent): void {
    const start = drag.current
    if (start !== undefined && event.buttons !== 0) {
      const { from } = start
      look({
        ...from,
        row: from.row - (event.offsetY - start.y) / from.zoom,
        column: from.column - (event.offsetX - start.x) / from.zoom,
      })
      return
    }
    setCell(cellAt(event))
  }

  function onPointerDown(event: PointerEvent): void {
    drag.current = { x: event.offsetX, y: event.offsetY, from: viewport }
    canvas.current?.setPointerCapture(event.pointerId)
    setCell(cellAt(event))
  }

  useEffect(() => {
    const target = canvas.current
    if (target === null) return undefined
    // Only with Ctrl, or while the map has the focus: else the wheel scrolls the page, as everywhere.
    const onWheel = (event: WheelEvent): void => {
      if (!event.ctrlKey && !event.metaKey && document.activeElement !== target) return
      event.preventDefault()
      zoomAt(2 ** (-event.deltaY / 240), event.offsetX, event.offsetY)
    }
    target.addEventListener('wheel', onWheel, { passive: false })
    return () => target.removeEventListener('wheel', onWheel)
  })

  function moveCursor(rows: number, columns: number): void {
    const from = cell ?? { row: Math.floor(viewport.row), column: Math.floor(viewport.column) }
    const to = cell === undefined ? from : { row: from.row + rows, column: from.column + columns }
    const next = { row: clamp(to.row, slice.rows - 1), column: clamp(to.column, slice.columns - 1) }
    if (elementAt(slice, next.row, next.column) === undefined) return
    setCell(next)
    const seenRows = height / viewport.zoom
    const seenColumns = width / viewport.zoom
    const row = follow(next.row, viewport.row, seenRows)
    const column = follow(next.column, viewport.column, seenColumns)
    if (row !== viewport.row || column !== viewport.column) look({ ...viewport, row, column })
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const step = event.shiftKey ? 10 : 1
    const keys: Readonly<Record<string, () => void>> = {
      ArrowUp: () => moveCursor(-step, 0),
      ArrowDown: () => moveCursor(step, 0),
      ArrowLeft: () => moveCursor(0, -step),
      ArrowRight: () => moveCursor(0, step),
      '+': () => zoomAt(2, width / 2, height / 2),
      '=': () => zoomAt(2, width / 2, height / 2),
      '-': () => zoomAt(0.5, width / 2, height / 2),
      '0': () => navigate({ pan: undefined }, true),
    }
    const act = keys[event.key]
    if (act === undefined) return
    event.preventDefault()
    act()
  }

  const sampled = picture !== undefined && (picture.rowStep > 1 || picture.columnStep > 1)
  const dpr = typeof devicePixelRatio === 'number' ? devicePixelRatio : 1
  return (
    <div class="heat-map" ref={box}>
      <div class="toolbar">
        <div class="buttons" role="group" aria-label="Zoom">
          <button type="button" class="quiet" aria-label="Zoom in" onClick={() => zoomAt(2, width / 2, height / 2)}>
            +
          </button>
          <button type="button" class="quiet" aria-label="Zoom out" onClick={() => zoomAt(0.5, width / 2, height / 2)}>
            −
          </button>
          <button type="button" class="quiet" onClick={() => navigate({ pan: undefined }, true)}>
            Fit
          </button>
        </div>
        {scale === undefined ? null : <Legend scale={scale} picture={picture} />}
      </div>
      {fault === undefined ? null : (
        <Notice kind="fault" title="This slice can’t be drawn">
          {faultOf(fault).detail}
        </Notice>
      )}
      <div class="map-line">
        <canvas
          ref={canvas}
          class="map"
          width={Math.floor(width * dpr)}
          height={Math.floor(height * dpr)}
          style={{ width: `${width}px`, height: `${height}px` }}
          tabIndex={0}
          role="application"
          aria-roledescription="heat map"
          aria-label={`${countText(slice.rows)} rows by ${countText(slice.columns)} columns. ${KEYS}`}
          aria-describedby="readout"
          data-ready={picture !== undefined}
          onPointerMove={onPointerMove}
          onPointerDown={onPointerDown}
          onPointerUp={() => {
            drag.current = undefined
          }}
          onPointerLeave={() => {
            if (drag.current === undefined && document.activeElement !== canvas.current) setCell(undefined)
          }}
          onKeyDown={onKeyDown}
        />
        <Readout file={file} tensor={tensor} reader={reader} slice={slice} cell={cell} />
      </div>
      {!sampled ? null : (
        <p class="quiet-text small">
          Drawn: every {nth(picture.rowStep)} row, every {nth(picture.columnStep)} column. Zoom in for each.
        </p>
      )}
    </div>
  )
}

function nth(step: number): string {
  return step === 1 ? 'single' : `${countText(step)}th`
}

function clamp(value: number, most: number): number {
  return Math.min(Math.max(value, 0), most)
}

/** Where a view of so many cells begins so that one of them is seen. */
function follow(at: number, from: number, seen: number): number {
  if (at < from) return at
  return at + 1 > from + seen ? at + 1 - seen : from
}

function parsePan(text: string | undefined): Viewport | undefined {
  const [row, column, zoom] = (text ?? '').split(',').map(Number)
  if (row === undefined || column === undefined || zoom === undefined) return undefined
  return Number.isFinite(row) && Number.isFinite(column) && zoom > 0 && zoom <= LARGEST_ZOOM
    ? { row, column, zoom }
    : undefined
}

function drawCursor(
  context: CanvasRenderingContext2D,
  cell: Cell | undefined,
  { row, column, zoom }: Viewport,
  dpr: number,
): void {
  if (cell === undefined) return
  const size = Math.max(zoom * dpr, 4)
  const x = Math.round((cell.column - column) * zoom * dpr)
  const y = Math.round((cell.row - row) * zoom * dpr)
  // Black and white lines side by side are seen on every colour.
  context.lineWidth = dpr
  context.strokeStyle = '#fff'
  context.strokeRect(x - 1.5 * dpr, y - 1.5 * dpr, size + 2 * dpr, size + 2 * dpr)
  context.strokeStyle = '#000'
  context.strokeRect(x - 0.5 * dpr, y - 0.5 * dpr, size, size)
}

/** The cells that are seen, read a moment after the view has come to rest. */
function usePicture(reader: PayloadReader, slice: Slice, viewport: Viewport, width: number, height: number) {
  const [state, setState] = useState<{ picture?: Picture; scale?: ColourScale; fault?: unknown }>({})
  const drawn = useRef<Slice | undefined>(undefined)
  useEffect(() => {
    if (width === 0) return undefined
    const abort = new AbortController()
    const fresh = drawn.current !== slice
    const timer = setTimeout(
      () => {
        const dpr = devicePixelRatio
        const window = {
          row: viewport.row,
          column: viewport.column,
          rows: height / viewport.zoom,
          columns: width / viewport.zoom,
          most: { rows: Math.ceil(height * dpr), columns: Math.ceil(width * dpr) },
        }
        sample(reader, slice, window, abort.signal).then(
          (picture) => {
            if (abort.signal.aborted) return
            drawn.current = slice
            // Colours stay as they were first chosen for a slice, or zooming in would change what they mean.
            setState((before) => ({ picture, scale: (fresh ? undefined : before.scale) ?? scaleFor(picture.values) }))
          },
          (fault: unknown) => {
            if (!abort.signal.aborted) setState({ fault })
          },
        )
      },
      fresh ? 0 : 60,
    )
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [reader, slice, viewport, width, height])
  return state
}

function Legend({ scale, picture }: { readonly scale: ColourScale; readonly picture: Picture | undefined }) {
  const strip = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const context = strip.current?.getContext('2d')
    if (context === null || context === undefined) return
    const { width, height } = context.canvas
    for (let x = 0; x < width; x++) {
      context.fillStyle = css(colourOf(scale.low + ((scale.high - scale.low) * x) / (width - 1), scale))
      context.fillRect(x, 0, 1, height)
    }
  }, [scale])
  const odd = useMemo(() => oddKinds(picture), [picture])
  return (
    <div class="legend number">
      <span>{roundText(scale.low)}</span>
      <canvas ref={strip} width={128} height={10} aria-hidden="true" />
      <span>{roundText(scale.high)}</span>
      {odd.nan ? (
        <span>
          <i class="swatch" style={{ background: css(NAN_COLOUR) }} aria-hidden="true" />
          NaN
        </span>
      ) : null}
      {odd.infinite ? (
        <span>
          <i class="swatch" style={{ background: css(INFINITE_COLOUR) }} aria-hidden="true" />
          ±∞
        </span>
      ) : null}
    </div>
  )
}

function oddKinds(picture: Picture | undefined): { readonly nan: boolean; readonly infinite: boolean } {
  let nan = false
  let infinite = false
  picture?.values.forEach((value, i) => {
    if (picture.present[i] === 0) return
    if (Number.isNaN(value)) nan = true
    else if (!Number.isFinite(value)) infinite = true
  })
  return { nan, infinite }
}
