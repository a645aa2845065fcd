import type { Command } from 'commander'
import type { Terminal } from '../terminal/terminal.js'
import { addCommand } from './define.js'

export function registerInspect(program: Command, _terminal: Terminal): void {
  addCommand(program, 'inspect', { summary: 'show what is in a file', examples: ['kiln inspect model.kiln'] })
}
