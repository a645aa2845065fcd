import { Command, CommanderError } from 'commander'
import type { Register } from './commands/define.js'
import { UsageError } from './terminal/usage-error.js'
import type { Terminal } from './terminal/terminal.js'

/** Where each command lies. Only the one that is named is loaded: a start takes half as long. */
const COMMANDS: Readonly<Record<string, () => Promise<Register>>> = {
  inspect: async () => (await import('./commands/inspect.js')).registerInspect,
  verify: async () => (await import('./commands/verify.js')).registerVerify,
  decode: async () => (await import('./commands/decode.js')).registerDecode,
  encode: async () => (await import('./commands/encode.js')).registerEncode,
  convert: async () => (await import('./commands/convert.js')).registerConvert,
  extract: async () => (await import('./commands/extract.js')).registerExtract,
  meta: async () => (await import('./commands/meta.js')).registerMeta,
  diff: async () => (await import('./commands/diff.js')).registerDiff,
  stats: async () => (await import('./commands/stats.js')).registerStats,
  view: async () => (await import('./commands/view.js')).registerView,
  gen: async () => (await import('./commands/gen.js')).registerGen,
  schema: async () => (await import('./commands/schema.js')).registerSchema,
  conformance: async () => (await import('./commands/conformance.js')).registerConformance,
}

/** The program with the command that is named, or with all of them. */
export async function createProgram(terminal: Terminal, version: string, named?: string): Promise<Command> {
  const program = new Command('kiln')
    .description('Looks into Kiln files and their neighbours, checks them, and turns one into another.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print help for a command')
    .showSuggestionAfterError(true)
    .exitOverride()
  program.configureOutput({
    writeOut: (text) => void terminal.out.write(text).catch(() => undefined),
    // What commander would print of an error is in the error that it throws.
    writeErr: () => undefined,
    getOutHelpWidth: () => Math.min(terminal.out.columns, 100),
    getOutHasColors: () => false,
  })
  program.addHelpText('after', HELP_TAIL)
  for (const name of namesToLoad(named)) (await COMMANDS[name]!())(program, terminal)
  return program
}

function namesToLoad(named: string | undefined): readonly string[] {
  if (named === '-V' || named === '--version') return []
  return named !== undefined && Object.hasOwn(COMMANDS, named) ? [named] : Object.keys(COMMANDS)
}

const HELP_TAIL = `
Example:
  $ kiln inspect model.kiln

Exit code: 0 all is well, 1 the input is bad, 2 the command line is wrong.
Environment: NO_COLOR turns colour off, KILN_DEBUG=1 shows where in the program an error arose.`

/** Runs a command line. Help and the version are no errors; whatever else commander objects to is wrong usage. */
export async function runProgram(program: Command, args: readonly string[]): Promise<void> {
  try {
    await program.parseAsync(helpAsked(program, args), { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) return
    throw new UsageError(usageText(error, program, args))
  }
}

/** `help meta set` is `meta set --help`: commander's own `help` takes one name, and says nothing of one that is none. */
function helpAsked(program: Command, args: readonly string[]): readonly string[] {
  const [first, ...names] = args
  if (first !== 'help' || names.length === 0 || names[0]!.startsWith('-')) return args
  const known = commandsNamed(program, names)
  if (known.length === names.length) return [...names, '--help']
  throw new UsageError(`unknown command '${names.join(' ')}'; ${hintOf(known)}`)
}

function hintOf(names: readonly string[]): string {
  return `${['kiln', ...names].join(' ')} --help shows how it is used`
}

/** The names at the front of a command line that are commands, each of the one before: `meta get`. */
function commandsNamed(program: Command, args: readonly string[]): string[] {
  const names: string[] = []
  let command: Command | undefined = program
  for (const arg of args) {
    command = command.commands.find((inner) => inner.name() === arg)
    if (command === undefined) break
    names.push(arg)
  }
  return names
}

function usageText(error: CommanderError, program: Command, args: readonly string[]): string {
  const hint = hintOf(commandsNamed(program, args))
  if (error.code === 'commander.help') return `a command expected; ${hint}`
  return `${error.message.replace(/^error: /, '').replace(/\n\(Did you mean (.*)\?\)/s, '; did you mean $1?')}; ${hint}`
}
