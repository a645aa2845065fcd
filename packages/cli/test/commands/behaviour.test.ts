import { spawn } from 'node:child_process'
import { closeSync, linkSync, openSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { setTimeout as later } from 'node:timers/promises'
import { encodeDirectory, encodeFrame, modelSchema, tensor } from 'kiln-format'
import { expect, test } from 'vitest'
import { BIN, finished, run, start } from '../support/built.js'
import { temporaryFolder } from '../support/folder.js'
import { kiln } from '../support/in-process.js'

const inFolder = temporaryFolder()
const small = inFolder('small.kiln')
writeFileSync(small, encodeFrame(modelSchema, {
  tensors: [tensor('w', 'f32', [2], [1, -0]), tensor('b\u001b[31m\u202e', 'u8', [3], [1, 2, 3])],
  metadata: { note: 'line\nbreak' },
}, { schema: true }))
const many = inFolder('many.kiln')
writeFileSync(many, encodeDirectory(Array.from({ length: 3000 }, (_, i) => tensor(`layers.${i}.weight`, 'u8', [1], [i % 256]))))

test('help goes to standard output with an example, and is no error', async () => {
  for (const args of [['--help'], ['help', 'convert'], ['inspect', '--help'], ['schema', 'diff', '--help']]) {
    const { code, stdout, stderr } = await run(args)
    expect({ code, stderr }, args.join(' ')).toEqual({ code: 0, stderr: '' })
    expect(stdout.toString(), args.join(' ')).toMatch(/Examples?:\n {2}\$ kiln /)
  }
})

test('the version is that of the package', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
  expect((await run(['--version'])).stdout.toString()).toBe(`${version}\n`)
})

test('wrong usage is exit code 2 and one line on standard error', async () => {
  expect((await run(['nothing'])).code).toBe(2)
  for (const args of [[], ['nothing'], ['inspect'], ['inspect', '--what', small], ['convert', small], ['convert', small, 'x.foo'],
    ['extract', small], ['schema', 'diff', 'u8'], ['convert', small, 'x.npz', '--shard-size', '2GiB'], ['inspect', 'ftp://host/x']]) {
    const { code, stdout, stderr } = await kiln(args)
    expect({ code, stdout }, args.join(' ')).toEqual({ code: 2, stdout: '' })
    expect(stderr, args.join(' ')).toMatch(/^kiln: .+\n$/)
  }
})

test('bad input is exit code 1, with code, place, what and no stack trace', async () => {
  const torn = inFolder('torn.kiln')
  writeFileSync(torn, readFileSync(small).subarray(0, 300))
  const { code, stdout, stderr } = await run(['inspect', torn])
  expect({ code, stdout: stdout.toString() }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^kiln: EOF at .*torn\.kiln.* \(byte \d+\): .+\n$/)
  const missing = await run(['verify', inFolder('missing.kiln')])
  expect(missing.code).toBe(1)
  expect(missing.stderr).toMatch(/^kiln: EOF at .*missing\.kiln: can't be read: there is no such file \(ENOENT\)\n$/)
})

test('KILN_DEBUG=1 shows where an error arose', async () => {
  const { stderr } = await run(['verify', inFolder('missing.kiln')], undefined, { env: { ...process.env, KILN_DEBUG: '1' } })
  expect(stderr).toMatch(/ {4}at .*\(file:/)
})

test('--json gives one document, of a failure too', async () => {
  const good = await run(['inspect', '--json', small])
  expect(JSON.parse(good.stdout.toString())).toMatchObject({
    format: 'kiln',
    metadata: { note: 'line\nbreak' },
    tensors: [{ name: 'w', dtype: 'f32', shape: [2], byte_length: 8, scheme: 0 }, { name: 'b\u001b[31m\u202e' }],
  })
  const bad = await run(['inspect', '--json', inFolder('missing.kiln')])
  expect(bad.code).toBe(1)
  expect(JSON.parse(bad.stdout.toString())).toMatchObject({ error: { code: 'EOF', file: inFolder('missing.kiln') } })
  const wrong = await run(['extract', '--json', small, 'w'])
  expect(wrong.code).toBe(2)
  expect(JSON.parse(wrong.stdout.toString())).toMatchObject({ error: { code: 'USAGE' } })
})

test('what a terminal would obey is escaped, in tables and in JSON', async () => {
  for (const args of [['inspect', small], ['inspect', '--json', small], ['stats', small], ['meta', 'get', small]]) {
    const { stdout } = await run(args)
    // eslint-disable-next-line no-control-regex -- a control character is what must not be there
    expect(stdout.toString(), args.join(' ')).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/)
  }
  expect((await run(['inspect', small])).stdout.toString()).toContain('b\\u001b[31m\\u202e')
})

test('the whole output comes through a pipe that is read slowly', async () => {
  const direct = await run(['inspect', '--json', many])
  expect(direct.stdout.length).toBeGreaterThan(200_000)
  const child = start(['inspect', '--json', many])
  child.stdin?.end()
  const chunks: Buffer[] = []
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    await later(2)
  }
  expect(Buffer.concat(chunks).equals(direct.stdout)).toBe(true)
})

test('the whole output comes with exit code 1 too', async () => {
  const cases = Array.from({ length: 4000 }, (_, i) => ({ name: `wrong-${i}`, kind: 'schema', text: 'u8', canonical: 'u16', hash: '0x0' }))
  const { code, stdout } = await run(['conformance', '-'], cases.map((one) => JSON.stringify(one)).join('\n'))
  expect(code).toBe(1)
  expect(stdout.length).toBeGreaterThan(400_000)
  expect(stdout.toString().endsWith('\n0 passed, 4000 failed\n')).toBe(true)
})

