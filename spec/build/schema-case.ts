import type { Case, CaseError } from './case.js'
import { SCHEMA_HASHES } from './schema-hashes.js'

/** A text that is a schema. Its hash is stated in a table; without `canonical` the text is canonical. */
export function accepted(name: string, what: string, text: string, canonical = text): Case {
  const hash = SCHEMA_HASHES.get(name)
  if (hash === undefined) throw new Error(`no hash is stated for ${name}`)
  return { name, note: `${what} (FORMAT §3).`, kind: 'schema', text, canonical, hash }
}

/** A text that is none. */
export function refused(name: string, what: string, text: string, error: CaseError = 'SCHEMA'): Case {
  return { name, note: `${what} (FORMAT §3).`, kind: 'schema', text, error }
}
