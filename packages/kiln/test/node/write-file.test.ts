import { execFileSync, spawn } from 'node:child_process'
import {
  chmod,
  link,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile as writePlain,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { encodeDirectory, tensor, writeDirectory } from 'kiln-format'
import { fileSink, openFile, writeFile } from 'kiln-format/node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { faultOf } from '../support/fault.js'
import { pattern } from '../support/http.js'
import { randomSource } from '../support/random.js'

let root = ''
let count = 0
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'kiln-write-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))

/** A folder of its own for a test. */
async function fresh(): Promise<string> {
  const folder = join(root, String(count++))
  await mkdir(folder)
  return folder
}

test('bytes, parts, a stream and a function become files', async () => {
  const folder = await fresh()
  const bytes = pattern(1000)
  const parts = [bytes.subarray(0, 1), bytes.subarray(1, 1), bytes.subarray(1)]
  async function* stream(): AsyncGenerator<Uint8Array> {
    yield* parts
  }
  const contents = [
    bytes,
    bytes.buffer,
    new DataView(bytes.buffer),
    parts,
    stream(),
    async (sink: { write(c: Uint8Array): Promise<void> }) => {
      for (const part of parts) await sink.write(part)
    },
  ]
  for (const [i, content] of contents.entries()) {
    await writeFile(join(folder, `f${i}`), content)
    expect(new Uint8Array(await readFile(join(folder, `f${i}`)))).toEqual(bytes)
  }
  expect(await readdir(folder)).toEqual(contents.map((_, i) => `f${i}`))
})

test('a directory goes to a file, checksums too, in one pass', async () => {
  const folder = await fresh()
  const tensors = [tensor('a', 'u8', [100], pattern(100)), tensor('b', 'f32', [2], new Float32Array([1, 2]))]
  let passes = 0
  const streamed = tensors.map(({ data, ...rest }) => ({
    ...rest,
    *chunks() {
      passes++
      const view = data as Uint8Array
      yield new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
    },
  }))
  await writeFile(join(folder, 'x.kiln'), (sink) => writeDirectory(sink, streamed, { checksums: true }))
  expect(new Uint8Array(await readFile(join(folder, 'x.kiln')))).toEqual(encodeDirectory(tensors, { checksums: true }))
  expect(passes).toBe(2)
})

test('until it is closed the old file is there, and afterwards no other', async () => {
  const folder = await fresh()
  const path = join(folder, 'file')
  await writePlain(path, 'old')
  const sink = await fileSink(path)
  await sink.write(pattern(10))
  expect(await readFile(path, 'utf8')).toBe('old')
  expect((await readdir(folder)).length).toBe(2)
  await sink.close()
  await sink.close()
  expect(new Uint8Array(await readFile(path))).toEqual(pattern(10))
  await sink.abort()
  expect(await readdir(folder)).toEqual(['file'])
  expect(await faultOf(sink.write(pattern(1)))).toMatchObject({ code: 'TYPE' })
})

test('an error, or an abort, leaves everything as it was', async () => {
  const folder = await fresh()
  const path = join(folder, 'file')
  await writePlain(path, 'old')
  const failure = new Error('half way')
  await expect(
    writeFile(path, async (sink) => {
      await sink.write(pattern(10))
      throw failure
    }),
  ).rejects.toBe(failure)
  const controller = new AbortController()
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (let i = 0; ; i++) {
      if (i === 5) controller.abort(failure)
      yield pattern(1000)
    }
  }
  await expect(writeFile(path, endless(), { signal: controller.signal })).rejects.toBe(failure)
  const sink = await fileSink(path)
  await sink.abort()
  await sink.abort()
  expect(await faultOf(sink.close())).toMatchObject({ code: 'TYPE' })
  expect(await readdir(folder)).toEqual(['file'])
  expect(await readFile(path, 'utf8')).toBe('old')
})

