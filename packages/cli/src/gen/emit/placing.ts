import type { TypeModel } from '../model/model.js'
import { docComment } from './docs.js'
import { Passing, passingVariables, type PassingNeeds } from './passing.js'
import type { ModuleScope } from './scope.js'
import { functionHead, indented } from './text.js'

/** The function that puts a message where the payloads of its first directory are aligned; none without tensors. */
export function emitPlacing(scope: ModuleScope, root: TypeModel): string[] {
  const { placing, exports } = scope
  if (placing === undefined) return []
  const description =
    'Puts a message where the payloads of its first directory lie at multiples of 64, with one copy at most. ' +
    'With `frame`, the bytes are a frame.'
  const parameters = [`bytes: ${scope.useType('ByteInput')}`, `options?: ${scope.useType('PlaceOptions')}`]
  return [
    ...docComment({ description }),
    ...functionHead(`export function ${placing.place}`, parameters, 'Uint8Array'),
    `  return ${scope.use('placeWith')}(${placing.seek}, bytes, options)`,
    '}',
    '',
    ...docComment({ description: 'Where the first directory begins, or -1 if there is none.' }),
    ...functionHead(`function ${placing.seek}`, [`r: ${scope.useType('ByteReader')}`], 'number'),
    ...indented(seekingLines(scope, root, exports.text)),
    '}',
    '',
  ]
}

function seekingLines(scope: ModuleScope, root: TypeModel, text: string): string[] {
  const needs: PassingNeeds = { limits: new Set() }
  const passing = new Passing(scope, needs, { fault: `throw seekFault(r, ${text})`, indent: 2, seeking: true })
  const found = passing.pass(root)
  if (!found) passing.settle()
  const { lines } = passing
  if (found && lines.length === 1) return ['return r.pos']
  scope.use('seekFault')
  return [...passingVariables(needs, lines), ...lines, ...(found ? [] : ['return -1'])]
}
