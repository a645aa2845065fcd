import { open, urlSource } from 'kiln-format'
import { widen } from 'kiln-format/numeric'
import { drawHeatMap } from './heat-map.mjs'

// A map with more rows than this is taller than a screen; the others aren't even read.
const MOST_ROWS = 512

const output = /** @type {HTMLOutputElement} */ (document.querySelector('output'))
const figure = /** @type {HTMLElement} */ (document.querySelector('figure'))
const canvas = /** @type {HTMLCanvasElement} */ (document.querySelector('canvas'))
const caption = /** @type {HTMLElement} */ (document.querySelector('figcaption'))

let requests = 0
let bytes = 0
/** @type {import('kiln-format').FetchLike} */
const countedFetch = async (url, init) => {
  const response = await fetch(url, init)
  requests++
  bytes += Number(response.headers.get('Content-Length'))
  return response
}

await openModel().catch(showError)

async function openModel() {
  // Opening reads the table at the front of the file: names, dtypes, shapes. It takes 128 bytes and a name each.
  const url = new URL('/files/model.kiln', location.href)
  const model = await open(await urlSource(url, { fetch: countedFetch, prefetch: 16 * 1024 }))
  for (const layer of model) {
    const button = document.createElement('button')
    button.textContent = `${layer.name}: ${layer.dtype} [${layer.shape.join(', ')}]`
    button.addEventListener('click', () => void show(layer, model.source.size).catch(showError))
    const item = document.createElement('li')
    item.append(button)
    document.querySelector('ul')?.append(item)
  }
  showCounts(model.source.size)
}

/**
 * @param {import('kiln-format').LazyTensor} layer
 * @param {number} size of the file
 */
async function show(layer, size) {
  const [rows = 1, ...rest] = layer.shape
  const isMatrix = rest.length > 0
  // A layer is one range of the file, and some rows of it are one too.
  const part = isMatrix && rows > MOST_ROWS ? await layer.slice(0, MOST_ROWS) : await layer.load()
  drawHeatMap(canvas, widen(part, 'f32', { inexact: 'nearest' }), isMatrix ? (part.shape[0] ?? 1) : 1)
  caption.textContent = `${layer.name}, ${part.byteLength.toLocaleString('en')} bytes`
  figure.hidden = false
  showCounts(size)
}

/** @param {number} size */
function showCounts(size) {
  output.value = `${requests} requests, ${bytes.toLocaleString('en')} of ${size.toLocaleString('en')} bytes`
}

/** @param {Error} error */
function showError(error) {
  output.value = error.message
}
