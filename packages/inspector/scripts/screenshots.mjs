import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { findChromium, startBrowser } from './browser.mjs'
import { sampleModel, sampleRecord } from './sample.mjs'
import { fileOf, serve } from './serve.mjs'

// Pictures of five views, light and dark, into docs/screenshots. Needs the built packages and page: npm run build.

const dist = fileURLToPath(new URL('../dist', import.meta.url))
const target = process.argv[2] ?? fileURLToPath(new URL('../../../docs/screenshots', import.meta.url))

const VIEWS = [
  { name: 'overview', hash: '#url=files/clay-encoder.kiln' },
  {
    name: 'tensors',
    hash: '#url=files/clay-encoder.kiln&view=tensors&tensor=encoder.layers.2.mlp.up.weight',
    point: [121, 190],
  },
  {
    name: 'value',
    hash: '#url=files/request.kiln&view=value',
    keys: ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowRight'],
  },
  { name: 'bytes', hash: '#url=files/request.kiln&view=bytes&byte=0x198' },
  { name: 'metadata', hash: '#url=files/clay-encoder.kiln&view=metadata' },
]

const chromium = findChromium()
if (chromium === undefined) throw new Error('no Chromium or Chrome is found; set KILN_CHROMIUM to one')
await mkdir(target, { recursive: true })
const server = await serve(
  dist,
  new Map([
    ['clay-encoder.kiln', fileOf(sampleModel())],
    ['request.kiln', fileOf(sampleRecord())],
  ]),
)
const browser = await startBrowser(chromium)
try {
  for (const colorScheme of ['light', 'dark']) {
    const context = await browser.newContext({
      colorScheme,
      viewport: { width: 1280, height: 800 },
      reducedMotion: 'reduce',
    })
    for (const { name, hash, point, keys } of VIEWS) {
      const page = await context.newPage()
      page.on('console', (message) => console.log(name, message.type(), message.text()))
      page.on('pageerror', (error) => console.log(name, String(error)))
      await page.goto(`${server.origin}/${hash}`)
      await page.locator('main h1').first().waitFor({ state: 'attached' })
      if (point !== undefined) {
        await page.locator('canvas.map[data-ready=true]').waitFor()
        await page.locator('canvas.map').hover({ position: { x: point[0], y: point[1] } })
        await page.locator('.plot canvas').waitFor()
      }
      if (keys !== undefined) {
        await page.getByRole('tree').focus()
        await page.locator('.value-row').nth(5).waitFor()
        for (const key of keys) await page.keyboard.press(key)
      }
      await page.waitForTimeout(500)
      await page.screenshot({ path: `${target}/${name}-${colorScheme}.png` })
      await page.close()
    }
    await context.close()
  }
} finally {
  await browser.close()
  await server.close()
}
