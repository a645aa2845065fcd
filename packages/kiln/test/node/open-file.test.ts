import { execFile, execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import {
  appendFile,
  chmod,
  mkdir,
  mkdtemp,
  open as openHandle,
  rm,
  symlink,
  truncate,
  unlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { encodeDirectory, open, tensor } from 'kiln-format'
import { fileSink, nodeFolder, openFile } from 'kiln-format/node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeTable } from '../../src/tensors/write.js'
import { faultOf } from '../support/fault.js'
import { pattern } from '../support/http.js'
import { failed } from '../support/system.js'

const bytes = pattern(300_000)
let folder = ''
let path = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kiln-open-'))
  path = join(folder, 'file.bin')
  await writeFile(path, bytes)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('a file is read by position, in any order', async () => {
  await using file = await openFile(path)
  expect([file.size, file.label, file.path]).toEqual([bytes.length, path, path])
  for (const [offset, length] of [
    [0, 10],
    [299_990, 10],
    [5, 200_000],
    [300_000, 0],
    [7, 0],
  ] as const) {
    expect(Buffer.compare(await file.read(offset, length), bytes.subarray(offset, offset + length))).toBe(0)
  }
  expect(await faultOf(file.read(299_999, 2))).toMatchObject({ code: 'EOF', offset: 299_999 })
  expect(await faultOf(file.read(-1, 2))).toMatchObject({ code: 'TYPE' })
  const reads = await Promise.all(Array.from({ length: 1000 }, (_, i) => file.read(i * 299, 299)))
  reads.forEach((read, i) => expect(Buffer.compare(read, bytes.subarray(i * 299, (i + 1) * 299))).toBe(0))
})

test('a file: URL and names with spaces and signs of URLs', async () => {
  const odd = join(folder, 'a b#c%20?.bin')
  await writeFile(odd, 'x')
  await using byUrl = await openFile(pathToFileURL(odd))
  await using byPath = await openFile(odd)
  expect([byUrl.size, byPath.size]).toEqual([1, 1])
  expect(byUrl.ino).toBe(byPath.ino)
  for (const [bad, shown] of [
    ['', '""'],
    ['a\0b', '"a\\u0000b"'],
    ['file:///a\0b', '"file:///a\\u0000b"'],
    [new URL('file:///a%00b'), '"file:///a%00b"'],
    [new URL('http://127.0.0.1/'), '"http://127.0.0.1/"'],
    [new URL('file://elsewhere/x'), '"file://elsewhere/x"'],
    [5, '5'],
    [null, 'null'],
  ] as [string, string][]) {
    const refused = { code: 'TYPE', detail: `a path or a file: URL expected, got ${shown}` }
    for (const use of [openFile, nodeFolder, fileSink]) expect(await faultOf(use(bad))).toMatchObject(refused)
  }
})

test('what is no file is refused at once', async () => {
  const fifo = join(folder, 'fifo')
  execFileSync('mkfifo', [fifo])
  for (const [given, code, word] of [
    [folder, 'TYPE', 'folder'],
    [fifo, 'TYPE', 'pipe'],
    ['/dev/zero', 'TYPE', 'device'],
    [join(folder, 'none'), 'EOF', 'no such file'],
    [join(path, 'below'), 'EOF', 'a file, not a folder'],
  ] as const) {
    const error = await faultOf(openFile(given))
    expect(error.code).toBe(code)
    expect(error.detail).toContain(word)
    expect(error.detail).toContain(given)
  }
})

const built = new URL('../../dist/node/index.js', import.meta.url).href

/** The code of the error with which a process without special rights ends a call of the built library. */
async function codeWithoutRights(call: string): Promise<string> {
  const script = `const node = await import(${JSON.stringify(built)})
    await (${call})(node).then(() => console.log('none'), (e) => console.log(e.code))`
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    ...user,
    cwd: '/',
  })
  return stdout.trim()
}

test('a file that may not be read, and a folder that may not be written', async () => {
  const secret = join(folder, 'secret')
  await writeFile(secret, 'x')
  await chmod(secret, 0)
  await chmod(folder, 0o755)
  expect(await codeWithoutRights(`(node) => node.openFile(${JSON.stringify(secret)})`)).toBe('EOF')
  const closed = join(folder, 'closed')
  await mkdir(closed, { mode: 0o555 })
  expect(
    await codeWithoutRights(`(node) => node.writeFile(${JSON.stringify(join(closed, 'x'))}, new Uint8Array(1))`),
  ).toBe('TYPE')
  expect(readdirSync(closed)).toEqual([])
})

test('a link in a circle is refused', async () => {
  await symlink(join(folder, 'b'), join(folder, 'a'))
  await symlink(join(folder, 'a'), join(folder, 'b'))
  expect(await faultOf(openFile(join(folder, 'a')))).toMatchObject({ code: 'TYPE' })
})

test('a closed file is told, closing twice is nothing', async () => {
  const file = await openFile(path)
  await file.close()
  await file.close()
  expect((await faultOf(file.read(0, 1))).detail).toContain('closed')
})

test('a file that becomes shorter is EOF where it ends', async () => {
  const shrinking = join(folder, 'shrinking')
  await writeFile(shrinking, bytes)
  await using file = await openFile(shrinking)
  await truncate(shrinking, 1000)
  expect(await file.read(0, 1000)).toEqual(bytes.slice(0, 1000))
  expect(await faultOf(file.read(900, 500))).toMatchObject({ code: 'EOF', offset: 1000 })
})