test('permissions: those of the file that is replaced, those asked for, or what the umask leaves', async () => {
  const folder = await fresh()
  const mode = async (name: string): Promise<number> => (await stat(join(folder, name))).mode % 0o10000
  await writePlain(join(folder, 'old'), 'x')
  await chmod(join(folder, 'old'), 0o640)
  await writeFile(join(folder, 'old'), pattern(1))
  await writeFile(join(folder, 'new'), pattern(1))
  await writeFile(join(folder, 'asked'), pattern(1), { mode: 0o604 })
  await writePlain(join(folder, 'plain'), 'x')
  expect([await mode('old'), await mode('new'), await mode('asked')]).toEqual([0o640, await mode('plain'), 0o604])
})

test('a symbolic link stays, and leads to the new file; one to nothing too', async () => {
  const folder = await fresh()
  await mkdir(join(folder, 'far'))
  await writePlain(join(folder, 'far', 'target'), 'old')
  await symlink('far/target', join(folder, 'link'))
  await symlink('link', join(folder, 'link2'))
  await symlink('far/none', join(folder, 'dangling'))
  await writeFile(join(folder, 'link2'), pattern(5))
  await writeFile(join(folder, 'dangling'), pattern(6))
  expect((await lstat(join(folder, 'link'))).isSymbolicLink()).toBe(true)
  expect((await readFile(join(folder, 'far', 'target'))).length).toBe(5)
  expect((await readFile(join(folder, 'far', 'none'))).length).toBe(6)
  expect(await readdir(join(folder, 'far'))).toEqual(['none', 'target'])
  await symlink('y', join(folder, 'x'))
  await symlink('x', join(folder, 'y'))
  expect(await faultOf(writeFile(join(folder, 'x'), pattern(1)))).toMatchObject({ code: 'TYPE' })
})

test('a source is not written over, under whatever name', async () => {
  const folder = await fresh()
  const path = join(folder, 'source')
  await writePlain(path, 'source')
  await symlink('source', join(folder, 'soft'))
  await link(path, join(folder, 'hard'))
  await using open = await openFile(path)
  for (const name of ['source', 'soft', 'hard', '../' + String(count - 1) + '/source']) {
    for (const source of [path, join(folder, 'hard'), open]) {
      const error = await faultOf(
        writeFile(join(folder, name), pattern(3), { sources: [join(folder, 'none'), source] }),
      )
      expect(error.code).toBe('TYPE')
      expect(error.detail).toContain('is the file that is read')
    }
  }
  expect(await readFile(path, 'utf8')).toBe('source')
  expect((await readdir(folder)).sort()).toEqual(['hard', 'soft', 'source'])
  await writeFile(join(folder, 'other'), pattern(3), { sources: [path, open] })
})

test('where no file can be put is told before anything is written', async () => {
  const folder = await fresh()
  await writePlain(join(folder, 'file'), 'x')
  // A pipe of its own, not a device of the machine: a writer that takes it for a file replaces it.
  execFileSync('mkfifo', [join(folder, 'pipe')])
  for (const [path, word] of [
    [folder, 'folder'],
    [join(folder, 'new/'), 'folder'],
    [join(folder, 'file/'), 'folder'],
    [join(folder, 'pipe'), 'pipe'],
    [join(folder, 'none', 'x'), 'does not exist'],
    [join(folder, 'file', 'x'), 'not a folder'],
    [join(folder, 'n'.repeat(300)), 'longer than'],
  ] as const) {
    const error = await faultOf(writeFile(path, pattern(1)))
    expect([path, error.code]).toEqual([path, 'TYPE'])
    expect(error.detail).toContain(word)
  }
  expect((await readdir(folder)).sort()).toEqual(['file', 'pipe'])
  expect((await lstat(join(folder, 'pipe'))).isFIFO()).toBe(true)
})

test('long names, of wide characters too, leave room for the temporary one', async () => {
  const folder = await fresh()
  for (const name of ['n'.repeat(255), 'ü'.repeat(127), '\u{1f600}'.repeat(63)]) {
    await writeFile(join(folder, name), pattern(1))
    expect((await stat(join(folder, name))).size).toBe(1)
  }
})

