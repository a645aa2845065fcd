import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFileSync, writeFileSync } from 'node:fs'
import { encodeDirectory, encodeFrame, k, tensor } from 'kiln-format'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { main } from '../../src/main.js'
import { openTerminal } from '../../src/terminal/terminal.js'
import { temporaryFolder } from '../support/folder.js'
import { kiln } from '../support/in-process.js'

const inFolder = temporaryFolder()
const small = inFolder('small.kiln')
writeFileSync(small, encodeDirectory([tensor('w', 'u8', [1], [1])]))

let server: Server
let origin = ''
beforeAll(async () => {
  server = createServer((_request, response) => void response.end(readFileSync(small)))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())

test.each([
  [['help', 'nothing'], 'unknown command \'nothing\'; kiln --help shows how it is used'],
  [['help', 'meta', 'nothing'], 'unknown command \'meta nothing\'; kiln meta --help shows how it is used'],
  [['meta', 'get'], 'missing required argument \'file\'; kiln meta get --help shows how it is used'],
  [['schema', 'diff', 'u8'], 'missing required argument \'b\'; kiln schema diff --help shows how it is used'],
  [['gen', small, '-o', 'user.js'], 'user.js is neither a .ts file nor a folder\'s name; modules are TypeScript'],
])('%j', async (args, message) => {
  expect(await kiln(args)).toMatchObject({ code: 2, stdout: '', stderr: `kiln: ${message}\n` })
})

test('help of a command inside a command', async () => {
  const { code, stdout } = await kiln(['help', 'meta', 'set'])
  expect({ code, first: stdout.split('\n')[0] }).toEqual({ code: 0, first: 'Usage: kiln meta set [options] <file> [entries...]' })
})

test('a file: URL that names no file is wrong usage, and no fault of the program', async () => {
  for (const url of ['file:///a%2Fb', 'file://[']) {
    const { code, stderr } = await kiln(['inspect', url])
    expect({ code, stderr }, url).toMatchObject({ code: 2, stderr: expect.stringContaining(`${url} names no file of this machine`) as string })
  }
})

test('a URL whose name can\'t be decoded is read like any other', async () => {
  const { code, stdout } = await kiln(['inspect', '--json', `${origin}/%zz`])
  expect({ code, format: (JSON.parse(stdout) as { format: string }).format }).toEqual({ code: 0, format: 'kiln' })
  expect(await kiln(['gen', 'http://'])).toMatchObject({ code: 1, stderr: 'kiln: TYPE at http://: "http://" is no URL\n' })
})

test('what was saved as .kiln and is something else is told for what it is', async () => {
  const saved = (text: string | Uint8Array): string => {
    writeFileSync(inFolder('saved.kiln'), text)
    return inFolder('saved.kiln')
  }
  expect((await kiln(['inspect', saved('<!DOCTYPE html><title>Sign in</title>')])).stderr).toContain('this is an HTML page; fetch it again')
  expect((await kiln(['verify', saved('version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n')])).stderr).toContain('git lfs pull')
  // A Kiln file that is damaged in its first bytes, or cut off in them, is still one.
  expect((await kiln(['verify', saved(Uint8Array.of(0, 0x49, 0x4c, 0x54, ...new Uint8Array(60)))])).stderr).toMatch(/^kiln: FRAME .* is no Kiln file/)
  expect((await kiln(['verify', saved('KIL')])).stderr).toMatch(/^kiln: EOF /)
})

test('gen of Kiln files without a schema says so, as schema does', async () => {
  const bare = inFolder('bare.kiln')
  writeFileSync(bare, encodeFrame(k.u8, 7))
  for (const command of ['gen', 'schema']) {
    expect((await kiln([command, small])).stderr, command).toMatch(/^kiln: SCHEMA at .*: a bare tensor directory has no schema of its own/)
    expect((await kiln([command, bare])).stderr, command).toMatch(/the frame brings no schema, only the hash 0x[0-9a-f]{16}; give its schema text\n$/)
  }
})

test('a disk that is full leaves the exit code, and no trace of the program', async () => {
  const full = {
    write(_chunk: unknown, done?: (error?: Error | null) => void): boolean {
      done?.(Object.assign(new Error('no space'), { code: 'ENOSPC', syscall: 'write' }))
      return true
    },
    on: () => undefined,
  }
  let said = ''
  const err = { ...full, write: (chunk: string | Uint8Array, done?: () => void) => (said += String(chunk), done?.(), true) }
  const stdin = (async function* () {})()
  expect(await main(['inspect', '--json', small], openTerminal({ stdout: full, stderr: err, stdin }, {}))).toBe(1)
  expect(said).toBe('kiln: ENOSPC at standard output: the disk is full; make room and try again\n')
  expect(await main(['inspect', 'no-such-file'], openTerminal({ stdout: full, stderr: full, stdin }, {}))).toBe(1)
  expect(await main(['nothing', '--json'], openTerminal({ stdout: full, stderr: full, stdin }, {}))).toBe(2)
})

test('output does not go to a URL', async () => {
  for (const output of ['https://example.org/out.kiln', 'file:///tmp/out.kiln', 's3://bucket/out.kiln']) {
    const { code, stderr } = await kiln(['convert', small, '-o', output])
    expect([code, stderr]).toEqual([2, `kiln: ${output} is a URL; output goes to a file\n`])
  }
})