test('changes are noticed when that is asked for; a file that was replaced stays as it was', async () => {
  const changing = join(folder, 'changing')
  await writeFile(changing, bytes)
  await using watched = await openFile(changing, { checkChanges: true })
  await using other = await openFile(changing)
  await watched.read(0, 10)
  await utimes(changing, new Date(), new Date(0))
  expect(await faultOf(watched.read(0, 10))).toMatchObject({ code: 'FRAME' })
  await using again = await openFile(changing, { checkChanges: true })
  await appendFile(changing, 'more')
  expect(await faultOf(again.read(0, 10))).toMatchObject({ code: 'FRAME' })
  await unlink(changing)
  await writeFile(changing, 'other')
  expect(await other.read(0, 10)).toEqual(bytes.slice(0, 10))
})

test('an abort ends opening and reading', async () => {
  const reason = new Error('no')
  await expect(openFile(path, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  await using file = await openFile(path)
  await expect(file.read(0, 10, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  const controller = new AbortController()
  const reading = file.read(0, 200_000, { signal: controller.signal })
  controller.abort(reason)
  await expect(reading).rejects.toBe(reason)
})

const handles = (): number => readdirSync('/proc/self/fd').length

test.skipIf(process.platform !== 'linux')('10,000 openings, good and bad, leave no handle open', async () => {
  const good = join(folder, 'good.kiln')
  const bad = join(folder, 'bad.kiln')
  const file = encodeDirectory([tensor('t', 'u8', [3], Uint8Array.of(1, 2, 3))])
  await writeFile(good, file)
  await writeFile(bad, file.subarray(0, 150))
  const before = handles()
  for (let i = 0; i < 10_000; i += 20) {
    await Promise.all(
      Array.from({ length: 20 }, async (_, j) => {
        if (j % 2 === 0) {
          await using model = await open(openFile(good))
          await model.load('t')
        } else if (j === 1) await faultOf(openFile(folder))
        else await faultOf(open(openFile(bad)))
      }),
    )
  }
  expect(handles()).toBe(before)
})

test('5 GiB: payloads beyond 2^31 and 2^32 of a sparse file', async () => {
  const sparse = join(folder, 'sparse.kiln')
  const small = 4096
  const table = writeTable([
    { name: 'first', dtype: 'u8', shape: [2 ** 31 - 100] },
    { name: 'over 2^31', dtype: 'u8', shape: [small] },
    { name: 'rows', dtype: 'f32', shape: [900_000_000] },
    { name: 'over 2^32', dtype: 'u8', shape: [small] },
  ])
  expect(table.totalSize).toBeGreaterThan(5 * 2 ** 30)
  const handle = await openHandle(sparse, 'w')
  await handle.truncate(table.totalSize)
  await handle.write(table.bytes, 0, table.bytes.length, 0)
  const marks = [1, 3].map((i) => ({ place: table.payloads[i]!.offset, bytes: pattern(small + i).subarray(i) }))
  for (const { place, bytes: mark } of marks) await handle.write(mark, 0, small, place)
  const rows = table.payloads[2]!.offset
  await handle.write(new Uint8Array(new Float32Array([1.5, 2.5]).buffer), 0, 8, rows + 899_999_998 * 4)
  await handle.close()
  await using model = await open(openFile(sparse))
  expect((await model.load('over 2^31')).bytes).toEqual(marks[0]!.bytes)
  expect((await model.load('over 2^32')).bytes).toEqual(marks[1]!.bytes)
  expect([...(await model.slice('rows', 899_999_997, 900_000_000)).copy('f32')]).toEqual([0, 1.5, 2.5])
  expect(model.get('over 2^32').byteOffset).toBeGreaterThan(2 ** 32)
  await unlink(sparse)
})

test("a folder below a folder is none of a file's business", async () => {
  await mkdir(join(folder, 'sub'))
  expect(await faultOf(openFile(join(folder, 'sub')))).toMatchObject({ code: 'TYPE' })
})

test('a system that fails once the file is open: the code of reading, with its cause, and no handle stays open', async () => {
  const prototype = Object.getPrototypeOf(await openHandle(path, 'r').then(async (handle) => (await handle.close(), handle))) as Record<string, unknown>
  const broken = failed('ESTALE')
  async function failing(name: 'stat' | 'read', run: () => Promise<unknown>): Promise<void> {
    const own = prototype[name]
    prototype[name] = () => Promise.reject(broken)
    const error: unknown = await run().catch((caught: unknown) => caught)
    prototype[name] = own
    expect(error).toMatchObject({ code: 'EOF', detail: `${path} can't be read: the file was removed on its server (ESTALE)`, cause: broken })
  }
  const before = process.platform === 'linux' ? handles() : 0
  await failing('stat', () => openFile(path))
  expect(process.platform === 'linux' ? handles() : 0).toBe(before)
  await using file = await openFile(path)
  await failing('read', () => file.read(0, 1))
})

test('a file that has grown and kept its time has changed', async () => {
  const growing = join(folder, 'growing')
  const date = new Date(1_600_000_000_000)
  await writeFile(growing, 'abc')
  await utimes(growing, date, date)
  await using file = await openFile(growing, { checkChanges: true })
  await appendFile(growing, 'd')
  await utimes(growing, date, date)
  expect(await faultOf(file.read(0, 3))).toMatchObject({ code: 'FRAME', detail: `${growing} was changed since it was opened; open it again` })
})
