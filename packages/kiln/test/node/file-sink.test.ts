import { chmod, lstat, mkdir, mkdtemp, open as openHandle, readdir, readFile, rm, stat, symlink, unlink, utimes, writeFile as writePlain } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fileSink, nodeFolder, openFile, writeFile, type FileSink } from 'kiln-format/node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { faultOf } from '../support/fault.js'
import { pattern } from '../support/http.js'
import { failed, withSeparator, withSystem } from '../support/system.js'

let root = ''
let count = 0
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'kiln-sink-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))
async function fresh(): Promise<string> {
  const folder = join(root, `${++count}`)
  await mkdir(folder)
  return folder
}

/** The methods of every file handle, while one of them is another. */
async function handles(name: 'write' | 'sync' | 'chmod', instead: (own: (...given: never[]) => Promise<unknown>) => (...given: never[]) => unknown, run: () => Promise<void>): Promise<void> {
  const handle = await openHandle(join(root), 'r')
  const prototype = Object.getPrototypeOf(handle) as Record<string, unknown>
  await handle.close()
  const own = prototype[name] as (...given: never[]) => Promise<unknown>
  prototype[name] = function (this: unknown, ...given: never[]): unknown {
    return instead(own.bind(this) as never)(...given)
  }
  try {
    await run()
  } finally {
    prototype[name] = own
  }
}

const written: (sink: FileSink) => Promise<unknown> = (sink) => sink.write(Uint8Array.of(1))

test('what a sink says of its state', async () => {
  const folder = await fresh()
  const path = join(folder, 'file')
  const closed = await fileSink(path)
  await closed.write(pattern(10))
  expect(closed.size).toBe(10)
  await closed.patch(5, Uint8Array.of(9, 9))
  expect(closed.size).toBe(10)
  expect(await faultOf(closed.patch(9, Uint8Array.of(1, 2)))).toMatchObject({ code: 'EOF', offset: 9, detail: `${path}: 2 bytes from byte 9 on asked for, it has 10` })
  await Promise.all([closed.close(), closed.close()])
  expect(await faultOf(written(closed))).toMatchObject({ code: 'TYPE', detail: `${path} is closed already` })
  await closed.abort()
  await closed.close()
  expect(await faultOf(written(closed))).toMatchObject({ detail: `${path} is closed already` })
  expect([...(await readFile(path))]).toEqual([...pattern(10).fill(9, 5, 7)])
  const aborted = await fileSink(path)
  await aborted.abort()
  await aborted.abort()
  for (const step of [written(aborted), aborted.close()]) expect(await faultOf(step)).toMatchObject({ code: 'TYPE', detail: `${path} is aborted already` })
  const failed = await fileSink(path)
  await handles('write', () => () => Promise.reject(Object.assign(new Error('x'), { code: 'ENOSPC' })), async () => {
    expect(await faultOf(written(failed))).toMatchObject({ code: 'LIMIT', detail: `${path} can't be written: the disk is full; nothing was left behind (ENOSPC)` })
  })
  for (const step of [written(failed), failed.close()]) expect(await faultOf(step)).toMatchObject({ code: 'TYPE', detail: `${path} could not be written; abort it` })
  await failed.abort()
  expect(await readdir(folder)).toEqual(['file'])
  // One that could not be finished is as one that was aborted.
  const unfinished = await fileSink(path)
  await unfinished.write(pattern(3))
  await handles('sync', () => () => Promise.reject(Object.assign(new Error('x'), { code: 'EIO' })), async () => {
    expect((await faultOf(unfinished.close())).code).toBe('EOF')
  })
  expect(await faultOf(written(unfinished))).toMatchObject({ detail: `${path} is aborted already` })
  expect(await readdir(folder)).toEqual(['file'])
  expect((await readFile(path)).length).toBe(10)
})

