import { existsSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { chromium } from 'playwright-core'
import { serve } from './server.mjs'

const places = [
  process.env['KILN_CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
]
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
const TEN_MINUTES = 600_000
const late = () => setTimeout(TEN_MINUTES, undefined, { ref: false })

/** A browser with the site open to it, or undefined where none is found. */
export async function startChromium() {
  const executablePath = places.find((path) => path !== undefined && existsSync(path))
  if (executablePath === undefined) return undefined
  const site = await serve()
  const browser = await chromium.launch({ executablePath, headless: true, args: flags, timeout: TEN_MINUTES })
  let asked = 0
  return {
    version: browser.version(),
    /** The work in a page of the site: `page.html` or `launcher.html`. */
    async run(page, host) {
      const context = await browser.newContext()
      try {
        const tab = await context.newPage()
        const id = String(++asked)
        const faults = []
        tab.on('pageerror', (error) => faults.push(error.message))
        tab.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
        const told = site.outcome(id)
        const search = new URLSearchParams({ host, id })
        await tab.goto(`${site.origin}/tools/runtimes/browser/${page}?${search}`, { timeout: TEN_MINUTES })
        return await Promise.race([
          told,
          late().then(() => ({ error: `nothing was told in ten minutes; ${faults.join('; ')}` })),
        ])
      } finally {
        await context.close()
      }
    },
    async close() {
      await browser.close()
      site.close()
    },
  }
}
