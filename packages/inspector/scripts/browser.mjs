import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
]

/** Where Chromium or Chrome is: as KILN_CHROMIUM says, or where systems have it; undefined if there is none. */
export function findChromium() {
  const named = process.env['KILN_CHROMIUM']
  if (named !== undefined && named !== '') return existsSync(named) ? named : undefined
  return PLACES.find((path) => existsSync(path))
}

/** Starts a browser that talks to nobody but the pages it is given. */
export async function startBrowser(executablePath = findChromium()) {
  return chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    headless: true,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}
