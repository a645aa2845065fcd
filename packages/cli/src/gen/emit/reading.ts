import type { NumberName, ScalarName } from 'kiln-format'
import type { DictModel, ListModel, StructModel, TypeModel } from '../model/model.js'
import { isInt64, WIDTHS } from '../model/numbers.js'
import { borrows, minSize } from '../model/sizes.js'
import type { NameSet } from '../names/name-set.js'
import { camelCase, isPropertyName } from '../names/words.js'
import { docComment } from './docs.js'
import { isNumberList, type CompositeModel, type CompositeNames, type ModuleScope } from './scope.js'
import { stepsOf, type RunField } from './struct-runs.js'
import { assigned, functionHead, indented, listed, literal } from './text.js'
import { typeText } from './types.js'

/** The getter of a DataView for each scalar but `bool`. */
const GETTERS: Readonly<Record<Exclude<ScalarName, 'bool'>, string>> = {
  i8: 'getInt8',
  u8: 'getUint8',
  i16: 'getInt16',
  u16: 'getUint16',
  i32: 'getInt32',
  u32: 'getUint32',
  i64: 'getBigInt64',
  u64: 'getBigUint64',
  f16: 'getUint16',
  bf16: 'getUint16',
  f32: 'getFloat32',
  f64: 'getFloat64',
}

/** Owned as `decode` reads, or borrowed as `view` does. */
export type Reading = 'own' | 'view'

/** The functions that read the composite types of a module, borrowed too where that differs. */
export function emitReaders(scope: ModuleScope): string[] {
  const lines: string[] = []
  for (const { model, names } of scope.composites) {
    lines.push(...readerOf(scope, model, names, 'own'))
    if (borrows(model)) lines.push(...readerOf(scope, model, names, 'view'))
  }
  return lines
}

/** An expression that reads a value at the cursor `r`. */
export function readExpression(scope: ModuleScope, model: TypeModel, reading: Reading): string {
  switch (model.kind) {
    case 'bool':
      return `${scope.use('readFlag')}(r, 'bool')`
    case 'string':
      return `${scope.use('readString')}(r)`
    case 'bytes':
      return `${scope.use(reading === 'own' ? 'readBytes' : 'viewBytes')}(r)`
    case 'tensors':
      return `${scope.use(reading === 'own' ? 'readTensors' : 'viewTensors')}(r)`
    case 'list':
      if (isNumberList(model)) {
        return `${scope.numbers(model.element.kind as NumberName).readers}.${reading === 'own' ? 'read' : 'view'}(r)`
      }
      return compositeCall(scope, model, reading)
    case 'dict':
    case 'struct':
      return compositeCall(scope, model, reading)
    case 'option':
      return `${scope.use('readFlag')}(r, 'option tag') ? ${readExpression(scope, model.some, reading)} : undefined`
    default:
      return loneNumber(scope, model.kind)
  }
}

function compositeCall(scope: ModuleScope, model: CompositeModel, reading: Reading): string {
  const names = scope.composite(model)
  return `${reading === 'view' && borrows(model) ? names.borrow : names.read}(r)`
}

function loneNumber(scope: ModuleScope, kind: Exclude<ScalarName, 'bool'>): string {
  if (isInt64(kind) && scope.int64 === 'number')
    return `${scope.use(kind === 'i64' ? 'readSafeI64' : 'readSafeU64')}(r)`
  return getter(kind, `${scope.use('take')}(r, ${WIDTHS[kind]}, '${kind}')`)
}

export function getter(kind: Exclude<ScalarName, 'bool'>, at: string, view = 'r.view'): string {
  return `${view}.${GETTERS[kind]}(${at}${WIDTHS[kind] === 1 ? '' : ', true'})`
}

function readerOf(scope: ModuleScope, model: CompositeModel, names: CompositeNames, reading: Reading): string[] {
  const name = reading === 'own' ? names.read : names.borrow
  const body =
    model.kind === 'struct'
      ? structBody(scope, model, names, reading)
      : model.kind === 'list'
        ? listBody(scope, model, reading)
        : dictBody(scope, model, reading)
  const head = functionHead(`function ${name}`, [`r: ${scope.useType('ByteReader')}`], typeText(scope, model, reading))
  return [...head, ...indented(body), '}', '']
}

