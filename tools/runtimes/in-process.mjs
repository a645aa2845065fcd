// Runs in Node, Deno and Bun: in-process.mjs HOST. Prints one line of JSON.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { prepare } from './hosts.mjs'
import { modules, readCases, root } from './paths.mjs'
import { work } from './work.mjs'

const load = (name) => import(pathToFileURL(join(root, modules[name])).href)

/** A file is written whole, opened by position, and a tensor of it is read. */
async function filesWork() {
  const { tensor, writeDirectory, openDirectory } = await load('kiln-format')
  const { fileSink, openFile } = await load('kiln-format/node')
  const folder = mkdtempSync(join(tmpdir(), 'kiln-runtimes-'))
  try {
    const path = join(folder, 'a.kiln')
    await writeDirectory(await fileSink(path), [tensor('w', 'f32', [3], Float32Array.of(1, -2.5, 4))])
    const directory = await openDirectory(await openFile(path))
    const numbers = (await directory.get('w').load()).copy('f32')
    await directory.close()
    const names = readdirSync(folder)
    return numbers.join() === '1,-2.5,4' && names.join() === 'a.kiln'
      ? undefined
      : `came ${numbers}; the folder holds ${names}`
  } catch (error) {
    return String(error)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

// Runtimes load parts of their own when they are first used, and some then look for what is taken away below.
for (const part of ['node:fs/promises', 'node:stream', 'node:util']) await import(part)
const print = process.stdout.write.bind(process.stdout)

// Most cases are refused, and where in the program that was said is no part of the answer.
Error.stackTraceLimit = 0
prepare(process.argv[2])
const tally = await work(readCases(), load)
const files = await filesWork()
print(`${JSON.stringify({ ...tally, inProcess: true, files })}\n`)
