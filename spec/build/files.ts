import { type Case, caseFile } from './case.js'
import { frameBodyCases } from './frame-body.js'
import { frameHeaderCases } from './frame-header.js'
import { frameOrderCases } from './frame-order.js'
import { frameSchemaCases } from './frame-schema.js'
import { pinnedDirectoryCases, pinnedPodCases } from './pinned.js'
import { dictCases } from './pod-dicts.js'
import { listCases } from './pod-lists.js'
import { scalarCases } from './pod-scalars.js'
import { stringCases } from './pod-strings.js'
import { structCases } from './pod-structs.js'
import { rulesOf } from './rules.js'
import { schemaFieldCases } from './schema-fields.js'
import { schemaLimitCases } from './schema-limits.js'
import { schemaWordCases } from './schema-words.js'
import { descriptorCases } from './v2-descriptors.js'
import { dtypeCases } from './v2-dtypes.js'
import { fieldCases } from './v2-fields.js'
import { headerCases } from './v2-header.js'
import { linkCases } from './v2-links.js'
import { nameCases } from './v2-names.js'
import { orderCases } from './v2-order.js'
import { verifyCases } from './v2-verify.js'

const FILES: ReadonlyMap<string, () => Case[]> = new Map([
  [
    'kiln-pod-cases.json',
    () => [...pinnedPodCases(), ...scalarCases(), ...stringCases(), ...listCases(), ...dictCases(), ...structCases()],
  ],
  [
    'kiln-v2-cases.json',
    () => [
      ...pinnedDirectoryCases(),
      ...headerCases(),
      ...descriptorCases(),
      ...dtypeCases(),
      ...nameCases(),
      ...linkCases(),
      ...verifyCases(),
      ...fieldCases(),
      ...orderCases(),
    ],
  ],
  ['frame-cases.json', () => [...frameHeaderCases(), ...frameSchemaCases(), ...frameBodyCases(), ...frameOrderCases()]],
  ['schema-cases.json', () => [...schemaWordCases(), ...schemaFieldCases(), ...schemaLimitCases()]],
])

/** Every case file: its name, and its whole text. `page` is the text of SPEC.md, which says what rule a case pins. */
export function caseFiles(page: string): { readonly name: string; readonly text: string }[] {
  const rules = rulesOf(page)
  return [...FILES].map(([name, cases]) => ({ name, text: caseFile(cases(), rules) }))
}
