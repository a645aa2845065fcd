import { colourOf, type Colour, type ColourScale } from './colour-map.js'
import type { Picture } from './sample.js'

/** Where a slice lies on the canvas: the row and column at its upper left corner, and pixels a cell. */
export interface Viewport {
  readonly row: number
  readonly column: number
  readonly zoom: number
}

/** From here on cells are set apart by a line. */
const APART = 9

/** Draws the cells of a picture that the viewport shows. All sizes are device pixels. */
export function drawPicture(
  context: CanvasRenderingContext2D,
  picture: Picture,
  viewport: Viewport,
  scale: ColourScale,
): void {
  const { width, height } = context.canvas
  context.clearRect(0, 0, width, height)
  if (picture.rows === 0 || picture.columns === 0 || width === 0 || height === 0) return
  const { zoom } = viewport
  if (zoom >= APART) drawCells(context, picture, viewport, scale)
  else drawPixels(context, picture, viewport, scale)
}

function drawCells(
  context: CanvasRenderingContext2D,
  picture: Picture,
  { row, column, zoom }: Viewport,
  scale: ColourScale,
): void {
  const { values, present } = picture
  for (let r = 0; r < picture.rows; r++) {
    for (let c = 0; c < picture.columns; c++) {
      const i = r * picture.columns + c
      if (present[i] === 0) continue
      const x = Math.round((picture.column + c * picture.columnStep - column) * zoom)
      const y = Math.round((picture.row + r * picture.rowStep - row) * zoom)
      context.fillStyle = css(colourOf(values[i]!, scale))
      context.fillRect(x, y, Math.ceil(zoom * picture.columnStep) - 1, Math.ceil(zoom * picture.rowStep) - 1)
    }
  }
}

/** Pixel by pixel: each has the colour of the cell that it lies in. */
function drawPixels(
  context: CanvasRenderingContext2D,
  picture: Picture,
  { row, column, zoom }: Viewport,
  scale: ColourScale,
): void {
  const { width, height } = context.canvas
  const { present } = picture
  const image = context.createImageData(width, height)
  const colours = coloursOf(picture, scale)
  for (let y = 0; y < height; y++) {
    const r = Math.floor((row + y / zoom - picture.row) / picture.rowStep)
    if (r < 0 || r >= picture.rows) continue
    for (let x = 0; x < width; x++) {
      const c = Math.floor((column + x / zoom - picture.column) / picture.columnStep)
      if (c < 0 || c >= picture.columns) continue
      const i = r * picture.columns + c
      if (present[i] === 0) continue
      const at = (y * width + x) * 4
      image.data[at] = colours[i * 3]!
      image.data[at + 1] = colours[i * 3 + 1]!
      image.data[at + 2] = colours[i * 3 + 2]!
      image.data[at + 3] = 255
    }
  }
  context.putImageData(image, 0, 0)
}

function coloursOf({ values }: Picture, scale: ColourScale): Uint8Array {
  const colours = new Uint8Array(values.length * 3)
  for (let i = 0; i < values.length; i++) colours.set(colourOf(values[i]!, scale), i * 3)
  return colours
}

export function css(colour: Colour): string {
  return `rgb(${colour.join(' ')})`
}
