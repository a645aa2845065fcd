import { useEffect, useMemo, useRef } from 'preact/hooks'
import { go } from '../app/link.js'
import { tensorTitle } from './naming.js'
import { linkTo, navigate, type Route } from '../app/route.js'
import { familyOf } from '../model/dtype-groups.js'
import type { OpenedFile, ViewTensor } from '../model/opened-file.js'
import { countText, hexText, shapeText } from '../ui/format.js'
import { Facts, Section, Size } from '../ui/parts.js'
import { DownloadButtons } from './download.js'
import { HeatMap } from './heat-map.js'
import { LinkDrawing } from './link-drawing.js'
import { PayloadReader } from './payload-reader.js'
import { sliceAlong, wrappedSlice, type Slice } from './slice.js'
import { StatisticsPanel } from './statistics.js'

/** Everything about one tensor. */
export function TensorPage({
  file,
  tensor,
  route,
}: {
  readonly file: OpenedFile
  readonly tensor: ViewTensor
  readonly route: Route
}) {
  const reader = useMemo(() => new PayloadReader(tensor), [file, tensor.index])
  const heading = useRef<HTMLHeadingElement>(null)
  // Who comes from the list by keyboard goes on reading here.
  useEffect(() => heading.current?.focus({ preventScroll: true }), [tensor.index])
  return (
    <article class="tensor-page">
      <button
        type="button"
        class="quiet back"
        onClick={() => navigate({ tensor: undefined, axes: undefined, at: undefined, pan: undefined })}
      >
        ← All tensors
      </button>
      <h1 ref={heading} tabIndex={-1} class="mono tensor-name" dir="auto">
        {tensorTitle(tensor.name, tensor.index)}
      </h1>
      <p class="lead">
        <span class="dtype">
          <i class={`dot family-${familyOf(tensor.dtype)}`} aria-hidden="true" />
          {tensor.dtype}
        </span>
        <span class="number">{shapeText(tensor.shape)}</span>
        <span>
          <Size bytes={tensor.byteLength} />
        </span>
      </p>
      {tensor.elements === 0 ? (
        <p class="quiet-text">This tensor has no elements.</p>
      ) : (
        <SliceView file={file} tensor={tensor} reader={reader} route={route} />
      )}
      <div class="columns">
        <Section title="Where and how">
          <TensorFacts file={file} tensor={tensor} />
          <DownloadButtons tensor={tensor} />
        </Section>
        {tensor.elements === 0 ? null : <StatisticsPanel file={file} tensor={tensor} />}
      </div>
      <LinkDrawing file={file} tensor={tensor} />
    </article>
  )
}

function TensorFacts({ file, tensor }: { readonly file: OpenedFile; readonly tensor: ViewTensor }) {
  const { fileOffset, descriptorOffset, checksum } = tensor
  const byteLink = (byte: number) => {
    const change = { view: 'bytes', byte: String(byte) } as const
    return file.kiln ? (
      <a href={linkTo(change)} onClick={go(change)}>
        0x{hexText(byte, 1)}
      </a>
    ) : (
      <>0x{hexText(byte, 1)}</>
    )
  }
  return (
    <Facts
      rows={[
        ['Elements', <span class="number">{countText(tensor.elements)}</span>],
        ['Bytes', <span class="number">{countText(tensor.byteLength)}</span>],
        ...(fileOffset === undefined
          ? []
          : [
              ['Payload at', <span class="mono">{byteLink(fileOffset)}</span>] as const,
              ['Aligned to', <span class="number">{alignment(fileOffset)}</span>] as const,
            ]),
        ...(descriptorOffset === undefined
          ? []
          : [['Descriptor at', <span class="mono">{byteLink(descriptorOffset)}</span>] as const]),
        ...(file.kiln
          ? [['Checksum', checksum === undefined ? 'none' : <span class="mono">{hexText(checksum, 8)}</span>] as const]
          : []),
      ]}
    />
  )
}

/** The largest power of two, up to 64 KiB, that the place is a multiple of. */
function alignment(offset: number): string {
  let unit = 65_536
  while (offset % unit !== 0) unit /= 2
  return `${countText(unit)} ${unit === 1 ? 'byte' : 'bytes'} in the file`
}

