import { main } from '../../src/main.js'
import type { OutputStream } from '../../src/terminal/output.js'
import { openTerminal } from '../../src/terminal/terminal.js'

export interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
  readonly bytes: Buffer
}

export interface RunOptions {
  readonly stdin?: string | Uint8Array
  readonly tty?: boolean
  readonly env?: NodeJS.ProcessEnv
}

class Collected implements OutputStream {
  readonly isTTY: boolean
  readonly columns = 100
  readonly #chunks: Buffer[] = []

  constructor(isTTY: boolean) {
    this.isTTY = isTTY
  }

  write(chunk: string | Uint8Array, done?: (error?: Error | null) => void): boolean {
    // Copied: a chunk is its writer's again when the write is done.
    this.#chunks.push(Buffer.from(typeof chunk === 'string' ? Buffer.from(chunk) : chunk))
    setImmediate(() => done?.())
    return true
  }

  on(): void {}

  get bytes(): Buffer {
    return Buffer.concat(this.#chunks)
  }
}

/** Runs a command line from its sources, on streams of its own. */
export async function kiln(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const stdout = new Collected(options.tty === true)
  const stderr = new Collected(options.tty === true)
  const input = options.stdin === undefined ? [] : [Buffer.from(options.stdin as Uint8Array)]
  async function* stdin(): AsyncGenerator<Uint8Array> {
    yield* input
  }
  const code = await main(args, openTerminal({ stdout, stderr, stdin: stdin() }, options.env ?? {}))
  return { code, stdout: stdout.bytes.toString(), stderr: stderr.bytes.toString(), bytes: stdout.bytes }
}

/** As {@link kiln} with `--json`: the one document on standard output. */
export async function kilnJson<T = unknown>(args: readonly string[], options?: RunOptions): Promise<T> {
  const { code, stdout, stderr } = await kiln([...args, '--json'], options)
  if (code !== 0) throw new Error(`exit code ${code}: ${stderr}`)
  return JSON.parse(stdout) as T
}