test('writes that the system cuts short are gone on with, at their place', async () => {
  const path = join(await fresh(), 'file')
  const asked: number[][] = []
  const cut = (own: (...given: never[]) => Promise<unknown>) => (bytes: Uint8Array, from: number, length: number, at: number) => {
    asked.push([from, length, at])
    return own(...([bytes, from, Math.min(length, 4), at] as never[]))
  }
  const sink = await fileSink(path)
  await handles('write', cut as never, async () => {
    await sink.write(pattern(10))
    await sink.write(pattern(5))
  })
  await sink.close()
  expect(asked).toEqual([[0, 10, 0], [4, 6, 4], [8, 2, 8], [0, 5, 10], [4, 1, 14]])
  expect(new Uint8Array(await readFile(path))).toEqual(Uint8Array.from([...pattern(10), ...pattern(5)]))
})

test('an abort of a file that is gone already leaves nothing', async () => {
  const folder = await fresh()
  const sink = await fileSink(join(folder, 'file'))
  await unlink(join(folder, (await readdir(folder))[0]!))
  await sink.abort()
  expect(await readdir(folder)).toEqual([])
})

test('a mode is set as it is asked for, and none where none is', async () => {
  const folder = await fresh()
  const modes: unknown[] = []
  await handles('chmod', (own) => (mode: never) => (modes.push(mode), own(mode)), async () => {
    await writeFile(join(folder, 'new'), pattern(1))
    expect(modes).toEqual([])
    await writeFile(join(folder, 'asked'), pattern(1), { mode: 0o604 })
    expect(modes).toEqual([0o604])
  })
  expect((await stat(join(folder, 'asked'))).mode & 0o777).toBe(0o604)
  await chmod(join(folder, 'new'), 0o640)
  await writeFile(join(folder, 'new'), pattern(2))
  expect((await stat(join(folder, 'new'))).mode & 0o777).toBe(0o640)
})

test('the folder is synchronised after the renaming, and one that cannot be is no fault', async () => {
  const path = join(await fresh(), 'file')
  const steps: string[] = []
  await handles('sync', (own) => async () => {
    steps.push((await readdir(join(path, '..'))).includes('file') ? 'folder' : 'file')
    await own()
    if (steps.length === 2) throw new Error('folders are not synchronised here')
  }, () => writeFile(path, pattern(1)))
  expect(steps).toEqual(['file', 'folder'])
  if (process.platform !== 'linux') return
  const open = async (): Promise<number> => (await readdir('/proc/self/fd')).length
  const before = await open()
  for (let i = 0; i < 5; i++) await writeFile(path, pattern(1))
  expect(await open()).toBe(before)
})

test('where a file cannot be put, and links to what is not there', async () => {
  const folder = await fresh()
  expect(await faultOf(fileSink(join(folder, 'none', 'file')))).toMatchObject({ code: 'TYPE', detail: `${join(folder, 'none', 'file')} can't be written: its folder does not exist; make it first (ENOENT)` })
  expect(await faultOf(fileSink(`${folder}/new/`))).toMatchObject({ code: 'TYPE', detail: `${folder}/new/ names a folder; give the name of a file in it` })
  await writePlain(join(folder, 'plain'), 'x')
  expect(await faultOf(fileSink(join(folder, 'plain', 'below')))).toMatchObject({ code: 'TYPE', detail: `${join(folder, 'plain', 'below')} can't be written: a part of the path is a file, not a folder (ENOTDIR)` })
  // 40 links are followed, as Linux does, and no more.
  for (let i = 1; i <= 41; i++) await symlink(i === 1 ? 'end' : `l${i - 1}`, join(folder, `l${i}`))
  expect(await faultOf(fileSink(join(folder, 'l40')))).toMatchObject({ code: 'TYPE', detail: `${join(folder, 'l40')} can't be written: its symbolic links lead in a circle` })
  await writeFile(join(folder, 'l39'), pattern(1))
  expect((await lstat(join(folder, 'end'))).isFile()).toBe(true)
  const { signal } = new AbortController()
  const seen: unknown[] = []
  await expect(writeFile(join(folder, 'x'), pattern(1), { signal: AbortSignal.abort(new Error('no')) })).rejects.toThrow('no')
  await writeFile(join(folder, 'x'), (sink) => void seen.push(sink.path), { signal })
  expect(seen).toEqual([join(folder, 'x')])
})

