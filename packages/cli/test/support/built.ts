import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The command as it is installed, over the built files. */
export const BIN = fileURLToPath(new URL('../../bin/kiln.js', import.meta.url))

if (!existsSync(new URL('../../dist/main.js', import.meta.url))) {
  throw new Error('the command line is not built; npm run build comes before these tests')
}

export interface Finished {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: Buffer
  readonly stderr: string
}

export function start(args: readonly string[], options: SpawnOptions = {}): ChildProcess {
  return spawn(process.execPath, [BIN, ...args], { stdio: ['pipe', 'pipe', 'pipe'], ...options })
}

/** Runs the built command to its end. */
export async function run(args: readonly string[], input?: string | Uint8Array, options: SpawnOptions = {}): Promise<Finished> {
  return finished(start(args, options), input)
}

export async function finished(child: ChildProcess, input?: string | Uint8Array): Promise<Finished> {
  const stdout: Buffer[] = []
  const stderr: Buffer[] = []
  child.stdout?.on('data', (chunk: Buffer) => stdout.push(chunk))
  child.stderr?.on('data', (chunk: Buffer) => stderr.push(chunk))
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(input)
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
    child.on('close', (...ended) => resolve(ended))
  })
  return { code, signal, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString() }
}
