import { coloursFor, type Colours } from './colour.js'
import { jsonPieces } from './json-text.js'
import { Output, type OutputStream } from './output.js'
import { startProgress, type Progress } from './progress.js'

/** Bytes that come in, as `process.stdin`. */
export type InputStream = AsyncIterable<Uint8Array> & { readonly isTTY?: boolean; destroy?(): unknown }

/** What a command talks through. Commands know no process: a test gives them streams of its own. */
export interface Terminal {
  readonly out: Output
  readonly err: Output
  /** Standard input; not touched unless a command reads it. */
  stdin(): InputStream
  readonly env: NodeJS.ProcessEnv
  /** Colours of standard output. */
  readonly colours: Colours
  /** What the process ends with; a command that finds its input bad without throwing sets it to 1. */
  exitCode: number
  /** A line of standard output, already fit to be shown. */
  line(text: string): Promise<void>
  /** Lines of standard output, written together: a directory may have a million tensors. */
  lines(texts: readonly string[]): Promise<void>
  /** One JSON document on standard output. */
  json(document: unknown): Promise<void>
  /** A remark on standard error, after `kiln: `. */
  note(text: string): Promise<void>
  progress(label: string, total?: number): Progress
  /** Lets go of standard input: a pipe that is not read to its end would keep the process waiting. */
  close(): void
}

// Lines of one write.
const LINES = 1000

export function openTerminal(
  streams: { readonly stdout: OutputStream; readonly stderr: OutputStream; readonly stdin: InputStream },
  env: NodeJS.ProcessEnv,
): Terminal {
  const out = new Output(streams.stdout, 'standard output')
  const err = new Output(streams.stderr, 'standard error')
  let stdin: InputStream | undefined
  return {
    out,
    err,
    stdin: () => (stdin ??= streams.stdin),
    env,
    colours: coloursFor(out.isTTY, env),
    exitCode: 0,
    line: (text) => out.write(`${text}\n`),
    async lines(texts) {
      for (let i = 0; i < texts.length; i += LINES) await out.write(texts.slice(i, i + LINES).map((text) => `${text}\n`).join(''))
    },
    async json(document) {
      for (const piece of jsonPieces(document)) await out.write(piece)
    },
    note: (text) => err.write(`kiln: ${text}\n`),
    progress: (label, total) => startProgress(err, label, total),
    close: () => void stdin?.destroy?.(),
  }
}
