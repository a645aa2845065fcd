import { isKilnError, type PathStep } from '../errors/kiln-error.js'
import type { Infer, Input } from '../schema/infer.js'
import type { Schema } from '../schema/types.js'
import { decode } from './decode.js'
import { encode } from './encode.js'

/** Why a value was refused, as the Standard Schema specification (version 1) tells it. */
export interface StandardIssue {
  readonly message: string
  /** Names of fields and indexes, or a dict's key in an object of its own. */
  readonly path: readonly (string | number | { readonly key: string })[]
}

/**
 * A schema as the Standard Schema specification (version 1) has it, so that forms, routers and servers that take any
 * validator take a compiled schema. The type is spelled out here: the specification needs no package at run time.
 */
export interface StandardFace<In, Out> {
  readonly version: 1
  readonly vendor: 'kiln-format'
  /**
   * Takes what `encode` takes, and gives what `decode` gives of its bytes: 64-bit integers as bigint, lists of
   * numbers as typed arrays, dicts as Maps, and nothing that the schema doesn't name. It tells the first issue alone.
   */
  validate(
    value: unknown,
  ): { readonly value: Out; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] }
  /** For the compiler alone; there is no such property. */
  readonly types?: { readonly input: In; readonly output: Out } | undefined
}

export function standardFace<S extends Schema>(schema: S): StandardFace<Input<S>, Infer<S>> {
  return Object.freeze<StandardFace<Input<S>, Infer<S>>>({
    version: 1,
    vendor: 'kiln-format',
    validate(value) {
      try {
        // There and back: the writer's checks are the rules, and the copy shares nothing with what was given.
        return { value: decode(schema, encode(schema, value as Input<S>)) }
      } catch (error) {
        if (!isKilnError(error)) throw error
        return { issues: [{ message: `${error.code}: ${error.detail}`, path: error.steps.map(stepOf) }] }
      }
    },
  })
}

function stepOf(step: PathStep): PathStep {
  return typeof step === 'object' ? { key: step.key } : step
}
