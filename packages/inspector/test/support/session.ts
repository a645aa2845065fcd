import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { startBrowser } from '../../scripts/browser.mjs'
import { fileOf, serve } from '../../scripts/serve.mjs'
import { builtPage } from './page.js'

type Served = Awaited<ReturnType<typeof serve>>

/** A page under test, and what it did that it must not. */
export interface TestPage {
  readonly page: Page
  /** Violations of the content security policy, errors on the console, and errors that nobody caught. */
  readonly complaints: string[]
}

/** A browser and a server for the tests of a file. */
export class Session {
  readonly folder: string
  readonly files = new Map<string, ReturnType<typeof fileOf>>()
  readonly #browser: Browser
  readonly #server: Served

  constructor(folder: string, browser: Browser, server: Served, files: Map<string, ReturnType<typeof fileOf>>) {
    this.folder = folder
    this.#browser = browser
    this.#server = server
    this.files = files
  }

  static async start(options: { readonly ranges?: boolean } = {}): Promise<Session> {
    const folder = await builtPage()
    const files = new Map<string, ReturnType<typeof fileOf>>()
    return new Session(folder, await startBrowser(), await serve(folder, files, options), files)
  }

  get requests(): Served['requests'] {
    return this.#server.requests
  }

  put(name: string, bytes: Uint8Array): void {
    this.files.set(name, fileOf(bytes))
  }

  /** A new page at an address of the inspector, such as `#url=files/a.kiln`, or at any other address. */
  async open(address: string, options: BrowserContextOptions = {}): Promise<TestPage> {
    const context = await this.#browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
    const complaints: string[] = []
    const page = await context.newPage()
    page.setDefaultTimeout(30_000)
    page.on('pageerror', (error) => complaints.push(`error: ${error.message}`))
    page.on('console', (message) => {
      if (message.type() === 'error' || message.text().startsWith('csp:')) complaints.push(message.text())
    })
    await page.addInitScript(() => {
      addEventListener('securitypolicyviolation', (event) => {
        console.info(`csp: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`)
      })
    })
    await page.goto(address.startsWith('#') ? `${this.#server.origin}/${address}` : address)
    return { page, complaints }
  }

  async closePages(): Promise<void> {
    for (const context of this.#browser.contexts()) await context.close()
  }

  async close(): Promise<void> {
    await this.#browser.close()
    await this.#server.close()
  }
}

/** Drops files on the page, as a person does. */
export async function drop(
  page: Page,
  files: readonly { readonly name: string; readonly bytes: Uint8Array }[],
): Promise<void> {
  const plain = files.map(({ name, bytes }) => ({ name, base64: Buffer.from(bytes).toString('base64') }))
  await page.evaluate((given) => {
    const transfer = new DataTransfer()
    for (const { name, base64 } of given) {
      transfer.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name))
    }
    dispatchEvent(new DragEvent('dragover', { dataTransfer: transfer, cancelable: true }))
    dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, cancelable: true }))
  }, plain)
}

/** The colour of the map's cell at a row and column, where cells are as large as `zoom` says. */
export async function mapColour(page: Page, x: number, y: number): Promise<number[]> {
  await page.locator('canvas.map[data-ready=true]').waitFor()
  return page.locator('canvas.map').evaluate(
    async (canvas, at) => {
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
      const context = (canvas as HTMLCanvasElement).getContext('2d')
      const dpr = devicePixelRatio
      return [...(context?.getImageData(at.x * dpr, at.y * dpr, 1, 1).data ?? [])].slice(0, 3)
    },
    { x, y },
  )
}