test('a reader that has gone is no fault: nothing is said, exit code 0', async () => {
  const child = start(['inspect', many])
  child.stdin?.end()
  let stderr = ''
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  child.stdout?.once('data', () => child.stdout?.destroy())
  const code = await new Promise((resolve) => child.on('close', resolve))
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
})

test('a disk that is full is an error', async () => {
  const full = openSync('/dev/full', 'w')
  try {
    const { code, stderr } = await run(['inspect', small], undefined, { stdio: ['pipe', full, 'pipe'] })
    expect(code).toBe(1)
    expect(stderr).toMatch(/^kiln: ENOSPC at standard output: the disk is full/)
  } finally {
    closeSync(full)
  }
})

test('- is standard input, for Kiln and other formats', async () => {
  const whole = await run(['inspect', '-', '--json'], readFileSync(small))
  expect(JSON.parse(whole.stdout.toString())).toMatchObject({ file: 'standard input', tensors: [{ name: 'w' }, {}] })
  const npy = inFolder('w.npy')
  expect((await run(['extract', small, 'w', '-o', npy])).code).toBe(0)
  const piped = await run(['inspect', '-', '--json'], readFileSync(npy))
  expect(JSON.parse(piped.stdout.toString())).toMatchObject({ format: 'npy', tensors: [{ dtype: 'f32', shape: [2] }] })
})

test('bytes go through standard output unchanged', async () => {
  const raw = await run(['extract', small, 'w'])
  expect(raw.stdout.toString('hex')).toBe('0000803f00000080')
  const npz = await run(['convert', '--to', 'npz', '-q', small, '-'])
  expect(npz.code).toBe(0)
  expect(npz.stdout.subarray(0, 2).toString()).toBe('PK')
})

test('a file is never written over itself, under whatever name', async () => {
  const before = readFileSync(small)
  linkSync(small, inFolder('hard.kiln'))
  symlinkSync(small, inFolder('soft.kiln'))
  for (const target of ['small.kiln', 'hard.kiln', 'soft.kiln']) {
    for (const args of [['convert', small, inFolder(target)], ['extract', small, 'w', '-o', inFolder(target)]]) {
      const { code, stderr } = await run(args)
      expect(code, args.join(' ')).toBe(1)
      expect(stderr).toMatch(/^kiln: TYPE at .*is the file that is read/)
    }
  }
  expect(readFileSync(small).equals(before)).toBe(true)
})

test('a file appears whole or not at all: a failed conversion leaves what was there, and no temporary file', async () => {
  const nan = inFolder('nan.kiln')
  writeFileSync(nan, encodeDirectory([tensor('good', 'f32', [2, 64], new Float32Array(128)), tensor('bad', 'f32', [2, 64], new Float32Array(128).fill(NaN))]))
  const target = inFolder('kept.kiln')
  writeFileSync(target, 'what was there')
  const { code, stderr } = await run(['convert', nan, target, '--quantize', 'mxfp4'])
  expect(code).toBe(1)
  expect(stderr).toMatch(/^kiln: TYPE at .*nan\.kiln, bad/)
  expect(readFileSync(target, 'utf8')).toBe('what was there')
  expect(readdirSync(inFolder('.')).filter((name) => name.endsWith('.tmp'))).toEqual([])
})

test('an interrupt takes the unfinished file with it', async () => {
  const big = inFolder('big.kiln')
  writeFileSync(big, encodeDirectory([tensor('w', 'f32', [8, 2 ** 20], new Float32Array(8 * 2 ** 20))]))
  const child = start(['convert', big, inFolder('out.kiln'), '--quantize', 'nvfp4'])
  const end = finished(child)
  while (child.exitCode === null && !readdirSync(inFolder('.')).some((name) => name.startsWith('.out.kiln.'))) await later(5)
  child.kill('SIGINT')
  expect((await end).signal).toBe('SIGINT')
  expect(readdirSync(inFolder('.')).filter((name) => name.includes('out.kiln'))).toEqual([])
})

test('standard error is clean where it is no terminal', async () => {
  const { stderr } = await run(['convert', many, inFolder('many.safetensors')])
  expect(stderr).toBe('')
})

test('on a terminal there is colour, and names are escaped; NO_COLOR turns it off', async () => {
  const coloured = await typed(['inspect', small], { NO_COLOR: '' })
  expect(coloured.stdout.toString()).toContain('\u001b[1m')
  expect(coloured.stdout.toString()).toContain('b\\u001b[31m\\u202e')
  expect((await typed(['inspect', small], { NO_COLOR: '1' })).stdout.toString()).not.toContain('\u001b[')
})

test('bytes are not put on a terminal', async () => {
  const { code, stdout } = await typed(['extract', small, 'w'], {})
  expect(code).toBe(2)
  expect(stdout.toString()).toContain('bytes are not written to a terminal')
})

/** Runs the command under a pseudo terminal, by util-linux's `script`, which hands its exit code on. */
function typed(args: readonly string[], env: NodeJS.ProcessEnv): ReturnType<typeof finished> {
  const line = [process.execPath, BIN, ...args].map((word) => `'${word}'`).join(' ')
  return finished(spawn('script', ['-qec', line, '/dev/null'], { env: { ...process.env, TERM: 'xterm', ...env } }))
}
