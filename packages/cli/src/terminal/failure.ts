import { isKilnError } from 'kiln-format'
import { onCommandLine } from './advice.js'
import { visible, visibleLines } from './escape.js'
import { FileError } from './file-error.js'
import { OutputClosed } from './output.js'
import type { Terminal } from './terminal.js'
import { UsageError } from './usage-error.js'

/** Runs a step that reads a file; a fault of the input or of the system then tells which file it was. */
export async function inFile<T>(file: string, step: () => T | Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    if (error instanceof FileError) throw error
    throw isKilnError(error) || isSystemError(error) ? new FileError(file, error) : error
  }
}

/** What is known of a failure, as `--json` gives it. */
export interface Failure {
  readonly code: string
  readonly file?: string
  readonly path?: string
  readonly offset?: number
  readonly message: string
}

type SystemError = NodeJS.ErrnoException & { readonly code: string }

function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && typeof (error as SystemError).code === 'string' && (error as SystemError).syscall !== undefined
}

const SYSTEM_WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file; check the path',
  EACCES: 'access is denied; check the permissions',
  EPERM: 'access is denied; check the permissions',
  EISDIR: 'this is a folder; name a file in it',
  ENOTDIR: 'a part of the path is no folder; check the path',
  ENOSPC: 'the disk is full; make room and try again',
}

/** Undefined for what is a fault of the program itself. */
export function failureOf(error: unknown): Failure | undefined {
  const file = error instanceof FileError ? error.file : undefined
  const cause = error instanceof FileError ? error.cause : error
  if (isKilnError(cause)) {
    return {
      code: cause.code,
      ...(file === undefined ? {} : { file }),
      ...(cause.path === '' ? {} : { path: cause.path }),
      ...(cause.offset === undefined ? {} : { offset: cause.offset }),
      message: onCommandLine(withoutName(cause.detail, file)),
    }
  }
  if (!isSystemError(cause)) return undefined
  const place = cause.path ?? file
  return { code: cause.code, ...(place === undefined ? {} : { file: place }), message: SYSTEM_WORDS[cause.code] ?? cause.message }
}

/** What a source says of itself often begins with its name, which stands before it here already. */
function withoutName(detail: string, file: string | undefined): string {
  for (const start of file === undefined ? [] : [`${file}: `, `${file} `]) if (detail.startsWith(start)) return detail.slice(start.length)
  return detail
}

/** `CODE at PATH (byte N): what, and what to do`. */
export function failureText({ code, file, path, offset, message }: Failure): string {
  const place = [file, path].filter((part) => part !== undefined).join(', ')
  return visible(`${code}${place === '' ? '' : ` at ${place}`}${offset === undefined ? '' : ` (byte ${offset})`}: ${message}`)
}

/**
 * Says on standard error what went wrong, and with `json` as the one document on standard output too. Returns the
 * exit code: 1 for bad input, 2 for wrong usage, 0 if only the reader of the output has gone.
 */
export async function reportFailure(error: unknown, terminal: Terminal, json: boolean): Promise<number> {
  if (error instanceof OutputClosed) return 0
  try {
    await tell(error, terminal, json)
  } catch (again) {
    // Nobody reads, or the disk is full: the exit code has to say it alone.
    if (!(again instanceof OutputClosed) && !(again instanceof FileError)) throw again
  }
  return error instanceof UsageError ? 2 : 1
}

async function tell(error: unknown, terminal: Terminal, json: boolean): Promise<void> {
  if (error instanceof UsageError) {
    await terminal.note(visibleLines(error.message))
    if (json) await terminal.json({ error: { code: 'USAGE', message: error.message } })
    return
  }
  const failure = failureOf(error)
  await terminal.note(failure === undefined ? faultText(error) : failureText(failure))
  if (debugging(terminal)) await terminal.err.write(`${stackOf(error)}\n`)
  if (json) await terminal.json({ error: failure ?? { code: 'FAULT', message: faultText(error) } })
}

function debugging(terminal: Terminal): boolean {
  return (terminal.env['KILN_DEBUG'] ?? '') !== ''
}

function faultText(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return visible(`a fault of this program, please report it: ${text}; KILN_DEBUG=1 shows where`)
}

function stackOf(error: unknown): string {
  const stack = error instanceof Error ? error.stack ?? error.message : String(error)
  const cause = error instanceof Error && error.cause !== undefined ? `\ncaused by ${stackOf(error.cause)}` : ''
  return visibleLines(stack) + cause
}
