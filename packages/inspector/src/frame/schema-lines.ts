import type { Schema } from 'kiln-format'

/** A schema with a line a field, as people write it; it reads back as the same schema. */
export function schemaLines(schema: Schema, indent = ''): string {
  const inner = `${indent}  `
  switch (schema.kind) {
    case 'struct': {
      const fields = schema.names.map((name) => `${inner}${name}: ${schemaLines(schema.fields[name]!, inner)},\n`)
      return `struct {\n${fields.join('')}${indent}}`
    }
    case 'list':
      return `list<${schemaLines(schema.element, indent)}>`
    case 'option':
      return `option<${schemaLines(schema.some, indent)}>`
    case 'dict':
      return `dict<${schema.key.text}, ${schemaLines(schema.value, indent)}>`
    default:
      return schema.text
  }
}
