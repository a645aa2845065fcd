import { encodeFrame, k, tensor } from 'kiln-format'
import { walk } from 'kiln-format/walk'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { missingBrowser } from './support/page.js'
import { drop, Session } from './support/session.js'

const named = (name: string): string => (missingBrowser === undefined ? name : `${name} (${missingBrowser})`)

const schema = k.struct({
  batch: k.tensors,
  id: k.i64,
  names: k.list(k.string),
  tags: k.dict(k.string, k.u8),
  seed: k.option(k.u32),
})

function recordFile(): Uint8Array {
  return encodeFrame(
    schema,
    {
      batch: [tensor('w', 'f32', [3], Float32Array.of(1, 2, 3)), tensor('', 'u8', [0], new Uint8Array(0))],
      id: -2,
      names: ['a', ''],
      tags: new Map([
        ['x', 1],
        ['y', 2],
      ]),
      seed: 5,
    },
    { schema: true, checksum: true },
  )
}

/** The path and place that the page shows of the byte at the cursor. */
async function details(page: Page): Promise<string> {
  const aside = page.locator('.span-details')
  const title = await aside.locator('h2').textContent()
  return `${title} ${await aside.locator('.facts dd').first().textContent()}`
}

describe.skipIf(missingBrowser !== undefined)(named('the byte map in Chromium'), () => {
  let session: Session
  beforeAll(async () => {
    session = await Session.start()
    session.put('record.kiln', recordFile())
  }, 300_000)
  afterEach(async () => session.closePages())
  afterAll(async () => session?.close())

  test('each field leads to its bytes, and each byte to its field', async () => {
    const { page, complaints } = await session.open('#url=files/record.kiln&view=bytes')
    const spans = [...walk(recordFile())]
    await page.getByRole('button', { name: 'Fields here' }).click()
    const list = page.getByRole('listbox', { name: 'Fields near the byte' })
    await list.focus()
    await page.keyboard.press('Home')
    let before = -1
    for (const span of spans) {
      // Spans of no bytes have none to be shown.
      if (span.length === 0) continue
      const end = span.offset + span.length - 1
      const place = span.offset.toString(16) + (span.length > 1 ? `–${end.toString(16)}` : '')
      if (span.offset > 0) {
        await page.getByRole('button', { name: 'Field after' }).click()
      }
      await expect.poll(() => details(page)).toContain(` ${place}`)
      if (span.path !== '') expect(await details(page)).toBe(`${span.path} ${place}`)
      expect(await page.locator('.rule').textContent()).toBe(span.rule)
      expect(span.offset).toBeGreaterThan(before)
      before = span.offset
    }
    expect(complaints).toEqual([])
  }, 240_000)

  test('a click on a byte shows its field, and marks all of its bytes', async () => {
    const { page } = await session.open('#url=files/record.kiln&view=bytes')
    await page.locator('.b[data-byte="17"]').click()
    await expect.poll(() => details(page)).toBe('frame.schema_hash 10–17')
    const marked = page.locator('.b.in')
    await expect
      .poll(() => marked.evaluateAll((cells) => cells.map((cell) => Number((cell as HTMLElement).dataset['byte']))))
      .toEqual([16, 17, 18, 19, 20, 21, 22, 23])
    expect(new URL(page.url()).hash).toContain('byte=17')
  })

  test('a byte can be named, in decimals or in hex', async () => {
    const { page } = await session.open('#url=files/record.kiln&view=bytes')
    const box = page.getByLabel('Byte', { exact: true })
    await box.fill('0x18')
    await box.press('Enter')
    await expect.poll(() => details(page)).toBe('frame.body_length 18–1f')
    await box.fill('4')
    await box.press('Enter')
    await expect.poll(() => details(page)).toBe('frame.version 4')
  })

  test('the list of parts leads to them', async () => {
    const { page } = await session.open('#url=files/record.kiln&view=bytes')
    await page.getByRole('option', { name: 'batch.descriptors · 2 entries' }).click()
    await expect.poll(() => details(page)).toContain('batch[0].shape[0]')
    expect(await page.locator('.span-details').textContent()).toContain('batch/w')
  })

  test('a broken file shows what was valid, the failing check, its byte and its rule', async () => {
    const broken = recordFile()
    const spans = [...walk(broken)]
    const rank = spans.find(({ path }) => path === 'batch[1].rank')!
    broken[rank.offset] = 9
    // The checksum would be found out first, so there is none: its flag and its field are 0.
    broken[5] = 1
    broken.fill(0, 12, 16)
    const { page, complaints } = await session.open('#')
    await drop(page, [{ name: 'broken.kiln', bytes: broken }])
    const alert = page.getByRole('alert')
    await alert.waitFor()
    const text = (await alert.innerText()).replace(/\s+/g, ' ')
    expect(text).toContain('A value is not allowed here the rank is 9, at most 8 is possible')
    expect(text).toContain('Failing check TYPE')
    expect(text).toContain('Where batch[1].rank')
    expect(text).toContain('Rule §4 Descriptor: how many dimensions there are, 0 to 8')
    await alert.getByRole('link').click()
    await expect.poll(() => details(page)).toBe(`batch[1].rank ${rank.offset.toString(16)}`)
    expect(await page.locator('.span-details .notice').innerText()).toContain('(TYPE)')
    await page.getByRole('button', { name: 'Field before' }).click()
    await expect.poll(() => details(page)).toContain('batch[1].dtype')
    expect(complaints).toEqual([])
  })

  test.each([
    ['cut in the middle', () => recordFile().slice(0, 300), 'The file ends too early'],
    ['empty', () => new Uint8Array(0), 'The file ends too early'],
    [
      'something else',
      () => new TextEncoder().encode('<!doctype html><html><title>x</title></html>'),
      'This is not what the format asks for',
    ],
    ['a frame of no known schema', () => encodeFrame(k.u8, 1), 'The schema is not valid, or missing'],
  ])('a file that is %s is told in words', async (_, make, words) => {
    const { page, complaints } = await session.open('#')
    await drop(page, [{ name: 'bad.kiln', bytes: make() }])
    await expect.poll(() => page.getByRole('alert').locator('strong').textContent()).toBe(words)
    expect(complaints).toEqual([])
  })
})
