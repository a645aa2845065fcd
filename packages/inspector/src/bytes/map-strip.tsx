import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { Span } from 'kiln-format/walk'
import { useTheme } from '../app/theme.js'
import { countText, hexText } from '../ui/format.js'
import { useWidth } from '../ui/use-size.js'

const HEIGHT = 36
/** No part is narrower than this, or nobody could see and hit it. */
const LEAST = 3

interface Placed {
  readonly span: Span
  readonly x: number
  readonly width: number
}

interface Props {
  readonly parts: readonly Span[]
  readonly size: number
  readonly byte: number
  onGo(offset: number): void
}

/** The whole file from left to right, its parts in their colours; small parts are widened so that they are seen. */
export function MapStrip({ parts, size, byte, onGo }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const width = useWidth(box)
  const theme = useTheme()
  const placed = useMemo(() => placeParts(parts, size, width), [parts, size, width])

  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    const target = box.current
    if (context === null || context === undefined || target === null || width === 0) return
    const dpr = devicePixelRatio
    const style = getComputedStyle(target)
    context.setTransform(dpr, 0, 0, dpr, 0, 0)
    context.clearRect(0, 0, width, HEIGHT)
    for (const { span, x, width: own } of placed) {
      context.fillStyle = style.getPropertyValue(`--k-${span.kind}`)
      context.fillRect(x, 6, Math.max(own - 1, 1), HEIGHT - 12)
    }
    const x = placeOfByte(placed, byte)
    context.fillStyle = style.color
    context.fillRect(x - 1, 0, 2, HEIGHT)
  }, [placed, byte, width, theme])

  const step = (by: number): void => {
    const at = parts.findIndex((part) => byte < part.offset + part.length)
    const next = parts[Math.min(Math.max(at + by, 0), parts.length - 1)]
    if (next !== undefined) onGo(Math.min(next.offset, size - 1))
  }
  return (
    <div class="strip" ref={box}>
      <canvas
        ref={canvas}
        width={Math.floor(width * devicePixelRatio)}
        height={Math.floor(HEIGHT * devicePixelRatio)}
        style={{ width: `${width}px`, height: `${HEIGHT}px` }}
        tabIndex={0}
        role="slider"
        aria-label="Map of the file"
        aria-valuemin={0}
        aria-valuemax={Math.max(size - 1, 0)}
        aria-valuenow={byte}
        aria-valuetext={`byte ${countText(byte)}, 0x${hexText(byte, 1)}`}
        onClick={(event) => onGo(byteAt(placed, event.offsetX, size))}
        onKeyDown={(event) => {
          const by =
            event.key === 'ArrowRight' || event.key === 'ArrowDown'
              ? 1
              : event.key === 'ArrowLeft' || event.key === 'ArrowUp'
                ? -1
                : 0
          if (by === 0 && event.key !== 'Home' && event.key !== 'End') return
          event.preventDefault()
          if (by !== 0) step(by)
          else onGo(event.key === 'Home' ? 0 : size - 1)
        }}
      />
    </div>
  )
}

/** Parts along the width: in proportion, but none too narrow to be seen, as long as there is room. */
function placeParts(parts: readonly Span[], size: number, width: number): readonly Placed[] {
  const least = Math.min(LEAST, width / Math.max(parts.length, 1))
  const free = Math.max(width - least * parts.length, 0)
  let x = 0
  return parts.map((span) => {
    const own = least + (size === 0 ? 0 : (span.length / size) * free)
    const place = { span, x, width: own }
    x += own
    return place
  })
}

function placeOfByte(placed: readonly Placed[], byte: number): number {
  for (const { span, x, width } of placed) {
    if (byte < span.offset + span.length) return x + ((byte - span.offset) / span.length) * width
  }
  return placed.length === 0 ? 0 : placed[placed.length - 1]!.x
}

function byteAt(placed: readonly Placed[], at: number, size: number): number {
  for (const { span, x, width } of placed) {
    if (at < x + width) return Math.min(Math.floor(span.offset + ((at - x) / width) * span.length), size - 1)
  }
  return size - 1
}