function structBody(scope: ModuleScope, model: StructModel, names: CompositeNames, reading: Reading): string[] {
  const locals = scope.locals(['r', 'field', 'error'])
  const lines: string[] = []
  const entries: string[] = []
  const runs = names.runs.values()
  let current = ''
  const setField = (name: string): void => {
    if (name !== current) lines.push(`field = ${name === '' ? "''" : literal(name)}`)
    current = name
  }
  const value = (name: string, expression: string): void => {
    const local = localFor(locals, name)
    lines.push(`const ${local} = ${expression}`)
    entries.push(entryOf(name, local))
  }
  for (const step of stepsOf(model)) {
    if ('field' in step) {
      setField(step.field.name)
      value(step.field.name, readExpression(scope, step.field.type, reading))
      continue
    }
    const at = locals.take('at')
    const [first] = step.run as [RunField]
    if (step.run.length === 1) {
      setField(first.field.name)
      lines.push(`const ${at} = ${scope.use('take')}(r, ${step.size}, '${first.scalar}')`)
    } else {
      setField('')
      lines.push(`const ${at} = ${scope.use('takeRun')}(r, ${step.size}, ${runs.next().value!.name})`)
    }
    for (const { field, scalar, offset } of step.run) {
      const place = offset === 0 ? at : `${at} + ${offset}`
      if (scalar === 'bool') {
        setField(field.name)
        value(field.name, `${scope.use('flagAt')}(r, ${place}, 'bool')`)
      } else if (isInt64(scalar) && scope.int64 === 'number') {
        setField(field.name)
        value(field.name, `${scope.use('safeInteger')}(${getter(scalar, place)}, ${place})`)
      } else value(field.name, getter(scalar, place))
    }
  }
  return structLines(scope, lines, entries)
}

/** The body of a function that reads a struct: statements for its fields, and the entries of the object. */
export function structLines(scope: ModuleScope, lines: string[], entries: readonly string[]): string[] {
  return [
    fieldVariable(lines),
    'try {',
    ...indented(lines),
    // Laid out for its place inside a function and a block.
    ...listed('return {', entries, '}', true, '    ').map((line) => line.slice(2)),
    '} catch (error) {',
    `  throw ${scope.use('inField')}(error, field)`,
    '}',
  ]
}

/** The entry of an object for a field whose value is in a variable. */
export function entryOf(name: string, local: string): string {
  return local === name ? name : `${isPropertyName(name) ? name : literal(name)}: ${local}`
}

/** An exported function that reads a value which stands alone. */
export function emitRootReader(scope: ModuleScope, name: string, result: string, expression: string, description: string): string[] {
  const parameters = [`bytes: ${scope.useType('ByteInput')}`, `options?: ${scope.useType('ReadOptions')}`]
  return [
    ...docComment({ description }),
    ...functionHead(`export function ${name}`, parameters, result),
    `  const r = ${scope.use('openMessage')}(bytes, options, '${scope.int64}')`,
    '  try {',
    ...indented(indented(assigned('const value =', expression, ''))),
    `    ${scope.use('checkEnd')}(r, 'value')`,
    '    return value',
    '  } catch (error) {',
    `    throw ${scope.use('inMessage')}(error, r)`,
    '  }',
    '}',
    '',
  ]
}

function listBody(scope: ModuleScope, model: ListModel, reading: Reading): string[] {
  const element = typeText(scope, model.element, reading)
  return listLines(scope, model, element, readExpression(scope, model.element, reading))
}

/** The body of a function that reads a list, element by element. */
export function listLines(scope: ModuleScope, model: ListModel, element: string, expression: string): string[] {
  return [
    `const list = ${scope.use('takeList')}<${element}>(r, ${minSize(model.element)})`,
    'const count = list.length',
    'let i = 0',
    'try {',
    `  for (; i < count; i++) list[i] = ${expression}`,
    '} catch (error) {',
    `  throw ${scope.use('inElement')}(error, i)`,
    '}',
    'return list',
  ]
}

function dictBody(scope: ModuleScope, model: DictModel, reading: Reading): string[] {
  const value = typeText(scope, model.value, reading)
  return dictLines(scope, model, value, readExpression(scope, model.value, reading))
}

/** The body of a function that reads a dict, entry by entry. */
export function dictLines(scope: ModuleScope, model: DictModel, value: string, expression: string): string[] {
  const key = typeText(scope, model.key, 'own')
  return [
    `const count = ${scope.use('takeEntries')}(r, ${minSize(model.key) + minSize(model.value)})`,
    `const dict = new Map<${key}, ${value}>()`,
    `let key: ${key} | undefined`,
    'let at = 0',
    'let i = 0',
    'try {',
    '  for (; i < count; i++) {',
    '    key = undefined',
    '    at = r.pos',
    `    key = ${readExpression(scope, model.key, 'own')}`,
    `    dict.set(key, ${expression})`,
    `    if (dict.size === i) throw ${scope.use('keyTwice')}(key, at)`,
    '  }',
    '} catch (error) {',
    `  throw ${scope.use('inEntry')}(error, i, key, at, dict)`,
    '}',
    'return dict',
  ]
}

/** The variable that says which field is at hand, taken from the front of the lines that set it. */
export function fieldVariable(lines: string[]): string {
  const first = lines[0]!.startsWith('field = ') ? lines.shift()! : "field = ''"
  return `${lines.some((line) => line.startsWith('field = ')) ? 'let' : 'const'} ${first}`
}

/** A variable for a field: its own name where that is free, else the nearest that is. */
export function localFor(locals: NameSet, field: string): string {
  if (isPropertyName(field) && !locals.has(field)) return locals.take(field)
  const name = camelCase(field)
  return locals.take(name !== '' && !locals.has(name) ? name : `${name === '' ? 'field' : name}Value`)
}
