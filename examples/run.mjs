// `npm run examples`, or `node examples/run.mjs NAME…`: the examples that need packages of their own or take more than
// a minute. Each of these has a package.json, whose `npm test` checks it.
import { execFileSync, execSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const root = join(here, '..')
// npm is a shell script on Windows, which no program can run but a shell.
const shell = process.platform === 'win32'
const all = readdirSync(here).filter((name) => existsSync(join(here, name, 'package.json')))
const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !all.includes(name))
if (unknown.length > 0) {
  console.error(`no such example: ${unknown.join(', ')}. There are ${all.join(', ')}.`)
  process.exit(2)
}
const names = asked.length > 0 ? asked : all

// In a fresh clone the library that they import is not there yet, and perhaps nginx and nats-server aren't.
if (!existsSync(join(root, 'packages/kiln/dist/index.js'))) {
  for (const command of ['npm install', 'npx tsc -b']) execSync(command, { cwd: root, stdio: 'inherit' })
}
execFileSync(process.execPath, [join(root, 'scripts/ensure-system-packages.mjs')], { stdio: 'inherit' })

console.log(`Installing the packages of ${names.join(', ')}${names.includes('embeddings') ? '. SQLite is compiled: two minutes' : ''}`)
const start = performance.now()
const seconds = () => `${((performance.now() - start) / 1000).toFixed(0)} s`

/** @type {string[]} */
const failed = []
let tests = Promise.resolve()
// All install at once, as one compiler keeps one processor busy; tests run one at a time, each when its packages are there.
await Promise.all(names.map(async (name) => {
  const installed = await install(name)
  await (tests = tests.then(() => {
    console.log(`\n== ${name} (${seconds()})\n${installed.output.trim()}`)
    if (!installed.ok || !test(name)) failed.push(name)
  }))
}))
console.log(`\n${names.length - failed.length} of ${names.length} examples passed, ${seconds()}`)
if (failed.length > 0) {
  console.error(`failed: ${failed.join(', ')}`)
  process.exitCode = 1
}

/** @param {string} name */
async function install(name) {
  // Not ci, which would throw away what is installed, and with it what took minutes to compile.
  const child = spawn('npm', ['install'], { cwd: join(here, name), stdio: ['ignore', 'pipe', 'pipe'], shell })
  const [out, error, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { ok: code === 0, output: out + error }
}

/**
 * What it prints and why it failed stand on the screen then.
 *
 * @param {string} name
 */
function test(name) {
  try {
    execFileSync('npm', ['test'], { cwd: join(here, name), stdio: 'inherit', shell })
    return true
  } catch {
    return false
  }
}
