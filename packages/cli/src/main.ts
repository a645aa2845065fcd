import { readFileSync } from 'node:fs'
import { createProgram, runProgram } from './program.js'
import { reportFailure } from './terminal/failure.js'
import { openTerminal, type Terminal } from './terminal/terminal.js'

/** The package's version, read when somebody asks for it. */
function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  return (manifest as { version: string }).version
}

function asksForVersion([first]: readonly string[]): boolean {
  return first === '-V' || first === '--version'
}

/** Runs a command line on the process's own streams, or on the ones given, and returns the exit code. */
export async function main(args: readonly string[], terminal: Terminal = openTerminal(process, process.env)): Promise<number> {
  try {
    const program = await createProgram(terminal, asksForVersion(args) ? version() : '', args[0])
    await runProgram(program, args)
    return terminal.exitCode
  } catch (error) {
    return await reportFailure(error, terminal, args.includes('--json'))
  } finally {
    terminal.close()
  }
}