test('what a folder lists and opens', async () => {
  const outer = await fresh()
  const inner = join(outer, 'in')
  await mkdir(join(inner, 'dir'), { recursive: true })
  await writePlain(join(outer, 'secret'), 's')
  for (const name of ['b', 'a', 'c']) await writePlain(join(inner, name), name)
  await symlink('a', join(inner, 'z'))
  await symlink('dir', join(inner, 'y'))
  await symlink('.', join(inner, 'self'))
  await symlink('../secret', join(inner, 'x'))
  await symlink('nowhere', join(inner, 'w'))
  const folder = await nodeFolder(inner)
  expect(await folder.list()).toEqual(['a', 'b', 'c', 'z'])
  const why = async (name: unknown): Promise<string> => (await faultOf(folder.open(name as string))).detail
  const only = `; only files in ${inner} are`
  for (const name of ['', 'a\0', 5, undefined]) expect(await why(name)).toBe(`${JSON.stringify(name)} is not opened: it is no file name${only}`)
  for (const name of ['..', '.', 'dir/..', '../secret', '/etc/passwd', 'dir/../..']) expect(await why(name)).toBe(`${JSON.stringify(name)} is not opened: it leads out of the folder${only}`)
  for (const name of ['x', 'self']) expect(await why(name)).toBe(`${JSON.stringify(name)} is not opened: it is a link that leads out of the folder${only}`)
  await rm(inner, { recursive: true })
  expect(await faultOf(folder.list())).toMatchObject({ code: 'EOF', detail: `${inner} can't be read: there is no such file (ENOENT)` })
})

test('a file that is closed, was changed, or cannot be read', async () => {
  const path = join(await fresh(), 'file')
  await writePlain(path, 'abc')
  const file = await openFile(pathToFileURL(path), { checkChanges: true })
  expect(file.path).toBe(path)
  expect((await file.read(0, 3)).length).toBe(3)
  const { atime, mtime } = await stat(path)
  await writePlain(path, 'abcd')
  await utimes(path, atime, mtime)
  expect(await faultOf(file.read(0, 3))).toMatchObject({ code: 'FRAME', detail: `${path} was changed since it was opened; open it again` })
  await Promise.all([file.close(), file.close()])
  expect(await faultOf(file.read(0, 1))).toMatchObject({ code: 'TYPE', detail: `${path} has been closed` })
  expect(await faultOf(openFile(join(path, 'below')))).toMatchObject({ code: 'EOF', detail: `${join(path, 'below')} can't be read: a part of the path is a file, not a folder (ENOTDIR)` })
})

/** The system's error behind one of ours. */
async function causeOf(failing: Promise<unknown>): Promise<{ code: string; path: string }> {
  return failing.then(
    () => Promise.reject(new Error('nothing failed')),
    (error: unknown) => (error as { cause: { code: string; path: string } }).cause,
  )
}

test('the temporary file goes with the process while it is unfinished, and never afterwards', async () => {
  const folder = await fresh()
  const path = join(folder, 'file')
  const end = (): void => (process.listeners('exit').at(-1) as () => void)()
  const unfinished = await fileSink(path)
  expect(await readdir(folder)).toEqual([expect.stringMatching(/^\.file\.[0-9a-f]{12}\.tmp$/)])
  end()
  expect(await readdir(folder)).toEqual([])
  await unfinished.abort()
  for (const finish of ['close', 'abort'] as const) {
    const sink = await fileSink(path)
    const temporary = join(folder, (await readdir(folder)).find((name) => name.endsWith('.tmp'))!)
    await sink[finish]()
    await writePlain(temporary, 'of somebody else')
    end()
    expect(await readFile(temporary, 'utf8')).toBe('of somebody else')
    await unlink(temporary)
  }
  // One that could not even be opened is nobody's.
  const cause = await causeOf(fileSink(join(folder, 'none', 'file')))
  expect(cause.code).toBe('ENOENT')
  await mkdir(join(folder, 'none'))
  await writePlain(cause.path, 'of somebody else')
  end()
  expect(await readFile(cause.path, 'utf8')).toBe('of somebody else')
})