/** Replaces one function of the file handles that a sink works on, for a disk that fails. */
async function failing<T>(
  path: string,
  name: 'write' | 'sync' | 'chmod' | 'close',
  code: string,
  run: () => Promise<T>,
): Promise<T> {
  const handle = await (await import('node:fs/promises')).open(path, 'r')
  const prototype = Object.getPrototypeOf(handle) as Record<string, unknown>
  await handle.close()
  const before = prototype[name]
  prototype[name] = () => Promise.reject(Object.assign(new Error(`${code}: failed`), { code }))
  try {
    return await run()
  } finally {
    prototype[name] = before
  }
}

test.each([
  ['write', 'ENOSPC', 'LIMIT', 'disk is full'],
  ['write', 'EDQUOT', 'LIMIT', 'quota'],
  ['write', 'EFBIG', 'LIMIT', 'split'],
  ['write', 'EIO', 'EOF', 'damaged'],
  ['sync', 'ENOSPC', 'LIMIT', 'disk is full'],
  ['sync', 'EIO', 'EOF', 'damaged'],
] as const)('a disk that fails at %s with %s: %s', async (name, code, expected, word) => {
  const folder = await fresh()
  const path = join(folder, 'file')
  await writePlain(path, 'old')
  const error = await failing(path, name, code, () => faultOf(writeFile(path, pattern(10))))
  expect(error.code).toBe(expected)
  expect(error.detail).toContain(word)
  expect(error.detail).toContain(path)
  expect(await readdir(folder)).toEqual(['file'])
  expect(await readFile(path, 'utf8')).toBe('old')
})

test("a sink that has failed can't be closed into a file", async () => {
  const folder = await fresh()
  const path = join(folder, 'file')
  await writePlain(path, 'old')
  const sink = await fileSink(path)
  await failing(path, 'write', 'ENOSPC', () => faultOf(sink.write(pattern(10))))
  expect(await faultOf(sink.write(pattern(1)))).toMatchObject({ code: 'TYPE' })
  expect(await faultOf(sink.close())).toMatchObject({ code: 'TYPE' })
  await sink.abort()
  expect(await readdir(folder)).toEqual(['file'])
})

const child = fileURLToPath(new URL('write-and-wait.mjs', import.meta.url))
const built = fileURLToPath(new URL('../../dist/node/index.js', import.meta.url))

/** Runs a process that writes a file again and again, ends it by a signal after a while, and gives its exit. */
async function killed(path: string, signal: NodeJS.Signals, milliseconds: number): Promise<string> {
  const process_ = spawn(process.execPath, [child, built, path], { stdio: ['ignore', 'pipe', 'inherit'] })
  // Listened to from the start: a child that ends early must not be waited for without end.
  const ended = new Promise<string>((resolve) => process_.once('exit', (code, by) => resolve(String(by ?? code))))
  await Promise.race([ended, new Promise((resolve) => process_.stdout.once('data', resolve))])
  await new Promise((resolve) => setTimeout(resolve, milliseconds))
  process_.kill(signal)
  return ended
}

test('a writer that is ended at 100 random moments leaves the old file or the new one, whole', { timeout: 300_000 }, async () => {
  const random = randomSource(7)
  // Four at a time, each in a folder of its own.
  const lanes = Array.from({ length: 4 }, async (_, lane) => {
    const folder = await fresh()
    const path = join(folder, 'file')
    for (let i = lane; i < 100; i += 4) {
      const signal = (['SIGINT', 'SIGTERM', 'SIGKILL'] as const)[i % 3]!
      await writePlain(path, new Uint8Array(300_000).fill(255))
      expect(await killed(path, signal, random() % 40)).toBe(signal)
      const bytes = await readFile(path)
      expect(bytes.length).toBe(300_000)
      expect(bytes.every((byte) => byte === bytes[0])).toBe(true)
      const left = (await readdir(folder)).filter((name) => name !== 'file')
      // Nobody can clean up after a SIGKILL.
      if (signal !== 'SIGKILL') expect(left).toEqual([])
      for (const name of left) await rm(join(folder, name))
    }
  })
  await Promise.all(lanes)
})
