import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const TEN_MINUTES = 600_000
const run = promisify(execFile)

/** Runs a program to its end and gives what it printed. Throws, with that, if it fails. */
export async function runProgram(file, args, cwd) {
  const { stdout } = await run(file, args, {
    cwd,
    timeout: TEN_MINUTES,
    maxBuffer: 2 ** 26,
    shell: process.platform === 'win32',
  })
  return stdout
}

export const npm = (args, cwd) => runProgram('npm', args, cwd)
