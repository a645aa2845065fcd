import { projectionBorrows, type Projected, type StructProjection } from '../model/projection.js'
import { isPropertyName } from '../names/words.js'
import { docComment } from './docs.js'
import type { NamedProjection } from './projected-names.js'
import type { Reading } from './reading.js'
import type { ModuleScope } from './scope.js'
import { indented, literal } from './text.js'
import { alternatives, arrayOf, declared, fieldLines, mapOf } from './types.js'

/** The type of what is read, as alternatives of a union. */
export function projectedType(
  scope: ModuleScope,
  named: NamedProjection,
  projected: Projected,
  reading: Reading,
): string[] {
  const inner = (part: Projected): string[] => projectedType(scope, named, part, reading)
  switch (projected.kind) {
    case 'whole':
      return alternatives(scope, projected.model, reading)
    case 'option':
      return [...inner(projected.some), 'undefined']
    case 'list':
      return [arrayOf(inner(projected.element), reading)]
    case 'dict':
      return [mapOf(scope, projected.model.key, inner(projected.value).join(' | '))]
    case 'struct':
      return [named.namesOf(projected).type + (reading === 'view' && projectionBorrows(projected) ? 'View' : '')]
  }
}

/** The types of a projection: its root, and the structs of which it reads some fields. */
export function emitProjectedTypes(scope: ModuleScope, named: NamedProjection): string[] {
  const { root, type } = named
  const readings: Reading[] = projectionBorrows(root) ? ['own', 'view'] : ['own']
  const lines: string[] = []
  if (root.kind !== 'struct') {
    for (const reading of readings) {
      const name = reading === 'own' ? type : `${type}View`
      const description = `What {@link ${reading === 'own' ? named.project : named.projectView}} reads.`
      const types = projectedType(scope, named, root, reading)
      lines.push(...docComment({ description }), ...declared(`export type ${name} =`, types, 0), '')
    }
  }
  for (const projected of named.composites) {
    if (projected.kind !== 'struct') continue
    lines.push(...interfaceLines(scope, named, projected, 'own'))
    if (projectionBorrows(projected)) lines.push(...interfaceLines(scope, named, projected, 'view'))
  }
  return lines
}

function interfaceLines(
  scope: ModuleScope,
  named: NamedProjection,
  projected: StructProjection,
  reading: Reading,
): string[] {
  const { model, fields } = projected
  const { type } = named.namesOf(projected)
  const deprecated = model.docs.deprecated === true ? { deprecated: true } : {}
  const description =
    reading === 'own'
      ? `Some fields of {@link ${scope.typeName(model)}}.`
      : `{@link ${type}} as it is read without copying: lists of numbers, bytes and tensors lie in the input.`
  return [
    ...docComment({ description, ...deprecated }),
    `export interface ${type}${reading === 'own' ? '' : 'View'} {`,
    ...[...fields].flatMap(([field, part]) => {
      if (part.kind === 'whole') return indented(fieldLines(scope, field, reading))
      const key = isPropertyName(field.name) ? field.name : literal(field.name)
      const types = projectedType(scope, named, part, reading)
      return indented([...docComment(field.docs), ...declared(`${key}:`, types, 2)])
    }),
    '}',
    '',
  ]
}
