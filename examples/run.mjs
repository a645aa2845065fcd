// `npm run examples`, or `node examples/run.mjs NAME…`: the examples that need packages of their own or take more than
// a minute. Each of these has a package.json, whose `npm test` checks it.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const all = readdirSync(here).filter((name) => existsSync(join(here, name, 'package.json')))
const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !all.includes(name))
if (unknown.length > 0) {
  console.error(`no such example: ${unknown.join(', ')}. There are ${all.join(', ')}.`)
  process.exit(2)
}

/** @type {string[]} */
const failed = []
for (const name of asked.length > 0 ? asked : all) {
  console.log(`\n== ${name}`)
  try {
    // Not ci, which would throw away what is installed, and with it what took minutes to compile.
    npm(name, 'install')
    npm(name, 'test')
  } catch {
    failed.push(name)
  }
}
if (failed.length > 0) {
  console.error(`\nfailed: ${failed.join(', ')}`)
  process.exitCode = 1
}

/**
 * What it prints and why it failed stand on the screen already.
 *
 * @param {string} name
 * @param {string} command
 */
function npm(name, command) {
  // npm is a shell script on Windows, which no program can run but a shell.
  execFileSync('npm', [command], { cwd: join(here, name), stdio: 'inherit', shell: process.platform === 'win32' })
}
