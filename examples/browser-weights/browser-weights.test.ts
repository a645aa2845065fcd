import type { LazyModel } from 'kiln-format'
import { open } from 'kiln-format'
import { openFile } from 'kiln-format/node'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openPage, startBrowser, unlessMissing } from '../support/chromium.js'
import { start, type Running } from '../support/running.js'

vi.setConfig({ testTimeout: 180_000 })

describe.skipIf(unlessMissing !== '')(`the page in Chromium${unlessMissing}`, () => {
  let example: Running
  let browser: Browser
  let model: LazyModel
  let page: Page
  let complaints: string[]
  const asked: { first: number; last: number }[] = []
  beforeAll(async () => {
    example = await start('browser-weights', [], /http:\S+/)
    model = await open(await openFile(new URL('.tmp/model.kiln', import.meta.url)))
    browser = await startBrowser()
    ;({ page, complaints } = await openPage(browser, 'about:blank'))
    page.on('request', (request) => {
      if (!request.url().endsWith('/files/model.kiln')) return
      const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers()['range'] ?? '')!
      asked.push({ first: Number(first), last: Number(last) })
    })
    await page.goto(/http:\S+/.exec(example.printed)![0])
    await page.getByRole('button').last().waitFor()
  }, 300_000)
  afterAll(async () => {
    await browser?.close()
    await model?.close()
    await example?.stop()
  })

  /** What the page says of its requests, made of those that the browser has seen. */
  function counts(): string {
    const bytes = asked.reduce((sum, { first, last }) => sum + last - first + 1, 0)
    const [read, size] = [bytes, model.source.size].map((count) => count.toLocaleString('en'))
    return `${asked.length} requests, ${read} of ${size} bytes`
  }

  /** Asks for a layer, and gives its pixels once it is drawn. */
  async function drawn(name: string): Promise<{ width: number; height: number; pixels: string }> {
    await page.getByRole('button', { name: `${name}:` }).click()
    await page.locator('figcaption', { hasText: `${name},` }).waitFor()
    return page.locator('canvas').evaluate((canvas: HTMLCanvasElement) => {
      const { width, height } = canvas
      return { width, height, pixels: canvas.getContext('2d')!.getImageData(0, 0, width, height).data.join() }
    })
  }

  test('opening takes the front of the file and the metadata behind the tensors, and shows all layers', async () => {
    const behind = model.offset + model.byteLength
    expect(asked).toEqual([{ first: 0, last: 16_383 }, { first: behind, last: model.source.size - 1 }])
    expect(await page.locator('output').textContent()).toBe(counts())
    expect(await page.getByRole('button').allTextContents()).toEqual(
      Array.from(model, ({ name, dtype, shape }) => `${name}: ${dtype} [${shape.join(', ')}]`),
    )
  })

  test.each([
    ['model.feature_extractor.forward_basis_buffer', 258, 256],
    ['model.encoder.11.0.pw_conv.0.weight', 64, 32],
    ['model.encoder.11.0.pw_conv.0.bias', 1, 64],
  ])('%s is one range of the file, and a pixel a number', async (name, height, width) => {
    const before = asked.length
    const map = await drawn(name)
    const { byteOffset, byteLength } = model.get(name)
    const start = model.offset + byteOffset
    // Of the first layer the page has some bytes since it was opened.
    expect(asked.slice(before)).toEqual([{ first: Math.max(start, 16_384), last: start + byteLength - 1 }])
    expect(await page.locator('output').textContent()).toBe(counts())

    expect(map).toMatchObject({ width, height })
    const values = (await model.load(name)).copy('f32')
    const greatest = Math.max(...values.map(Math.abs))
    const colours = Array.from(values, (value) => {
      const pale = 255 * (1 - Math.abs(value / greatest))
      return value < 0 ? [pale, pale, 255, 255] : [255, pale, pale, 255]
    })
    // Not toBe: what differs would be shown, and that is a megabyte.
    expect(map.pixels === Uint8ClampedArray.from(colours.flat()).join()).toBe(true)
  })

  test('what was loaded once is not asked for again, and nothing offended the policy', async () => {
    const before = asked.length
    await drawn('model.feature_extractor.forward_basis_buffer')
    expect(asked).toHaveLength(before)
    expect(complaints).toEqual([])
  })
})
