import type { Command } from 'commander'
import type { Terminal } from '../terminal/terminal.js'

/** What `--help` says of a command. */
export interface CommandText {
  /** One line. */
  readonly summary: string
  /** More, below the usage line. */
  readonly details?: string
  /** Command lines that work as they stand. */
  readonly examples: readonly string[]
}

/** Options that every command has. */
export interface CommonOptions {
  readonly json?: boolean
}

/**
 * Adds a command with its help, its examples and `--json`. Options and the action are added by the caller, so
 * that a command is read from top to bottom.
 */
export function addCommand(parent: Command, usage: string, text: CommandText): Command {
  const command = parent.command(usage).summary(text.summary)
  const sentence = `${text.summary.charAt(0).toUpperCase()}${text.summary.slice(1)}.`
  command.description(text.details === undefined ? sentence : `${sentence}\n\n${text.details}`)
  command.option('--json', 'print one JSON document')
  const lines = text.examples.map((example) => `  $ ${example}`)
  command.addHelpText('after', `\n${lines.length === 1 ? 'Example' : 'Examples'}:\n${lines.join('\n')}`)
  return command
}

/** For options that can be given several times. */
export function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value]
}

/** Registers a command; each lies in a module of its own, which is loaded when the command is named. */
export type Register = (program: Command, terminal: Terminal) => void
