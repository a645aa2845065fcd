import { encodeFrame, k, readFrames, tensor } from 'kiln-format'
import { connect } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openPage, startBrowser, unlessMissing } from '../support/chromium.js'
import { start, type Running } from '../support/running.js'
import { Detector } from './detector.mjs'
import { detect } from './shared/client.mjs'
import { Answer, Fault, Request } from './shared/messages.mjs'
import { hum, RATE, silence, voice } from './shared/sounds.mjs'

vi.setConfig({ testTimeout: 180_000 })

let example: Running
let origin: string
let detector: Detector
beforeAll(async () => {
  example = await start('inference-server', ['0.5', '1'], /The page: \S+/)
  origin = /The page: (\S+)/.exec(example.printed)![1]!
  detector = await Detector.load()
}, 300_000)
afterAll(() => example?.stop())

const asked = (id: number, samples: Float32Array, temperature = 1) =>
  ({ audio: [tensor('audio', 'f32', [samples.length], samples)], id, model: Detector.model, temperature })

async function answersTo(...frames: Uint8Array[]): Promise<object[]> {
  const response = await fetch(`${origin}/detect`, { method: 'POST', body: new Blob(frames as BlobPart[]) })
  const answers: object[] = []
  for await (const { value } of readFrames(response.body!, [Answer, Fault])) answers.push(value)
  return answers
}

test('it prints the bytes of both ways, which are known', () => {
  // 8,000 samples: 32,000 bytes, or 42,668 characters of base64.
  expect(example.printed).toMatch(/^Kiln frames +32,317 B +129 B +\d+ ms +\S+ ms$/m)
  expect(example.printed).toMatch(/^JSON, base64 +42,7\d\d B +\d+ B +\d+ ms +\S+ ms$/m)
})

test('requests in one body are answered in order, each with what the model says by itself', async () => {
  const sounds = [voice(4096), hum(4096), silence(2100)]
  const answers = []
  for await (const answer of detect(`${origin}/detect`, sounds.map((sound, i) => asked(i, sound)))) answers.push(answer)
  expect(answers.map(({ id }) => id)).toEqual([0n, 1n, 2n])
  for (const [i, sound] of sounds.entries()) expect(answers[i]!.speech).toEqual(await detector.speech(sound, 1))
  expect(answers.map(({ speech }) => speech.length)).toEqual([8, 8, 4])
  expect(answers.map(({ speech }) => Math.max(...speech) > 0.5)).toEqual([true, false, false])
})

test('clients at the same time get their own answers, and a temperature what it does to the odds', async () => {
  const ask = async (temperature: number) => {
    for await (const answer of detect(`${origin}/detect`, [asked(7, voice(1024), temperature)])) return answer.speech
    return undefined
  }
  const [plain, softer] = await Promise.all([ask(1), ask(2)])
  expect(plain).toEqual(await detector.speech(voice(1024), 1))
  const odds = (likely: number) => likely / (1 - likely)
  expect(odds(softer![1]!) ** 2).toBeCloseTo(odds(plain![1]!), 4)
})

test('a request that can\'t be answered gets a fault of its own, and the next one its answer', async () => {
  const sound = asked(0, silence(512))
  const answers = await answersTo(
    encodeFrame(Request, { ...sound, id: 1, model: 'another' }),
    encodeFrame(Request, { ...sound, id: 2, audio: [] }),
    encodeFrame(Request, { ...sound, id: 3, audio: [tensor('audio', 'f64', [1], [0])] }),
    encodeFrame(Request, { ...sound, id: 4, temperature: 0 }),
    encodeFrame(Request, { ...sound, id: 5 }),
  )
  expect(answers).toMatchObject([
    { id: 1n, code: 'TYPE', message: 'TYPE: there is no model another here, only silero_vad_v5' },
    { id: 2n, code: 'TYPE' },
    { id: 3n, code: 'TYPE' },
    { id: 4n, code: 'TYPE', message: 'TYPE: a temperature is over 0, got 0' },
    { id: 5n, speech: await detector.speech(silence(512), 1) },
  ])
})

