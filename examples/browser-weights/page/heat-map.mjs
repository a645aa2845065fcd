/**
 * Draws a matrix, a pixel a number: white is 0, red the greatest magnitude above it, blue below. NaN is black.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {ArrayLike<number>} values row after row
 * @param {number} rows
 */
export function drawHeatMap(canvas, values, rows) {
  canvas.height = Math.max(rows, 1)
  canvas.width = Math.max(values.length / canvas.height, 1)
  const image = new ImageData(canvas.width, canvas.height)
  const greatest = greatestOf(values)
  for (let i = 0; i < values.length; i++) {
    const value = (values[i] ?? 0) / greatest
    const pale = 255 * (1 - Math.abs(value))
    image.data.set(value >= 0 ? [255, pale, pale, 255] : value < 0 ? [pale, pale, 255, 255] : [0, 0, 0, 255], i * 4)
  }
  canvas.getContext('2d')?.putImageData(image, 0, 0)
}

/** @param {ArrayLike<number>} values */
function greatestOf(values) {
  let greatest = 0
  for (let i = 0; i < values.length; i++) greatest = Math.max(greatest, Math.abs(values[i] || 0))
  return greatest || 1
}
