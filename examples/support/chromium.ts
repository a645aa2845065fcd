import type { Browser, Page } from 'playwright-core'
import { findChromium } from '../../packages/inspector/scripts/browser.mjs'

export { startBrowser } from '../../packages/inspector/scripts/browser.mjs'

/** Behind the name of a test that needs a browser: why it isn't run, if there is none. */
export const unlessMissing = findChromium() === undefined ? ' (NOT RUN: no Chromium; set KILN_CHROMIUM)' : ''

/** Opens a page. Its complaints are errors, and what its content security policy forbade. */
export async function openPage(browser: Browser, url: string): Promise<{ page: Page; complaints: string[] }> {
  const page = await browser.newPage()
  const complaints: string[] = []
  page.setDefaultTimeout(60_000)
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  await page.goto(url)
  return { page, complaints }
}
