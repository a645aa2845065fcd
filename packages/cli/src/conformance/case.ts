import { isKilnError, parseSchema, type Limits, type Schema } from 'kiln-format'
import { bytesOfHex } from '../notation/hex.js'

/** Why a case can't be run: it is not in the notation. */
export class CaseFault extends Error {
  override readonly name = 'CaseFault'
}

/** What a case expects: a value in the notation, or an error's code. */
export type Expected = { readonly value: unknown } | { readonly error: string }

/** A case with bytes: `frozen`, `directory` or `frame`. */
export interface BytesCase {
  readonly kind: 'frozen' | 'directory' | 'frame'
  readonly schema: Schema | undefined
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly expected: Expected
  readonly limits: Partial<Limits>
  readonly canonical: boolean
  readonly flags: number | undefined
  readonly strict: string | undefined
  readonly verify: string | undefined
}

/** A case of kind `schema`. */
export interface SchemaCase {
  readonly kind: 'schema'
  readonly text: string
  readonly expected: { readonly canonical: string; readonly hash: string } | { readonly error: string }
}

type Json = Readonly<Record<string, unknown>>

/** Reads a case by the notation; throws {@link CaseFault} for one that is not in it. Unknown keys are passed over. */
export function caseOf(json: Json): BytesCase | SchemaCase {
  const kind = json['kind']
  if (kind === 'schema') return schemaCaseOf(json)
  if (kind !== 'frozen' && kind !== 'directory' && kind !== 'frame') {
    throw new CaseFault(`kind is ${JSON.stringify(kind) ?? 'missing'}; frozen, directory, frame and schema are known`)
  }
  return {
    kind,
    schema: schemaOf(kind, json['schema']),
    bytes: hexBytes(json['hex']),
    expected: expectedOf(json),
    limits: capsOf(json['caps']),
    canonical: json['canonical'] === true,
    flags: typeof json['flags'] === 'number' ? json['flags'] : undefined,
    strict: text(json, 'strict'),
    verify: text(json, 'verify'),
  }
}

function schemaCaseOf(json: Json): SchemaCase {
  const source = json['text']
  if (typeof source !== 'string') throw new CaseFault('a schema case has a text')
  if (typeof json['error'] === 'string') return { kind: 'schema', text: source, expected: { error: json['error'] } }
  const canonical = text(json, 'canonical')
  const hash = text(json, 'hash')
  if (canonical === undefined || hash === undefined) throw new CaseFault('a schema case has canonical and hash, or error')
  return { kind: 'schema', text: source, expected: { canonical, hash } }
}

function expectedOf(json: Json): Expected {
  if (typeof json['error'] === 'string') return { error: json['error'] }
  if (!Object.hasOwn(json, 'value')) throw new CaseFault('a case has a value or an error')
  return { value: json['value'] }
}

function schemaOf(kind: string, json: unknown): Schema | undefined {
  if (typeof json !== 'string') {
    if (kind === 'frozen') throw new CaseFault('a frozen case has a schema')
    return undefined
  }
  try {
    return parseSchema(json)
  } catch (error) {
    throw new CaseFault(`the case's schema: ${isKilnError(error) ? error.message : String(error)}`)
  }
}

function hexBytes(hex: unknown): Uint8Array<ArrayBuffer> {
  try {
    return bytesOfHex(hex)
  } catch (error) {
    throw new CaseFault(`hex: ${isKilnError(error) ? error.detail : String(error)}`)
  }
}

const CAPS = ['count', 'numbers', 'string', 'tensors', 'body'] as const

function capsOf(json: unknown): Partial<Limits> {
  if (json === undefined || json === null) return {}
  if (typeof json !== 'object') throw new CaseFault('caps is an object')
  const caps: { -readonly [name in keyof Limits]?: number } = {}
  for (const name of CAPS) {
    const cap = (json as Json)[name]
    if (typeof cap === 'number') caps[name] = cap
  }
  return caps
}

function text(json: Json, name: string): string | undefined {
  const value = json[name]
  return typeof value === 'string' ? value : undefined
}