interface SliceProps {
  readonly file: OpenedFile
  readonly tensor: ViewTensor
  readonly reader: PayloadReader
  readonly route: Route
}

function SliceView({ file, tensor, reader, route }: SliceProps) {
  const { shape, elements } = tensor
  const axes = parseAxes(route.axes, shape.length)
  const at = parsePlaces(route.at, shape)
  const slice = useMemo<Slice>(
    () => (axes === undefined ? wrappedSlice(elements) : sliceAlong(shape, axes.rows, axes.columns, at)),
    [tensor.index, route.axes, route.at],
  )
  return (
    <Section title="Values">
      {axes === undefined ? null : <SliceControls shape={shape} rows={axes.rows} columns={axes.columns} at={at} />}
      {axes !== undefined || elements <= slice.columns ? null : (
        <p class="quiet-text small">A vector, in rows of {countText(slice.columns)}.</p>
      )}
      <HeatMap file={file} tensor={tensor} reader={reader} slice={slice} pan={route.pan} />
    </Section>
  )
}

interface Axes {
  readonly rows: number
  readonly columns: number
}

/** Which axes lie along rows and columns: by default the last two. A vector has none. */
function parseAxes(text: string | undefined, rank: number): Axes | undefined {
  if (rank < 2) return undefined
  const [rows, columns] = (text ?? '').split(',').map(Number)
  const valid = (axis: number | undefined): axis is number =>
    axis !== undefined && Number.isInteger(axis) && axis >= 0 && axis < rank
  return valid(rows) && valid(columns) && rows !== columns ? { rows, columns } : { rows: rank - 2, columns: rank - 1 }
}

function parsePlaces(text: string | undefined, shape: readonly number[]): number[] {
  const given = (text ?? '').split(',').map(Number)
  return shape.map((dimension, axis) => {
    const place = given[axis]
    return place !== undefined && Number.isInteger(place) ? Math.min(Math.max(place, 0), Math.max(dimension - 1, 0)) : 0
  })
}

function SliceControls({
  shape,
  rows,
  columns,
  at,
}: {
  readonly shape: readonly number[]
  readonly rows: number
  readonly columns: number
  readonly at: readonly number[]
}) {
  const setAxes = (nextRows: number, nextColumns: number): void =>
    navigate(
      {
        axes:
          nextRows === shape.length - 2 && nextColumns === shape.length - 1 ? undefined : `${nextRows},${nextColumns}`,
        pan: undefined,
      },
      true,
    )
  const setPlace = (axis: number, place: number): void => {
    const next = at.map((before, i) => (i === axis ? place : before))
    navigate({ at: next.every((p) => p === 0) ? undefined : next.join(',') }, true)
  }
  const choices = shape.map((dimension, axis) => (
    <option key={axis} value={axis}>
      axis {axis} ({countText(dimension)})
    </option>
  ))
  return (
    <div class="slice-controls">
      <label>
        Rows
        <select
          value={rows}
          onChange={(event) => {
            const next = Number(event.currentTarget.value)
            setAxes(next, next === columns ? rows : columns)
          }}
        >
          {choices}
        </select>
      </label>
      <label>
        Columns
        <select
          value={columns}
          onChange={(event) => {
            const next = Number(event.currentTarget.value)
            setAxes(next === rows ? columns : rows, next)
          }}
        >
          {choices}
        </select>
      </label>
      {shape.map((dimension, axis) =>
        axis === rows || axis === columns || dimension < 2 ? null : (
          <label key={axis}>
            axis {axis}
            <input
              type="range"
              min={0}
              max={dimension - 1}
              value={at[axis]}
              onInput={(event) => setPlace(axis, Number(event.currentTarget.value))}
            />
            <input
              type="number"
              min={0}
              max={dimension - 1}
              value={at[axis]}
              aria-label={`Place on axis ${axis}`}
              onChange={(event) => setPlace(axis, Number(event.currentTarget.value))}
            />
          </label>
        ),
      )}
    </div>
  )
}
