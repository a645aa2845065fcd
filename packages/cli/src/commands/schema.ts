import type { Command } from 'commander'
import { formatHash } from 'kiln-format'
import { schemaOf } from '../input/schema-of.js'
import { schemaChanges } from '../schema/difference.js'
import type { Terminal } from '../terminal/terminal.js'
import { visible } from '../terminal/escape.js'
import { addCommand, type CommonOptions } from './define.js'
import { registerToJsonSchema } from './to-json-schema.js'

export function registerSchema(program: Command, terminal: Terminal): void {
  const schema = addCommand(program, 'schema', {
    summary: 'print a schema\'s canonical text and its hash',
    details: 'SCHEMA is schema text, a file with schema text, a file of frames (its first frame\'s own schema), or - for standard input.',
    examples: ['kiln schema "struct{id:i64, batch:tensors}"', 'kiln schema model.kiln'],
  })
  schema.argument('<schema>', 'schema text or a file').action(async (argument: string, options: CommonOptions) => {
    const { text, hash, depth } = await schemaOf(argument, terminal)
    if (options.json === true) await terminal.json({ schema: text, hash: formatHash(hash), depth })
    else {
      await terminal.line(text)
      await terminal.line(formatHash(hash))
    }
  })
  registerDiff(schema, terminal)
  registerToJsonSchema(schema, terminal)
}

function registerDiff(schema: Command, terminal: Terminal): void {
  addCommand(schema, 'diff', {
    summary: 'say in words what changed from schema A to schema B',
    examples: ['kiln schema diff "struct{a:u8}" "struct{a:u16,b:string}"'],
  })
    .argument('<a>', 'schema text or a file')
    .argument('<b>', 'schema text or a file')
    .action(async (first: string, second: string, _options: CommonOptions, command: Command) => {
      const a = await schemaOf(first, terminal)
      const b = await schemaOf(second, terminal)
      const changes = schemaChanges(a, b)
      if (command.optsWithGlobals<CommonOptions>().json === true) {
        const side = ({ text, hash }: typeof a): object => ({ schema: text, hash: formatHash(hash) })
        await terminal.json({ same: changes.length === 0, a: side(a), b: side(b), changes })
        return
      }
      for (const { text } of changes) await terminal.line(visible(text))
      await terminal.line(
        changes.length === 0
          ? `the schemas are the same: ${formatHash(a.hash)}`
          : `${formatHash(a.hash)} became ${formatHash(b.hash)}: a reader of the one refuses frames of the other`,
      )
    })
}
