/** A document's name without what says its kind: `user.schema.json` is `user`. */
export function baseName(file: string): string {
  return file.replace(/(?<=.)\.(json|kiln|txt|schema)$/i, '').replace(/(?<=.)\.(schema|openapi|kiln)$/i, '')
}
