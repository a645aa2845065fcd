import { DEFAULT_CAPS, type Caps, type ReadRules } from './caps.js'
import { fromHex, toHex } from './bytes.js'
import type { CaseValue } from './case-values.js'
import { caseTensors, readStandaloneDirectory } from './directory-read.js'
import { verifyDirectory } from './directory-verify.js'
import { writeDirectory } from './directory-write.js'
import { SpecError } from './error.js'
import { readFrame } from './frame-read.js'
import { writeFrame } from './frame-write.js'
import { readFrozen } from './frozen-read.js'
import { writeFrozen } from './frozen-write.js'
import { canonicalText, hashOf } from './schema-hash.js'
import { parseSchemaText } from './schema-text.js'

/** What is read here of a case (spec/CASES.md); other keys are for others. */
export interface ReadCase {
  readonly kind: 'frozen' | 'directory' | 'frame' | 'schema'
  readonly schema?: string | null
  readonly text?: string
  readonly hex?: string
  readonly caps?: { readonly [cap in keyof Caps]?: number }
}

/** What the format makes of a case: in the words of the case file, or an error code. */
export interface Outcome {
  readonly value?: CaseValue
  readonly error?: string
  readonly flags?: number
  readonly strict?: string
  readonly verify?: string
  readonly canonical?: string
  readonly hash?: string
  /** For what has a value: the canonical bytes of that value. */
  readonly rewritten?: string
}

/** Does what a case asks for. Anything but a `SpecError` is a fault of the reference and is thrown. */
export function outcomeOf(entry: ReadCase): Outcome {
  let outcome: Outcome = {}
  const error = codeOf(() => {
    outcome = valueOf(entry)
  })
  return error === 'ok' ? outcome : { error }
}

function valueOf(entry: ReadCase): Outcome {
  const rules: ReadRules = { caps: capsOf(entry.caps), strict: false }
  switch (entry.kind) {
    case 'schema': {
      const schema = parseSchemaText(entry.text!)
      return { canonical: canonicalText(schema), hash: `0x${hashOf(schema).toString(16).padStart(16, '0')}` }
    }
    case 'frozen': {
      const schema = parseSchemaText(entry.schema!)
      const value = readFrozen(schema, fromHex(entry.hex!), rules)
      return { value, rewritten: toHex(writeFrozen(schema, value)) }
    }
    case 'directory': {
      const bytes = fromHex(entry.hex!)
      const directory = readStandaloneDirectory(bytes, rules)
      const value = caseTensors(directory)
      return {
        value,
        strict: codeOf(() => readStandaloneDirectory(bytes, { ...rules, strict: true })),
        verify: codeOf(() => verifyDirectory(directory)),
        rewritten: toHex(writeDirectory(value)),
      }
    }
    case 'frame': {
      const caller = typeof entry.schema === 'string' ? parseSchemaText(entry.schema) : undefined
      const frame = readFrame(fromHex(entry.hex!), caller, rules)
      return {
        value: frame.value,
        flags: frame.flags,
        rewritten: toHex(writeFrame(frame.schema, frame.value, frame.flags)),
      }
    }
  }
}

function capsOf(caps: ReadCase['caps']): Caps {
  const given = Object.entries(caps ?? {}).map(([name, cap]) => [name, BigInt(cap)] as const)
  return { ...DEFAULT_CAPS, ...Object.fromEntries(given) }
}

/** The code that `act` ends with, or `ok`. */
export function codeOf(act: () => void): string {
  try {
    act()
    return 'ok'
  } catch (error) {
    if (error instanceof SpecError) return error.code
    throw error
  }
}
