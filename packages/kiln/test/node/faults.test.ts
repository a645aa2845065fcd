import { execFileSync } from 'node:child_process'
import { open as openHandle, mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile as writePlain } from 'node:fs/promises'
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeDirectory, open, tensor, verifyDirectory, writeDirectory } from 'kiln-format'
import { openFile, writeFile } from 'kiln-format/node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { faultOf } from '../support/fault.js'
import { pattern } from '../support/http.js'
import { randomSource } from '../support/random.js'

let root = ''
let small = ''
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'kiln-faults-'))
  small = smallDisk()
})
afterAll(async () => {
  if (small !== '') execFileSync('umount', [small])
  await rm(root, { recursive: true, force: true })
})

/** A disk of 256 KiB; empty where this process may not mount one. */
function smallDisk(): string {
  const path = join(root, 'small')
  try {
    execFileSync('mkdir', [path])
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', path], { stdio: 'ignore' })
    return path
  } catch {
    return ''
  }
}

const names = Array.from({ length: 1000 }, (_, i) => `t${i}`)
const payload = (i: number): Uint8Array<ArrayBuffer> => pattern(500 + i).subarray(i)
const block = encodeDirectory(names.map((name, i) => tensor(name, 'u8', [500], payload(i))))

async function fresh(name: string): Promise<string> {
  const folder = join(root, name)
  await mkdir(folder)
  return folder
}

test('a real disk that is full: LIMIT, the old file stays, nothing else is left', async (context) => {
  if (small === '') context.skip('a tmpfs can not be mounted here; write-file.test.ts has disks that fail by name')
  const path = join(small, 'file')
  await writePlain(path, 'old')
  const error = await faultOf(writeFile(path, pattern(400_000)))
  expect(error.code).toBe('LIMIT')
  expect(error.detail).toContain('disk is full')
  expect(await readFile(path, 'utf8')).toBe('old')
  expect(await readdir(small)).toEqual(['file'])
  await writeFile(path, pattern(100_000))
  expect((await readFile(path)).length).toBe(100_000)
})

test('reads that the system cuts short are gone on with', async () => {
  const path = join(await fresh('short'), 'file')
  await writePlain(path, block)
  const handle = await openHandle(path, 'r')
  const prototype = Object.getPrototypeOf(handle) as { read(...args: unknown[]): Promise<unknown> }
  await handle.close()
  const own = prototype.read
  let cut = 0
  prototype.read = function (this: unknown, buffer: unknown, offset: unknown, length: unknown, position: unknown) {
    if (typeof length !== 'number') throw new Error('read is called in another form')
    if (length > 100) cut++
    return own.call(this, buffer, offset, Math.min(length, 100), position)
  }
  try {
    await using file = await openFile(path)
    expect(Buffer.compare(await file.read(3, 5000), block.subarray(3, 5003))).toBe(0)
    await using model = await open(openFile(path))
    expect((await model.load('t77')).bytes).toEqual(payload(77))
  } finally {
    prototype.read = own
  }
  expect(cut).toBeGreaterThan(50)
})

test('a file that becomes shorter while its tensors are loaded ends in EOF, and what was whole is right', async () => {
  const path = join(await fresh('shrinking'), 'file')
  await writePlain(path, block)
  await using model = await open(openFile(path))
  const kept = model.get('t600').byteOffset
  let loaded = 0
  const ended = await faultOf(
    (async () => {
      for await (const { bytes } of model.loadAll(undefined, { gap: 0, concurrency: 1, readAhead: 0 } as object)) {
        expect(bytes).toEqual(payload(loaded++))
        if (loaded === 100) await truncate(path, kept)
      }
    })(),
  )
  expect(ended.code).toBe('EOF')
  expect(loaded).toBeLessThanOrEqual(600)
  expect(loaded).toBeGreaterThanOrEqual(100)
})

test('1,000 loads of a file at once, and two opens of it', async () => {
  const path = join(await fresh('many'), 'file')
  await writePlain(path, block)
  await using first = await open(openFile(path))
  await using second = await open(openFile(path))
  const loads = await Promise.all(names.map((name, i) => (i % 2 === 0 ? first : second).load(name)))
  loads.forEach(({ bytes }, i) => expect(bytes).toEqual(payload(i)))
})

const handles = (): number => (process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0)

/** Resolves after some turns of the loop, of each of its phases. */
async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await (i % 3 === 0 ? new Promise((resolve) => setImmediate(resolve)) : Promise.resolve())
}

test('an abort at 200 random moments of reading: its reason or the whole answer, and no handle stays open', async () => {
  const path = join(await fresh('aborts'), 'file')
  await writePlain(path, block)
  const random = randomSource(11)
  const before = handles()
  const ends = { whole: 0, aborted: 0 }
  for (let i = 0; i < 200; i++) {
    const controller = new AbortController()
    const { signal } = controller
    const reason = new Error('enough')
    const reading = (async () => {
      await using model = await open(openFile(path, { signal }), { signal })
      const sizes: number[] = []
      for await (const { byteLength } of model.loadAll(['t1', 't500', 't999'], { signal })) sizes.push(byteLength)
      return sizes
    })()
    void turns(random() % 60).then(() => controller.abort(reason))
    await reading.then(
      (sizes) => {
        expect(sizes).toEqual([500, 500, 500])
        ends.whole++
      },
      (error: unknown) => {
        expect(error).toBe(reason)
        ends.aborted++
      },
    )
  }
  expect(handles()).toBe(before)
  expect(ends.aborted).toBeGreaterThan(0)
  expect(ends.whole + ends.aborted).toBe(200)
})

test('an abort at 100 random moments of writing: the old file or the new one, and nothing else', async () => {
  const folder = await fresh('written')
  const path = join(folder, 'file')
  await writePlain(path, 'old')
  const random = randomSource(12)
  const reason = new Error('enough')
  let old = 0
  for (let i = 0; i < 100; i++) {
    const controller = new AbortController()
    const { signal } = controller
    const stop = random() % 40
    async function* chunks(): AsyncGenerator<Uint8Array> {
      for (let piece = 0; piece < 30; piece++) {
        if (piece === stop) controller.abort(reason)
        yield new Uint8Array(1000).fill(i)
      }
    }
    const streamed = { name: 'w', dtype: 'u8', shape: [30_000], chunks } as const
    const writing = writeFile(path, (sink) => writeDirectory(sink, [streamed], { signal }), { signal })
    await writing.then(
      () => undefined,
      (error: unknown) => expect(error).toBe(reason),
    )
    const bytes = await readFile(path)
    if (bytes.length === 3) old++
    else expect(new Set(verifyDirectory(bytes).get('w').bytes).size).toBe(1)
    expect(await readdir(folder)).toEqual(['file'])
    if (stop < 30) await writePlain(path, 'old')
  }
  expect(old).toBeGreaterThan(0)
  expect(old).toBeLessThan(100)
})
