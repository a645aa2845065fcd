import { bytesSource, encodeDirectory, open, tensor, type ByteSource } from 'kiln-format'
import { expect, test } from 'vitest'
import { fault, faultOf } from '../support/fault.js'
import { counted } from '../support/sources.js'

const payload = (i: number, length: number): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length }, (_, j) => (i * 7 + j) % 256)
const file = (count: number, length: number): Uint8Array =>
  encodeDirectory(Array.from({ length: count }, (_, i) => tensor(`t${i}`, 'u8', [length], payload(i, length))))

async function names(tensors: AsyncIterable<{ name: string }>): Promise<string[]> {
  const list: string[] = []
  for await (const t of tensors) list.push(t.name)
  return list
}

test('tensors come in the order asked for, each with its own payload', async () => {
  const model = await open(file(50, 100))
  const order = [7, 3, 49, 3, 0, 48, 20]
  const got: number[] = []
  for await (const t of model.loadAll(order)) {
    expect(t.bytes).toEqual(payload(t.index, 100))
    got.push(t.index)
  }
  expect(got).toEqual(order)
  expect(await names(model.loadAll(['t2', 't1', 3]))).toEqual(['t2', 't1', 't3'])
  expect(await names(model.loadAll())).toEqual(model.names)
  expect(await names(model.loadAll([]))).toEqual([])
})

test('near payloads are one read; far ones, and those over the limit, are several', async () => {
  const source = counted(file(100, 128))
  const model = await open(source)
  const reads = async (keys: number[], options: object): Promise<number[]> => {
    source.reads.length = 0
    await names(model.loadAll(keys, options))
    return source.reads.map(({ length }) => length)
  }
  expect(await reads([0, 1, 2, 3], {})).toEqual([512])
  expect(await reads([3, 1, 0, 2], {})).toEqual([512])
  expect(await reads([0, 2], { gap: 128 })).toEqual([384])
  expect(await reads([0, 2], { gap: 127 })).toEqual([128, 128])
  expect(await reads([0, 1, 2, 3], { mergeLimit: 256 })).toEqual([256, 256])
  expect(await reads([0, 1, 2, 3], { mergeLimit: 100 })).toEqual([128, 128, 128, 128])
  expect(await reads([0, 1, 2, 3], { ahead: 256 })).toEqual([256, 256])
})

test('a small tensor does not keep its neighbours in memory', async () => {
  const model = await open(file(10, 100))
  for await (const t of model.loadAll()) expect(t.bytes.buffer.byteLength).toBe(100)
})

/** A source that says how many reads run at a time, each of which takes a while. */
function slow(bytes: Uint8Array): ByteSource & { most: number; running: number; total: number } {
  const inner = bytesSource(bytes)
  const source = {
    size: inner.size,
    label: 'slow',
    most: 0,
    running: 0,
    total: 0,
    async read(offset: number, length: number) {
      source.total += length
      source.most = Math.max(source.most, ++source.running)
      await new Promise((resolve) => setTimeout(resolve, 2))
      source.running--
      return inner.read(offset, length)
    },
  }
  return source
}

test('reads run side by side, no more than allowed', async () => {
  for (const concurrency of [1, 3]) {
    const source = slow(file(40, 200))
    const model = await open(source)
    source.most = 0
    await names(model.loadAll(undefined, { mergeLimit: 0, concurrency }))
    expect(source.most).toBe(concurrency)
  }
})

test('no more is read ahead than allowed, however slow the loop is', async () => {
  const source = slow(file(100, 1000))
  const model = await open(source)
  source.total = 0
  let seen = 0
  for await (const t of model.loadAll(undefined, { ahead: 4000, mergeLimit: 0 })) {
    seen++
    await new Promise((resolve) => setTimeout(resolve, 5))
    // The batch of this tensor, and the one after it.
    expect(source.total).toBeLessThanOrEqual((Math.floor(t.index / 4) + 2) * 4000)
  }
  expect(seen).toBe(100)
})

test('leaving the loop ends the reads that are under way', async () => {
  const aborted: unknown[] = []
  const inner = bytesSource(file(20, 1000))
  const source: ByteSource = {
    size: inner.size,
    label: 'watched',
    read: (offset, length, options) => {
      options?.signal?.addEventListener('abort', () => aborted.push(offset))
      return inner.read(offset, length)
    },
  }
  const model = await open(source)
  for await (const t of model.loadAll(undefined, { ahead: 2000, mergeLimit: 0 })) {
    expect(t.name).toBe('t0')
    break
  }
  expect(aborted.length).toBeGreaterThan(0)
})