test('what is no request, is of another schema, cut short or too long is a fault without id', async () => {
  const whole = encodeFrame(Request, asked(1, silence(512)))
  expect(await answersTo(new Uint8Array(64))).toMatchObject([{ id: undefined, code: 'FRAME' }])
  expect(await answersTo(encodeFrame(k.u8, 1))).toMatchObject([{ id: undefined, code: 'FRAME' }])
  expect(await answersTo(whole, whole.subarray(0, 90))).toMatchObject([{ id: 1n }, { id: undefined, code: 'EOF' }])
  const long = encodeFrame(Request, asked(1, silence(2 ** 20))).subarray(0, 64)
  expect(await answersTo(long)).toMatchObject([{ id: undefined, code: 'LIMIT' }])
})

test('a client that goes away in the middle of a request harms nobody', async () => {
  const frame = encodeFrame(Request, asked(1, silence(512)))
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  socket.write(`POST /detect HTTP/1.1\r\nHost: a\r\nContent-Length: ${frame.length * 2}\r\n\r\n`)
  socket.write(frame)
  socket.write(frame.subarray(0, 1000))
  await new Promise((resolve) => socket.once('data', resolve)) // the first answer
  socket.destroy()
  expect(await answersTo(encodeFrame(Request, asked(2, silence(512))))).toMatchObject([{ id: 2n }])
  expect(example.complaints).toBe('')
})

test('addresses that lead nowhere are 404, and bad ones harm nobody', async () => {
  const status = async (path: string) => (await fetch(origin + path)).status
  expect(await Promise.all(['/', '/shared/client.mjs', '/kiln-format/index.js'].map(status))).toEqual([200, 200, 200])
  const out = ['/detect', '/main.mjs', '/shared/', '/shared/../../main.mjs', '/shared/%2e%2e/main.mjs', '/shared/..%2fmain.mjs', '/%00']
  expect(await Promise.all(out.map(status))).toEqual(out.map(() => 404))
  const answer = await new Promise((resolve) => {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1', () => socket.end('GET :99999/ HTTP/1.1\r\nHost: a\r\n\r\n'))
    socket.once('data', (bytes) => resolve(bytes.toString('latin1').slice(0, 12)))
  })
  expect(answer).toBe('HTTP/1.1 400')
})

describe.skipIf(unlessMissing !== '')(`the page in Chromium${unlessMissing}`, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(() => browser?.close())

  test('shows what the model says, under a policy that it does not offend', async () => {
    const { page, complaints } = await openPage(browser, origin)
    for (const [name, sound] of [['voice', voice], ['silence', silence]] as const) {
      const greatest = Math.max(...(await detector.speech(sound(RATE / 2), 1))).toFixed(3)
      await page.getByLabel('Sound').selectOption(name)
      await page.getByRole('button', { name: 'Ask' }).click()
      await page.getByText(`15 windows, speech at most ${greatest}`).waitFor()
    }
    expect(complaints).toEqual([])
  })

  test('says what the server refuses, and takes a file of audio', async () => {
    const { page, complaints } = await openPage(browser, origin)
    await page.getByLabel('Temperature').evaluate((input: HTMLInputElement) => input.removeAttribute('min'))
    await page.getByLabel('Temperature').fill('-1')
    await page.getByRole('button', { name: 'Ask' }).click()
    await page.getByText('TYPE: a temperature is over 0, got -1').waitFor()

    await page.getByLabel('Temperature').fill('1')
    await page.getByLabel('file').setInputFiles({ name: 'a.wav', mimeType: 'audio/wav', buffer: wav(voice(4096)) })
    await page.getByRole('button', { name: 'Ask' }).click()
    await page.getByText('request 2: 8 windows').waitFor()
    expect(complaints).toEqual([])
  })
})

/** 16-bit mono samples as a WAV file. */
function wav(samples: Float32Array): Buffer {
  const file = Buffer.alloc(44 + samples.length * 2)
  file.write('RIFF____WAVEfmt ', 'latin1')
  file.writeUInt32LE(file.length - 8, 4)
  file.writeUInt32LE(16, 16)
  file.writeUInt16LE(1, 20)
  file.writeUInt16LE(1, 22)
  file.writeUInt32LE(RATE, 24)
  file.writeUInt32LE(RATE * 2, 28)
  file.writeUInt16LE(2, 32)
  file.writeUInt16LE(16, 34)
  file.write('data', 36, 'latin1')
  file.writeUInt32LE(samples.length * 2, 40)
  samples.forEach((sample, i) => file.writeInt16LE(Math.round(sample * 32_767), 44 + i * 2))
  return file
}
