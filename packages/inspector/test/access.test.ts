import { createRequire } from 'node:module'
import { readFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { missingBrowser } from './support/page.js'
import { smallModel } from './support/samples.js'
import { drop, Session } from './support/session.js'

const named = (name: string): string => (missingBrowser === undefined ? name : `${name} (${missingBrowser})`)

const VIEWS: readonly (readonly [string, string])[] = [
  ['start', '#'],
  ['overview', '#url=files/small.kiln'],
  ['tensors as a tree', '#url=files/small.kiln&view=tensors'],
  ['a tensor', '#url=files/small.kiln&view=tensors&tensor=layers.1.codes'],
  ['value', '#url=files/small.kiln&view=value'],
  ['bytes', '#url=files/small.kiln&view=bytes&byte=4'],
  ['metadata', '#url=files/small.kiln&view=metadata'],
  ['a fault', '#url=files/broken.kiln'],
]

async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor({ state: 'attached' })
  await page.waitForTimeout(400)
}

describe.skipIf(missingBrowser !== undefined)(named('access to the inspector in Chromium'), () => {
  let session: Session
  let axe: string
  beforeAll(async () => {
    session = await Session.start()
    session.put('small.kiln', smallModel())
    session.put('broken.kiln', smallModel().slice(0, 700))
    axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  }, 300_000)
  afterEach(async () => session.closePages())
  afterAll(async () => session?.close())

  test.each(
    VIEWS.flatMap(([name, hash]) => (['light', 'dark'] as const).map((scheme) => [name, scheme, hash] as const)),
  )('axe finds nothing wrong with %s in %s colours', async (_, colorScheme, hash) => {
    const { page, complaints } = await session.open(hash, { colorScheme, reducedMotion: 'reduce' })
    await settled(page)
    await page.evaluate(axe)
    const violations = await page.evaluate(async () => {
      const { axe: runner } = globalThis as unknown as {
        axe: { run(): Promise<{ violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[] }> }
      }
      const { violations: found } = await runner.run()
      return found.map(
        ({ id, nodes }) =>
          `${id}: ${nodes
            .slice(0, 3)
            .map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary ?? ''}`)
            .join(' | ')}`,
      )
    })
    expect(violations).toEqual([])
    expect(complaints).toEqual([])
  })

  test('on a window of 360 pixels the tab of the view that is shown is in sight', async () => {
    const { page } = await session.open('#url=files/small.kiln&view=metadata', { viewport: { width: 360, height: 700 } })
    const right = () => page.locator('.tabs a[aria-current]').evaluate((tab) => Math.ceil(tab.getBoundingClientRect().right))
    await expect.poll(right).toBeLessThanOrEqual(360)
    await page.getByRole('link', { name: 'Overview' }).click()
    await expect.poll(() => page.locator('.tabs a[aria-current]').evaluate((tab) => tab.getBoundingClientRect().left)).toBeGreaterThanOrEqual(0)
  })

  test.each(VIEWS)('nothing of %s lies beside a window of 360 pixels', async (_, hash) => {
    const { page } = await session.open(hash, { viewport: { width: 360, height: 700 } })
    await settled(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  })

  test('all can be done with the keyboard alone', async () => {
    const { page, complaints } = await session.open('#')
    const focused = () =>
      page.evaluate(() => {
        const at = document.activeElement
        return at?.getAttribute('aria-label') ?? at?.textContent ?? at?.tagName
      })
    async function tabTo(name: string | RegExp): Promise<void> {
      for (let i = 0; i < 40; i++) {
        await page.keyboard.press('Tab')
        const now = (await focused()) ?? ''
        if (typeof name === 'string' ? now === name : name.test(now)) return
      }
      throw new Error(`Tab does not come to ${String(name)}`)
    }
    await page.getByRole('button', { name: 'Choose a file' }).waitFor()
    await tabTo('Choose a file')
    // The browser's own dialogue can't be driven; the address can.
    await page.keyboard.press('Tab')
    await page.keyboard.type('files/small.kiln')
    await page.keyboard.press('Enter')
    await page.getByText('Kiln model file').waitFor()
    await tabTo('Tensors')
    await page.keyboard.press('Enter')
    await page.getByRole('grid').waitFor()
    await tabTo('Tree')
    await page.keyboard.press('Enter')
    await page.getByRole('treegrid').waitFor()
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => getComputedStyle(document.activeElement!).outlineStyle)).toBe('solid')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('.tensor-name').textContent()).toBe('layers.0.weight')
    await tabTo(/rows by/)
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowDown']) await page.keyboard.press(key)
    await expect
      .poll(() =>
        page
          .locator('.readout')
          .innerText()
          .then((text) => text.replace(/\s+/g, ' ')),
      )
      .toContain('[1, 2] 0.5')
    await page.keyboard.press('+')
    await expect.poll(() => new URL(page.url()).hash).toContain('pan=')
    await page.keyboard.press('0')
    await expect.poll(() => new URL(page.url()).hash).not.toContain('pan=')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      (async () => {
        await tabTo('Download raw')
        await page.keyboard.press('Enter')
      })(),
    ])
    expect(download.suggestedFilename()).toBe('layers.0.weight.bin')
    await page.keyboard.press('Home')
    await page.evaluate(() => document.getElementById('main')?.focus())
    await page.keyboard.press('Shift+Tab')
    for (let i = 0; i < 8 && (await focused()) !== 'Bytes'; i++) await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await page.locator('.hex-scroll').waitFor()
    await tabTo(/^Byte \d/)
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => page.locator('.span-details h2').textContent()).toBe('frame.schema_hash')
    expect(complaints).toEqual([])
  }, 120_000)

  test('a link shows the same view of the same file', async () => {
    const hash = '#url=files/small.kiln&view=tensors&tensor=cube&axes=0,1&at=0,0,3&pan=0,1,40'
    const { page } = await session.open(hash)
    const state = async () => ({
      name: await page.locator('.tensor-name').textContent(),
      axes: await page
        .locator('.slice-controls select')
        .evaluateAll((all) => all.map((select) => (select as HTMLSelectElement).value)),
      place: await page.getByLabel('Place on axis 2').inputValue(),
    })
    await page.locator('canvas.map[data-ready=true]').waitFor()
    expect(await state()).toEqual({ name: 'cube', axes: ['0', '1'], place: '3' })
    await page.goBack().catch(() => undefined)
    await page.goto('about:blank')
    const again = await session.open(hash)
    await again.page.locator('canvas.map[data-ready=true]').waitFor()
    expect(new URL(again.page.url()).hash).toBe(hash)
  })

  test('no motion is shown to those who want none', async () => {
    const { page } = await session.open('#', { reducedMotion: 'reduce' })
    await settled(page)
    expect(
      await page
        .getByRole('button', { name: 'Choose a file' })
        .evaluate((button) => getComputedStyle(button).transitionDuration),
    ).toBe('0s')
  })

  test('the page opened from disk does the same', async () => {
    const { page, complaints } = await session.open(pathToFileURL(join(session.folder, 'index.html')).href)
    await page.getByRole('button', { name: 'Choose a file' }).waitFor()
    expect(page.url()).toContain('offline.html')
    await drop(page, [{ name: 'small.kiln', bytes: smallModel() }])
    await page.getByText('Kiln model file').waitFor()
    await page.getByRole('link', { name: 'Tensors' }).click()
    await page.getByRole('searchbox').fill('cube')
    await page.locator('.grid-row').last().click()
    await page.locator('.plot canvas').waitFor()
    await expect
      .poll(() =>
        page
          .locator('.section', { hasText: 'Statistics' })
          .locator('.facts')
          .innerText()
          .then((text) => text.replace(/\s+/g, ' ')),
      )
      .toContain('Mean 11.5')
    expect(complaints.filter((text) => !text.includes("from origin 'null'"))).toEqual([])
  })

  test('a server that knows no ranges is read all the same', async () => {
    const plain = await Session.start({ ranges: false })
    try {
      plain.put('small.kiln', smallModel())
      const { page, complaints } = await plain.open('#url=files/small.kiln')
      await page.getByText('Kiln model file').waitFor()
      expect(complaints).toEqual([])
    } finally {
      await plain.close()
    }
  })
})
