import { readFile } from 'node:fs/promises'
import { encodeFrame, k, readDirectory, tensor } from 'kiln-format'
import { writeNpy } from 'kiln-convert'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { colourOf } from '../src/tensors/colour-map.js'
import { missingBrowser } from './support/page.js'
import { grid, manyTensors, modelFile, modelSchema, smallModel } from './support/samples.js'
import { drop, mapColour, Session } from './support/session.js'

const named = (name: string): string => (missingBrowser === undefined ? name : `${name} (${missingBrowser})`)

describe.skipIf(missingBrowser !== undefined)(named('the inspector in Chromium'), () => {
  let session: Session
  beforeAll(async () => {
    session = await Session.start()
    session.put('small.kiln', smallModel())
  }, 300_000)
  afterEach(async () => session.closePages())
  afterAll(async () => session?.close())

  test('a file that is dropped is shown, and asks nothing of the net', async () => {
    const { page, complaints } = await session.open('#')
    await page.getByRole('button', { name: 'Choose a file' }).waitFor()
    const before = session.requests.length
    await drop(page, [{ name: 'dropped.kiln', bytes: smallModel() }])
    await expect.poll(() => page.locator('h1').textContent()).toBe('dropped.kiln')
    expect(await page.locator('.subtitle').textContent()).toBe('Kiln model file')
    expect(await page.locator('.figures').textContent()).toContain('6tensors')
    expect(session.requests.length).toBe(before)
    expect(complaints).toEqual([])
  })

  test('a URL is read by ranges, and no more of it than is shown', async () => {
    const payload = new Uint8Array(8 * 2 ** 20)
    const bytes = modelFile([
      tensor('large', 'u8', [payload.length], payload),
      tensor('small', 'u8', [2], Uint8Array.of(1, 2)),
    ])
    session.put('large.kiln', bytes)
    const before = session.requests.length
    const { page, complaints } = await session.open('#url=files/large.kiln')
    await page.getByText('Kiln model file').waitFor()
    const requests = session.requests.slice(before)
    expect(requests.filter(({ range }) => range === undefined)).toEqual([])
    const asked = requests
      .map(({ range }) => /(\d+)-(\d+)/.exec(range ?? ''))
      .reduce((sum, m) => sum + Number(m?.[2]) - Number(m?.[1]) + 1, 0)
    expect(asked).toBeLessThan(2 ** 20)
    expect(complaints).toEqual([])
  })

  test('a file whose first frame alone brings the schema is good, and all of its frames are shown', async () => {
    const Sample = k.struct({ input: k.tensors, label: k.u16 })
    const frames = [7, 8, 9].map((label, i) =>
      encodeFrame(Sample, { input: [tensor('x', 'u8', [1], [label])], label }, { schema: i === 0, checksum: true }),
    )
    session.put('samples.kiln', new Uint8Array(Buffer.concat(frames)))
    const { page, complaints } = await session.open('#url=files/samples.kiln')
    await page.getByText('Kiln file of frames').waitFor()
    expect(await page.locator('.figures').textContent()).toContain('3tensors')
    await page.getByRole('button', { name: 'Verify' }).click()
    await page.getByText('3 checksums').waitFor()
    await page.goto(page.url().replace(/#.*/, '#url=files/samples.kiln&view=value&frame=2'))
    await expect.poll(() => page.locator('.value-row').allTextContents()).toEqual(
      expect.arrayContaining([expect.stringMatching(/^label.*u16.*9/)]) as unknown,
    )
    const label = page.locator('.toolbar label').filter({ hasText: 'Frame' })
    expect(await label.evaluate((element) => getComputedStyle(element).columnGap)).toBe('8px')
    await page.goto(page.url().replace(/#.*/, '#url=files/samples.kiln&view=bytes'))
    await page.getByText('[2].label = 9').waitFor()
    expect(complaints).toEqual([])
  })

  test('16-bit floats of a record are shown as the numbers that they are', async () => {
    const Halves = k.struct({ a: k.f16, b: k.bf16, c: k.option(k.f16), d: k.list(k.bf16), e: k.u16 })
    const value = { a: 0x3c00, b: 0xc000, c: 0x8000, d: [0x3f80, 0x7fc0], e: 15360 }
    session.put('halves.kiln', encodeFrame(Halves, value, { schema: true }))
    const { page, complaints } = await session.open('#url=files/halves.kiln&view=value')
    const rows = () => page.locator('.value-row').allTextContents()
    await expect.poll(async () => (await rows()).length).toBe(6)
    const all = await rows()
    for (const [i, text] of ['1 (0x3c00)', '-2 (0xc000)', '-0 (0x8000)', '[1, NaN]', '15360'].entries()) expect(all[i + 1]).toContain(text)
    expect(complaints).toEqual([])
  })

  test('sorting goes up, down, and back to the order of the file', async () => {
    const { page, complaints } = await session.open('#url=files/small.kiln&view=tensors')
    const names = () => page.locator('.grid-row .cell-name').allTextContents()
    const heading = page.getByRole('columnheader', { name: 'Bytes' })
    await heading.getByRole('button').click()
    await expect
      .poll(names)
      .toEqual(['layers.1.scale', 'layers.1.codes', 'layers.0.bias', 'layers.0.weight', 'ids', 'cube'])
    expect(await heading.getAttribute('aria-sort')).toBe('ascending')
    await heading.getByRole('button').click()
    await expect.poll(async () => (await names())[0]).toBe('layers.0.weight')
    expect(new URL(page.url()).hash).toContain('sort=-bytes')
    await heading.getByRole('button').click()
    await expect
      .poll(names)
      .toEqual(['layers.0.weight', 'layers.0.bias', 'layers.1.codes', 'layers.1.scale', 'ids', 'cube'])
    expect(complaints).toEqual([])
  })

  test('searching finds by name, dtype and shape', async () => {
    const { page } = await session.open('#url=files/small.kiln&view=tensors')
    const box = page.getByRole('searchbox')
    const names = () => page.locator('.grid-row .cell-name').allTextContents()
    await box.fill('layers.0')
    await expect.poll(names).toEqual(['layers.0.weight', 'layers.0.bias'])
    await box.fill('2x3x4')
    await expect.poll(names).toEqual(['cube'])
    await box.fill('LAYERS e8m0')
    await expect.poll(names).toEqual(['layers.1.scale'])
    await box.fill('no such')
    await expect.poll(() => page.locator('.empty').textContent()).toBe('No tensor is found.')
  })

  test('the heat map has the colours of its values', async () => {
    const { page, complaints } = await session.open('#url=files/small.kiln&view=tensors&tensor=layers.0.weight')
    const scale = { low: -1, high: 1, diverging: true }
    // Cells are 28 pixels at most; their middles are looked at.
    for (const [i, value] of grid.entries()) {
      const colour = await mapColour(page, (i % 3) * 28 + 14, Math.floor(i / 3) * 28 + 14)
      expect([i, colour]).toEqual([i, [...colourOf(value, scale)]])
    }
    expect(await mapColour(page, 14, 14)).toEqual([33, 60, 140])
    expect(await mapColour(page, 70, 14)).toEqual([140, 44, 14])
    expect(complaints).toEqual([])
  })

  test('value, bits and place are those of the cell under the pointer', async () => {
    const { page } = await session.open('#url=files/small.kiln&view=tensors&tensor=layers.0.weight')
    const over = async (x: number, y: number): Promise<string> => {
      await page.locator('canvas.map[data-ready=true]').hover({ position: { x, y } })
      await page.locator('.readout .bits').waitFor()
      return (await page.locator('.readout').innerText()).replace(/\s+/g, ' ')
    }
    expect(await over(14, 14)).toContain('[0, 0] -1 1 01111111 00000000000000000000000')
    expect(await over(70, 42)).toContain('[1, 2] 0.5 0 01111110 00000000000000000000000')
    await page.goto(page.url().replace('layers.0.weight', 'ids'))
    await expect.poll(() => over(14, 14)).toContain('[0] 9007199254740993 00000000 00100000')
    await page.goto(page.url().replace('tensor=ids', 'tensor=layers.1.codes'))
    // The low nibble of 0x43 is code 3, which is 1.5; its scale is 2^(128-127).
    await expect.poll(() => over(70, 14)).toContain('[0, 2] 1.5 × 2 = 3 0 01 1')
  })

  test('any two axes can be drawn, at any place on the others', async () => {
    const { page } = await session.open('#url=files/small.kiln&view=tensors&tensor=cube&axes=0,2&at=0,1,0')
    await page.locator('canvas.map[data-ready=true]').hover({ position: { x: 3 * 28 + 14, y: 28 + 14 } })
    await expect.poll(() => page.locator('.readout').innerText()).toContain('[1, 1, 3]')
    expect(await page.locator('.readout .value').textContent()).toBe('19')
    await page.getByLabel('Place on axis 1').fill('2')
    await page.getByLabel('Place on axis 1').press('Enter')
    await expect.poll(() => new URL(page.url()).hash).toContain('at=0,2,0')
    await page.reload()
    await page.locator('canvas.map[data-ready=true]').hover({ position: { x: 14, y: 14 } })
    await expect.poll(() => page.locator('.readout .value').textContent()).toBe('8')
  })

  test('what is downloaded is the tensor', async () => {
    const { page, complaints } = await session.open('#url=files/small.kiln&view=tensors&tensor=layers.0.weight')
    const saved = async (button: string): Promise<{ name: string; bytes: Buffer }> => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: button }).click(),
      ])
      return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) }
    }
    const raw = await saved('Download raw')
    expect([raw.name, raw.bytes.toString('hex')]).toEqual([
      'layers.0.weight.bin',
      Buffer.from(grid.buffer).toString('hex'),
    ])
    const npy = await saved('Download NPY')
    expect([npy.name, npy.bytes.toString('hex')]).toEqual([
      'layers.0.weight.npy',
      await npyOf('f32', [2, 3], new Uint8Array(grid.buffer)),
    ])
    expect(complaints).toEqual([])
  })

  test('statistics come from a worker, with a histogram', async () => {
    const { page, complaints } = await session.open('#url=files/small.kiln&view=tensors&tensor=layers.0.weight')
    const facts = page.locator('.section', { hasText: 'Statistics' }).locator('.facts')
    await expect
      .poll(() => facts.innerText().then((text) => text.replace(/\s+/g, ' ')))
      .toBe('Minimum -1 Maximum 1 Mean 0.125 Std. deviation 0.7395 Zeros 1 NaN 1 ±∞ 1 Finite 4')
    await page.locator('.plot canvas').waitFor()
    expect(page.workers()).toEqual([])
    expect(complaints).toEqual([])
  })

  test('every byte is verified when asked: checksums and gaps, or the first fault with its byte', async () => {
    const payload = Uint8Array.from({ length: 100 }, (_, i) => i)
    const bytes = encodeFrame(
      modelSchema,
      { tensors: [tensor('a', 'u8', [100], payload), tensor('b', 'u8', [100], payload)], metadata: new Map() },
      { schema: true, checksum: true },
    )
    session.put('sound.kiln', bytes)
    const damaged = bytes.slice()
    damaged[bytes.length - 30]! += 1
    session.put('damaged.kiln', damaged)
    const { page, complaints } = await session.open('#url=files/sound.kiln')
    const section = page.locator('.section', { hasText: 'Every byte' })
    await section.getByRole('button', { name: 'Verify' }).click()
    await expect
      .poll(() => section.locator('.checks li').allInnerTexts())
      .toEqual(['✓\n1 checksum compared, none differs', '✓\nGaps between payloads are zero'])
    await page.goto(page.url().replace('sound', 'damaged'))
    await page.getByRole('heading', { name: 'damaged.kiln' }).waitFor()
    await section.getByRole('button', { name: 'Verify' }).click()
    expect(await section.locator('.notice-fault strong').textContent()).toBe('The checksum does not match')
    expect(await section.locator('.notice-fault .facts').innerText()).toContain('CHECKSUM')
    expect(complaints).toEqual([])
  })

  test('statistics can be cancelled', async () => {
    const bytes = modelFile([tensor('w', 'f32', [2 ** 21], new Float32Array(2 ** 21))])
    // The payload doesn't come before it is let go, however slow the machine is with a click.
    let letGo = (): void => undefined
    const held = new Promise<void>((resolve) => { letGo = resolve })
    session.files.set('slow.kiln', {
      size: bytes.length,
      async read(offset: number, length: number) {
        if (length > 2 ** 20) await held
        return bytes.subarray(offset, offset + length)
      },
    })
    const { page, complaints } = await session.open('#url=files/slow.kiln&view=tensors&tensor=w')
    await page.getByRole('button', { name: 'Compute' }).click()
    await page.getByRole('progressbar').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Compute' }).waitFor()
    // Its payload is still held, so nothing but being ended ends the worker; the browser tells a moment later.
    await expect.poll(() => page.workers().length).toBe(0)
    letGo()
    expect(complaints).toEqual([])
  })

  test('a hundred thousand tensors are a list of a few rows', async () => {
    session.put('many.kiln', manyTensors(100_000))
    const { page, complaints } = await session.open('#url=files/many.kiln&view=tensors&sort=offset')
    await page.locator('.grid-row').first().waitFor()
    expect(await page.locator('.grid-row').count()).toBeLessThan(80)
    await page.getByRole('grid').focus()
    await page.keyboard.press('End')
    await expect.poll(() => page.locator('.grid-row .cell-name').last().textContent()).toBe('model.layers.9999.part_9')
    expect(complaints).toEqual([])
  })

  test('a frame is a tree whose parts open', async () => {
    const schema = k.struct({
      id: k.u64,
      names: k.list(k.string),
      seed: k.option(k.u8),
      scores: k.dict(k.string, k.f32),
    })
    session.put(
      'record.kiln',
      encodeFrame(
        schema,
        { id: 7, names: ['a', 'b'], seed: undefined, scores: new Map([['x', 0.1]]) },
        { schema: true },
      ),
    )
    const { page, complaints } = await session.open('#url=files/record.kiln&view=value')
    const rows = () =>
      page
        .locator('.value-row')
        .evaluateAll((all) => all.map((row) => [...row.querySelectorAll('bdi')].map((e) => e.textContent).join('=')))
    await expect.poll(rows).toEqual(['value=4 fields', 'id=7', 'names=2 entries', 'seed=none', 'scores=1 entry'])
    await page.locator('.value-row').nth(2).click()
    await expect
      .poll(rows)
      .toEqual(['value=4 fields', 'id=7', 'names=2 entries', '[0]="a"', '[1]="b"', 'seed=none', 'scores=1 entry'])
    await page.locator('.value-row').nth(6).click()
    await expect.poll(async () => (await rows()).at(-1)).toBe('"x"=0.1')
    await page.locator('.value-row').nth(3).click()
    await expect.poll(() => page.getByLabel('Value', { exact: true }).textContent()).toBe('a')
    expect(complaints).toEqual([])
  })

  test('other formats are shown too', async () => {
    const { page, complaints } = await session.open('#')
    await drop(page, [
      { name: 'a.npy', bytes: Buffer.from(await npyOf('u8', [2, 2], Uint8Array.of(1, 2, 3, 4)), 'hex') },
    ])
    await page.getByText('NPY array', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Tensors' }).click()
    await page.locator('.grid-row').click()
    await page.locator('canvas.map[data-ready=true]').hover({ position: { x: 42, y: 42 } })
    await expect.poll(() => page.locator('.readout .value').textContent()).toBe('4')
    expect(complaints).toEqual([])
  })
})

async function npyOf(dtype: 'f32' | 'u8', shape: readonly number[], bytes: Uint8Array): Promise<string> {
  const pieces: Uint8Array[] = []
  const sink = {
    write: async (piece: Uint8Array) => void pieces.push(piece.slice()),
    close: async () => undefined,
    abort: async () => undefined,
  }
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield bytes
  }
  await writeNpy({ name: '', dtype, shape, byteLength: bytes.length, chunks }, sink)
  return Buffer.concat(pieces).toString('hex')
}

test('the samples are what the tests take them for', () => {
  expect(readDirectory(manyTensors(3)).names).toEqual([
    'model.layers.0.part_0',
    'model.layers.0.part_1',
    'model.layers.0.part_2',
  ])
})
