import type { Command } from 'commander'
import { toJsonSchema } from '../gen/to-json-schema.js'
import { schemaOf } from '../input/schema-of.js'
import type { Terminal } from '../terminal/terminal.js'
import { addCommand } from './define.js'

/** Adds `to-json-schema` to the command `schema`. */
export function registerToJsonSchema(schema: Command, terminal: Terminal): void {
  addCommand(schema, 'to-json-schema', {
    summary: 'print a schema as JSON Schema 2020-12',
    details: 'kiln gen reads it back to the same schema. Tensors, and dicts whose keys are not text, are refused.',
    examples: ['kiln schema to-json-schema "struct{id:i64, tags:list<string>}"'],
  })
    .argument('<schema>', 'schema text or a file')
    .option('--title <title>', 'the title of the document')
    .action(async (argument: string, options: { readonly title?: string }) => {
      await terminal.out.write(toJsonSchema(await schemaOf(argument, terminal), options.title))
    })
}
