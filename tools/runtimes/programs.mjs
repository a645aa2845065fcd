import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { here } from './paths.mjs'

const run = promisify(execFile)
const TEN_MINUTES = 600_000

const installed = (path) => join(here, 'node_modules', path)
const node = (major) => ({
  name: `Node ${major}`,
  places: [
    installed(`node${major}-${process.platform}-${process.arch}/bin/node`),
    ...(process.versions.node.startsWith(`${major}.`) ? [process.execPath] : []),
  ],
  arguments: [],
})

/** The programs that run JavaScript, each with where its binary may be. */
export const programs = [
  node(20),
  node(22),
  node(24),
  node(26),
  {
    name: 'Deno',
    places: [
      installed('deno/deno'),
      ...['linux-x64-glibc', 'linux-arm64-glibc'].map((kind) => installed(`@deno/${kind}/deno`)),
    ],
    arguments: [
      'run',
      '--quiet',
      '--no-lock',
      '--node-modules-dir=manual',
      '--allow-read',
      '--allow-write',
      '--allow-env',
      '--allow-sys',
    ],
  },
  {
    name: 'Bun',
    places: [
      installed('bun/bin/bun.exe'),
      ...['linux-x64', 'linux-aarch64'].map((kind) => installed(`@oven/bun-${kind}/bin/bun`)),
    ],
    arguments: ['run'],
  },
]

/** The program's binary, or undefined where this system has none. */
export const binaryOf = (program) => program.places.find((path) => existsSync(path))

export async function versionOf(binary) {
  const { stdout } = await run(binary, ['--version'], { timeout: TEN_MINUTES })
  return /\d+\.\d+\.\d+/.exec(stdout)?.[0] ?? stdout.trim()
}

/** The work in a process of its own. */
export async function runProgram(program, binary, host) {
  try {
    const { stdout } = await run(binary, [...program.arguments, join(here, 'in-process.mjs'), host], {
      timeout: TEN_MINUTES,
      maxBuffer: 2 ** 24,
    })
    return JSON.parse(stdout)
  } catch (error) {
    return { error: `${error.message}\n${error.stdout ?? ''}`.slice(0, 2000) }
  }
}
