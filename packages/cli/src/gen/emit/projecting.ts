import type { NumberName } from 'kiln-format'
import type { FieldModel } from '../model/model.js'
import { isNumber, WIDTHS } from '../model/numbers.js'
import {
  projectionBorrows,
  type CompositeProjection, type Projected, type StructProjection,
} from '../model/projection.js'
import type { NameSet } from '../names/name-set.js'
import { emitIterator } from './iterating.js'
import { Passing, PASSING_LOCALS, passingVariables, type PassingNeeds } from './passing.js'
import type { NamedProjection, ProjectedStep } from './projected-names.js'
import { emitProjectedTypes, projectedType } from './projected-types.js'
import {
  dictLines, emitRootReader, entryOf, getter, listLines, localFor, readExpression, structLines,
  type Reading,
} from './reading.js'
import type { ModuleScope } from './scope.js'
import { assigned, functionHead, indented, literal } from './text.js'

/** The types of a projection and the functions that read it. */
export function emitProjection(scope: ModuleScope, named: NamedProjection): string[] {
  const { root, type } = named
  const borrows = projectionBorrows(root)
  const lines = [
    ...emitProjectedTypes(scope, named),
    ...constants(named),
    ...emitRootReader(
      scope,
      named.project,
      type,
      expression(scope, named, root, 'own'),
      `Reads some fields, and passes over the others by their lengths.`,
    ),
  ]
  if (borrows) {
    const description = `As {@link ${named.project}}; lists of numbers, bytes and tensors lie in the bytes.`
    lines.push(
      ...emitRootReader(scope, named.projectView, `${type}View`, expression(scope, named, root, 'view'), description),
    )
  }
  if (root.kind === 'list') {
    const reading = (how: Reading): { element: string; expression: string } => ({
      element: projectedType(scope, named, root.element, how).join(' | '),
      expression: expression(scope, named, root.element, how),
    })
    const { iterate, iterateView, each, eachView } = named
    lines.push(...emitIterator(scope, root.model, 'own', { name: iterate, each, ...reading('own') }))
    if (borrows) {
      const view = { name: iterateView, each: eachView, owned: iterate, ...reading('view') }
      lines.push(...emitIterator(scope, root.model, 'view', view))
    }
  }
  for (const projected of named.composites) {
    lines.push(...readerOf(scope, named, projected, 'own'))
    if (projectionBorrows(projected)) lines.push(...readerOf(scope, named, projected, 'view'))
  }
  return lines
}

/** The schemas of what is gone through at once, for the code that says what is wrong with it. */
function constants(named: NamedProjection): string[] {
  const lines = named.composites.flatMap((projected) =>
    named
      .namesOf(projected)
      .steps.flatMap((step) => ('fields' in step ? assigned(`const ${step.constant} =`, literal(step.text)) : [])),
  )
  return lines.length === 0 ? [] : [...lines, '']
}

function expression(scope: ModuleScope, named: NamedProjection, projected: Projected, reading: Reading): string {
  if (projected.kind === 'whole') return readExpression(scope, projected.model, reading)
  if (projected.kind === 'option') {
    const some = expression(scope, named, projected.some, reading)
    return `${scope.use('readFlag')}(r, 'option tag') ? ${some} : undefined`
  }
  const { read, borrow } = named.namesOf(projected)
  return `${reading === 'view' && projectionBorrows(projected) ? borrow : read}(r)`
}

function readerOf(
  scope: ModuleScope,
  named: NamedProjection,
  projected: CompositeProjection,
  reading: Reading,
): string[] {
  const { read, borrow } = named.namesOf(projected)
  const result = projectedType(scope, named, projected, reading).join(' | ')
  const head = functionHead(
    `function ${reading === 'own' ? read : borrow}`,
    [`r: ${scope.useType('ByteReader')}`],
    result,
  )
  return [...head, ...indented(bodyOf(scope, named, projected, reading)), '}', '']
}

function bodyOf(scope: ModuleScope, named: NamedProjection, projected: CompositeProjection, reading: Reading): string[] {
  if (projected.kind === 'struct') return new StructReader(scope, named, projected, reading).body()
  const inner = projected.kind === 'list' ? projected.element : projected.value
  const type = projectedType(scope, named, inner, reading).join(' | ')
  const read = expression(scope, named, inner, reading)
  return projected.kind === 'list'
    ? listLines(scope, projected.model, type, read)
    : dictLines(scope, projected.model, type, read)
}

/** Writes the function that reads some fields of a struct. Between its steps the cursor is where it belongs, in `r`. */
class StructReader {
  readonly #scope: ModuleScope
  readonly #named: NamedProjection
  readonly #projected: StructProjection
  readonly #reading: Reading
  readonly #locals: NameSet
  readonly #needs: PassingNeeds = { limits: new Set() }
  readonly #lines: string[] = []
  readonly #entries: string[] = []
  #field = ''

  constructor(scope: ModuleScope, named: NamedProjection, projected: StructProjection, reading: Reading) {
    this.#scope = scope
    this.#named = named
    this.#projected = projected
    this.#reading = reading
    this.#locals = scope.locals([...PASSING_LOCALS, 'field', 'error'])
  }

  body(): string[] {
    const { steps } = this.#named.namesOf(this.#projected)
    steps.forEach((step, i) => {
      if ('fields' in step) this.#group(step, i > 0)
      else {
        this.#setField(step.field.name)
        const whole = this.#projected.fields.get(step.field)!
        this.#value(step.field, expression(this.#scope, this.#named, whole, this.#reading))
      }
    })
    const groups = steps.some((step) => 'fields' in step)
    return [
      ...(groups ? passingVariables(this.#needs, this.#lines) : []),
      ...structLines(this.#scope, this.#lines, this.#entries),
    ]
  }

  #group({ fields, constant }: Extract<ProjectedStep, { fields: unknown }>, again: boolean): void {
    this.#setField('')
    if (again) this.#lines.push('pos = r.pos')
    const fault = `throw ${this.#scope.use('passFault')}(r, ${constant})`
    const passing = new Passing(this.#scope, this.#needs, { fault, indent: 4 })
    for (const field of fields) {
      const { kind } = field.type
      if (!this.#projected.fields.has(field)) passing.pass(field.type)
      else passing.take(WIDTHS[kind as NumberName | 'bool'], (at) => this.#scalar(field, at))
    }
    const end = passing.settle()
    this.#lines.push(...passing.lines, `r.pos = ${end}`)
  }

  /** The lines that read a scalar whose bytes are there. */
  #scalar(field: FieldModel, at: string): string[] {
    const scope = this.#scope
    const before = this.#lines.length
    const { kind } = field.type
    if (kind === 'bool') {
      this.#setField(field.name)
      this.#value(field, `${scope.use('flagAt')}(r, ${at}, 'bool')`)
    } else if (isNumber(kind)) {
      this.#needs.view = true
      const value = getter(kind, at, 'view')
      if (scope.int64 === 'number' && (kind === 'i64' || kind === 'u64')) {
        this.#setField(field.name)
        this.#value(field, `${scope.use('safeInteger')}(${value}, ${at})`)
      } else this.#value(field, value)
    }
    return this.#lines.splice(before)
  }

  #setField(name: string): void {
    if (name !== this.#field) this.#lines.push(`field = ${literal(name)}`)
    this.#field = name
  }

  #value({ name }: FieldModel, value: string): void {
    const local = localFor(this.#locals, name)
    this.#lines.push(`const ${local} = ${value}`)
    this.#entries.push(entryOf(name, local))
  }
}
