import type { JsonNode } from '../json/json-tree.js'

/** The JSON types to which a keyword applies; elsewhere it says nothing. */
type Applies = 'string' | 'number' | 'array' | 'object' | 'any'

/** A keyword that says which values are valid, and that a Kiln schema can't say. */
export interface Constraint {
  readonly applies: Applies
  /** What it does, to follow "it". */
  readonly does: string
  /**
   * Whether `--ignore` may drop it: `yes` where that only widens what is accepted; `branches` where it does
   * unless the schemas in it describe values of their own, which would then be lost.
   */
  readonly ignore: 'yes' | 'branches' | 'no'
  /** Whether this value of it allows everything. */
  readonly idle?: (value: JsonNode) => boolean
}

const isZero = (value: JsonNode): boolean => value.kind === 'number' && Number(value.text) === 0
const isFalse = (value: JsonNode): boolean => value.kind === 'boolean' && !value.value
const isTrue = (value: JsonNode): boolean => value.kind === 'boolean' && value.value

function limits(applies: Applies, does: string, idle?: (value: JsonNode) => boolean): Constraint {
  return { applies, does, ignore: 'yes', ...(idle === undefined ? {} : { idle }) }
}

const branches = (does: string): Constraint => ({ applies: 'any', does, ignore: 'branches' })
const never = (applies: Applies, does: string): Constraint => ({ applies, does, ignore: 'no' })

/** Every keyword of drafts 4 to 2020-12 that a schema of the subset may not have, or not in every form. */
export const CONSTRAINTS: ReadonlyMap<string, Constraint> = new Map<string, Constraint>([
  ['enum', limits('any', 'allows certain values only')],
  ['const', limits('any', 'allows one value only')],
  ['minimum', limits('number', 'sets a lower limit')],
  ['maximum', limits('number', 'sets an upper limit')],
  ['exclusiveMinimum', limits('number', 'sets a lower limit', isFalse)],
  ['exclusiveMaximum', limits('number', 'sets an upper limit', isFalse)],
  ['multipleOf', limits('number', 'allows multiples of a number only')],
  ['minLength', limits('string', 'limits the length', isZero)],
  ['maxLength', limits('string', 'limits the length')],
  ['pattern', limits('string', 'allows certain texts only')],
  ['minItems', limits('array', 'limits the number of elements', isZero)],
  ['maxItems', limits('array', 'limits the number of elements')],
  ['uniqueItems', limits('array', 'forbids equal elements', isFalse)],
  ['contains', limits('array', 'asks for certain elements')],
  ['minContains', limits('array', 'asks for certain elements')],
  ['maxContains', limits('array', 'limits certain elements')],
  ['unevaluatedItems', limits('array', 'limits further elements', isTrue)],
  ['minProperties', limits('object', 'limits the number of members', isZero)],
  ['maxProperties', limits('object', 'limits the number of members')],
  ['propertyNames', limits('object', 'allows certain names only', isTrue)],
  ['dependentRequired', limits('object', 'ties members to one another')],
  ['dependentSchemas', branches('ties members to one another')],
  ['dependencies', branches('ties members to one another')],
  ['not', limits('any', 'excludes values', isFalse)],
  ['if', branches('sets conditions')],
  ['then', branches('sets conditions')],
  ['else', branches('sets conditions')],
  ['allOf', branches('adds further schemas')],
  ['anyOf', branches('offers a choice of schemas')],
  ['oneOf', branches('offers a choice of schemas')],
  ['patternProperties', never('object', 'gives members types by their names')],
  [
    'unevaluatedProperties',
    { ...never('object', 'gives further members a type'), idle: (value) => value.kind === 'boolean' },
  ],
  ['prefixItems', never('array', 'gives each element a type of its own')],
  ['$dynamicRef', never('any', 'refers to a schema that depends on the way to it')],
  ['$recursiveRef', never('any', 'refers to a schema that depends on the way to it')],
])

/** Keywords that make a type. The rest, known or not, are annotations: they are passed over. */
export const STRUCTURE: ReadonlySet<string> = new Set([
  'type',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'format',
  'contentEncoding',
  '$ref',
  'nullable',
])

/** What `--ignore` can be given. */
export const IGNORABLE: readonly string[] = [
  '$schema',
  ...[...CONSTRAINTS].flatMap(([name, { ignore }]) => (ignore === 'no' ? [] : [name])),
]