test('an abort ends a write that is under way, of a sink and of whole bytes', async () => {
  const path = join(await fresh(), 'file')
  const reason = new Error('enough')
  for (const write of [
    (signal: AbortSignal) => writeFile(path, pattern(3), { signal }),
    (signal: AbortSignal) => writeFile(path, pattern(3).buffer, { signal }),
    (signal: AbortSignal) => writeFile(path, [pattern(3)], { signal }),
  ]) {
    const controller = new AbortController()
    await handles('write', (own) => (...given) => (controller.abort(reason), own(...given)), async () => {
      await expect(write(controller.signal)).rejects.toBe(reason)
    })
  }
  expect(await readdir(join(path, '..'))).toEqual([])
})

test('inodes that are no exact numbers tell files apart', async () => {
  const folder = await fresh()
  await writePlain(join(folder, 'a'), 'a')
  await writePlain(join(folder, 'b'), 'b')
  const large = (own: (...given: never[]) => Promise<unknown>) => async (...given: never[]) => {
    const ino = 2n ** 60n + (String(given[0]).endsWith('a') ? 1n : 0n)
    return Object.assign((await own(...given)) as object, { dev: 7n, ino: (given[1] as { bigint?: boolean } | undefined)?.bigint === true ? ino : Number(ino) })
  }
  await withSystem('stat', large, async () => {
    const error = await faultOf(writeFile(join(folder, 'a'), pattern(1), { sources: [join(folder, 'a')] }))
    expect(error).toMatchObject({ code: 'TYPE', detail: `${join(folder, 'a')} is the file that is read, perhaps under another name; write to another and rename it afterwards` })
    await writeFile(join(folder, 'a'), pattern(2), { sources: [join(folder, 'b')] })
  })
  expect([(await stat(join(folder, 'a'))).size, (await stat(join(folder, 'b'))).size]).toEqual([2, 1])
})

test('a file of which the system tells nothing is not written over', async () => {
  const path = join(await fresh(), 'file')
  await writePlain(path, 'old')
  await withSystem('stat', () => () => Promise.reject(failed('EIO')), async () => {
    expect(await faultOf(writeFile(path, pattern(1)))).toMatchObject({ code: 'EOF', detail: `${path} can't be written: the device can't be written; the disk may be damaged or gone (EIO)` })
  })
  expect(await readFile(path, 'utf8')).toBe('old')
})

test("a path that ends in the host's own separator names a folder", async () => {
  const folder = await fresh()
  const path = `${join(folder, 'new')}\\`
  await withSeparator('\\', async () => {
    expect(await faultOf(fileSink(path))).toMatchObject({ code: 'TYPE', detail: `${path} names a folder; give the name of a file in it` })
  })
  expect(await readdir(folder)).toEqual([])
})

test('a chunk whose memory went elsewhere is told, and the sink goes on', async () => {
  const path = join(await fresh(), 'file')
  const sink = await fileSink(path)
  await sink.write(pattern(3))
  const gone = new Uint8Array(2)
  structuredClone(gone.buffer, { transfer: [gone.buffer] })
  for (const step of [sink.write(gone), sink.patch(0, gone)]) {
    expect(await faultOf(step)).toMatchObject({ code: 'TYPE', detail: 'the memory of a Uint8Array was transferred or resized away; give the bytes where they are now' })
  }
  expect(sink.size).toBe(3)
  await sink.write(new Uint8Array(Uint16Array.of(0x201).buffer))
  await sink.write(Uint16Array.of(0x403) as never)
  await sink.close()
  expect([...(await readFile(path))]).toEqual([...pattern(3), 1, 2, 3, 4])
})