test('a read that fails is met where its tensor comes, and nothing else complains', async () => {
  const inner = bytesSource(file(20, 1000))
  const model = await open(inner)
  const bad = model.get('t10').byteOffset
  const failing: ByteSource = {
    ...inner,
    read: async (offset, length) => inner.read(offset, offset === bad ? length - 1 : length),
  }
  const broken = await open(failing)
  const seen: string[] = []
  const run = async (): Promise<void> => {
    for await (const t of broken.loadAll(undefined, { mergeLimit: 0, ahead: 3000 })) seen.push(t.name)
  }
  expect(await faultOf(run())).toMatchObject({ code: 'EOF', path: 't10' })
  expect(seen).toEqual(model.names.slice(0, 10))
})

test('a name that is not there is told before anything is read', async () => {
  const source = counted(file(3, 10))
  const model = await open(source)
  source.reads.length = 0
  expect(() => model.loadAll(['t0', 'x'])).toThrow('no tensor is named "x"')
  expect(() => model.loadAll('t0' as never)).toThrow('loadAll takes a list')
  expect(source.reads).toEqual([])
  expect(fault(() => model.loadAll('t0' as never)).code).toBe('TYPE')
  for (const [name, least] of [['gap', 0], ['mergeLimit', 0], ['concurrency', 1], ['ahead', 0]] as const) {
    for (const value of [least - 1, least + 0.5, NaN]) {
      expect(await faultOf(model.loadAll(['t0'], { [name]: value }).next())).toMatchObject({
        code: 'TYPE', detail: `${name} is an integer from ${least} on, got ${value}`,
      })
    }
    for (const value of [least, Infinity, undefined]) expect(await names(model.loadAll(['t0', 't1'], { [name]: value }))).toEqual(['t0', 't1'])
  }
})

test('the next batch is read while the loop is at this one, and the one behind it is not', async () => {
  const source = counted(file(9, 128))
  const model = await open(source)
  source.reads.length = 0
  const loop = model.loadAll(undefined, { ahead: 384 })
  await loop.next()
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(source.reads.map(({ length }) => length)).toEqual([384, 384])
  await loop.return()
})

test('leaving the loop says so to what is under way, and leaves nothing listening or unheard', async () => {
  const inner = bytesSource(file(9, 128))
  const reasons: unknown[] = []
  let reads = 0
  const source: ByteSource = {
    ...inner,
    read: (offset, length, options) => {
      if (++reads <= 2) return inner.read(offset, length)
      return new Promise((_, reject) => {
        options?.signal?.addEventListener('abort', () => {
          try {
            options.signal?.throwIfAborted()
          } catch (reason) {
            reasons.push(reason)
            reject(new Error('stopped'))
          }
        })
      })
    },
  }
  const model = await open(source)
  const controller = new AbortController()
  let listening = 0
  const signal = {
    throwIfAborted: () => controller.signal.throwIfAborted(),
    addEventListener: (_: string, listener: () => void) => (listening++, controller.signal.addEventListener('abort', listener)),
    removeEventListener: (_: string, listener: () => void) => (listening--, controller.signal.removeEventListener('abort', listener)),
  }
  for await (const t of model.loadAll(undefined, { ahead: 128, signal: signal as never })) {
    expect(t.name).toBe('t0')
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(listening).toBe(1)
    break
  }
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(reasons).toMatchObject([{ code: 'TYPE', detail: 'the loop over the tensors was left' }])
  expect(listening).toBe(0)
})

test('a source whose reads are dear is read once for what is used again', async () => {
  const source = counted({ ...bytesSource(file(20, 1000)), readSize: 2 ** 20 })
  const model = await open(source)
  await model.load('t1')
  source.reads.length = 0
  const again = await model.load('t1')
  expect(source.reads).toEqual([])
  again.bytes.fill(0)
  expect((await model.load('t1')).bytes).toEqual(payload(1, 1000))
  const uncached = await open(counted(bytesSource(file(20, 1000))))
  const watched = uncached.source as ReturnType<typeof counted>
  watched.reads.length = 0
  await uncached.load('t1')
  await uncached.load('t1')
  expect(watched.reads.length).toBe(2)
})

test('what is kept is bounded: those used longest ago go first', async () => {
  const source = counted(file(10, 1000))
  const model = await open(source, { cache: 2500 })
  const readsOf = async (name: string): Promise<number> => {
    source.reads.length = 0
    await model.load(name)
    return source.reads.length
  }
  expect([await readsOf('t0'), await readsOf('t1'), await readsOf('t0'), await readsOf('t2')]).toEqual([1, 1, 0, 1])
  expect([await readsOf('t0'), await readsOf('t1')]).toEqual([0, 1])
})

test('1,000 loads at once', async () => {
  const model = await open(slow(file(1000, 64)))
  const loaded = await Promise.all(model.names.map((name) => model.load(name)))
  loaded.forEach((t, i) => expect(t.bytes).toEqual(payload(i, 64)))
})
