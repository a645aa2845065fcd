import { tensor } from 'kiln-format'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { missingBrowser } from './support/page.js'
import { modelFile } from './support/samples.js'
import { drop, Session } from './support/session.js'

const named = (name: string): string => (missingBrowser === undefined ? name : `${name} (${missingBrowser})`)

const MARKUP = '<img src=x onerror="globalThis.taken=1"><script>globalThis.taken=1</script>'
const CONTROL = 'a\u0000b\u001b[31m\u202eevil\u2066\ufeff\u2028end'

function hostileFile(): Uint8Array {
  return modelFile(
    [
      tensor(MARKUP, 'u8', [2], Uint8Array.of(1, 2)),
      tensor(CONTROL, 'u8', [1], Uint8Array.of(3)),
      tensor('__proto__', 'u8', [1], Uint8Array.of(4)),
      tensor('', 'u8', [1], Uint8Array.of(5)),
      tensor('constructor.toString', 'u8', [1], Uint8Array.of(6)),
      tensor('..', 'u8', [1], Uint8Array.of(7)),
      tensor('x'.repeat(5000), 'u8', [1], Uint8Array.of(8)),
    ],
    new Map([
      [MARKUP, MARKUP],
      [CONTROL, CONTROL],
      ['__proto__', 'plain'],
      ['long', 'y'.repeat(300_000)],
    ]),
  )
}

describe.skipIf(missingBrowser !== undefined)(named('names and values that want to be more, in Chromium'), () => {
  let session: Session
  beforeAll(async () => {
    session = await Session.start()
    session.put('hostile.kiln', hostileFile())
  }, 300_000)
  afterEach(async () => session.closePages())
  afterAll(async () => session?.close())

  test.each(['overview', 'tensors', 'value', 'bytes', 'metadata'])('they are text in the view %s', async (view) => {
    const { page, complaints } = await session.open(`#url=files/hostile.kiln&view=${view}`)
    await page.locator('main h1, main .grid').first().waitFor({ state: 'attached' })
    await page.waitForTimeout(300)
    expect(await page.locator('main img, main script, main iframe').count()).toBe(0)
    expect(await page.evaluate(() => (globalThis as { taken?: number }).taken)).toBe(undefined)
    const text = await page.locator('main').innerText()
    // eslint-disable-next-line no-control-regex -- control characters are what must not be there
    expect(/[\u0000\u001b\u202a-\u202e\u2066-\u2069\ufeff\u2028]/.test(text)).toBe(false)
    expect(complaints).toEqual([])
  })

  test('a name of markup is shown as it is, in the list, the page and the title of its tensor', async () => {
    const { page, complaints } = await session.open('#url=files/hostile.kiln&view=tensors&sort=offset')
    await page.locator('.grid-row').first().click()
    await expect.poll(() => page.locator('.tensor-name').textContent()).toBe(MARKUP)
    await page.locator('.grid-row').nth(1).click()
    await expect
      .poll(() => page.locator('.tensor-name').textContent())
      .toBe('a\\u0000b\\u001b[31m\\u202eevil\\u2066\\ufeff\\u2028end')
    await page.locator('.grid-row').nth(3).click()
    await expect.poll(() => page.locator('.tensor-name').textContent()).toBe('unnamed 3')
    await page.locator('.grid-row').nth(2).click()
    await expect.poll(() => page.locator('.tensor-name').textContent()).toBe('__proto__')
    expect(complaints).toEqual([])
  })

  test('so is the name of a file', async () => {
    const { page, complaints } = await session.open('#')
    await drop(page, [{ name: `${MARKUP}\u202e.kiln`, bytes: hostileFile() }])
    await expect.poll(() => page.locator('h1').textContent()).toContain('<img src=x onerror=')
    expect(await page.locator('main img').count()).toBe(0)
    expect(complaints).toEqual([])
  })

  test('an address in the link is never a script', async () => {
    const { page, complaints } = await session.open('#url=javascript:globalThis.taken=1')
    await page.getByRole('alert').waitFor()
    expect(await page.evaluate(() => (globalThis as { taken?: number }).taken)).toBe(undefined)
    expect(complaints).toEqual([])
  })
})
