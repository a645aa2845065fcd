import type { NumberName, ScalarName } from 'kiln-format'
import type { DictModel, ListModel, StructModel, TypeModel } from '../model/model.js'
import { isInt64, isScalar, WIDTHS } from '../model/numbers.js'
import type { NameSet } from '../names/name-set.js'
import { isPropertyName } from '../names/words.js'
import { fieldVariable, localFor } from './reading.js'
import { isNumberList, type CompositeModel, type CompositeNames, type ModuleScope } from './scope.js'
import { stepsOf } from './struct-runs.js'
import { functionHead, indented, literal, WIDTH } from './text.js'
import { typeText } from './types.js'

const SETTERS: Readonly<Record<Exclude<ScalarName, 'bool'>, string>> = {
  i8: 'setInt8',
  u8: 'setUint8',
  i16: 'setInt16',
  u16: 'setUint16',
  i32: 'setInt32',
  u32: 'setUint32',
  i64: 'setBigInt64',
  u64: 'setBigUint64',
  f16: 'setUint16',
  bf16: 'setUint16',
  f32: 'setFloat32',
  f64: 'setFloat64',
}

/** The functions that write the composite types of a module. */
export function emitWriters(scope: ModuleScope): string[] {
  return scope.composites.flatMap(({ model, names }) => writerOf(scope, model, names))
}

function writerOf(scope: ModuleScope, model: CompositeModel, names: CompositeNames): string[] {
  const body =
    model.kind === 'struct'
      ? structBody(scope, model, names)
      : model.kind === 'list'
        ? listBody(scope, model)
        : dictBody(scope, model)
  const parameters = [`w: ${scope.useType('ByteWriter')}`, `value: ${typeText(scope, model, 'input')}`]
  return [...functionHead(`function ${names.write}`, parameters, 'void'), ...indented(body), '}', '']
}

/** Statements that write the value that an expression gives; it is evaluated once unless it is a mere name. */
export function writeStatements(scope: ModuleScope, model: TypeModel, value: string, locals: NameSet): string[] {
  switch (model.kind) {
    case 'string':
      return [`${scope.use('writeString')}(w, ${value})`]
    case 'bytes':
      return [`${scope.use('writeBytes')}(w, ${value})`]
    case 'tensors':
      return [`${scope.use('writeTensors')}(w, ${value})`]
    case 'list':
      if (isNumberList(model)) return [`${scope.numbers(model.element.kind as NumberName).write}(w, ${value})`]
      return [`${scope.composite(model).write}(w, ${value})`]
    case 'dict':
    case 'struct':
      return [`${scope.composite(model).write}(w, ${value})`]
    case 'option':
      return optionStatements(scope, model.some, value, locals)
    default: {
      const at = locals.take('at')
      return [
        `const ${at} = ${scope.use('grant')}(w, ${WIDTHS[model.kind]})`,
        storeScalar(scope, model.kind, at, value),
      ]
    }
  }
}

function optionStatements(scope: ModuleScope, some: TypeModel, value: string, locals: NameSet): string[] {
  const inner = writeStatements(scope, some, value, locals)
  const condition = `if (${scope.use('writeTag')}(w, ${value}))`
  const [only] = inner as [string]
  if (inner.length === 1 && !only.includes('\n')) {
    // Four columns before it: a function's body and a block.
    const line = `${condition} ${only}`
    if (line.length + 6 <= WIDTH) return [line]
  }
  return [`${condition} {`, ...indented(inner), '}']
}

/** Stores a scalar at an offset for which there is room. */
function storeScalar(scope: ModuleScope, kind: ScalarName, at: string, value: string): string {
  if (kind === 'bool') return `w.bytes[${at}] = ${scope.use('checkBool')}(${value})`
  const checked = `${scope.use(`check${kind.charAt(0).toUpperCase()}${kind.slice(1)}`)}(${value})`
  return `w.view.${SETTERS[kind]}(${at}, ${checked}${WIDTHS[kind] === 1 ? '' : ', true'})`
}

function structBody(scope: ModuleScope, model: StructModel, names: CompositeNames): string[] {
  const locals = scope.locals(['w', 'value', 'own', 'field', 'error', 'inherited'])
  const lines: string[] = []
  const setField = (name: string): void => {
    lines.push(`field = ${literal(name)}`)
  }
  for (const step of stepsOf(model)) {
    if ('run' in step) {
      setField(step.run[0]!.field.name)
      const at = locals.take('at')
      lines.push(`const ${at} = ${scope.use('grant')}(w, ${step.size})`)
      for (const { field, scalar, offset } of step.run) {
        if (offset > 0) setField(field.name)
        lines.push(storeScalar(scope, scalar, offset === 0 ? at : `${at} + ${offset}`, property('own', field.name)))
      }
      continue
    }
    const { field } = step
    setField(field.name)
    let value = property('own', field.name)
    if (field.type.kind === 'option') {
      const local = localFor(locals, field.name)
      lines.push(`const ${local} = ${value}`)
      value = local
    }
    lines.push(...writeStatements(scope, field.type, value, locals))
  }
  return [
    ...inheritedLines(scope, model, names.fields),
    `const own = ${scope.use('ownFields')}(value, ${names.fields}, inherited)`,
    fieldVariable(lines),
    'try {',
    ...indented(lines),
    '} catch (error) {',
    `  throw ${scope.use('inField')}(error, field)`,
    '}',
  ]
}

// TypeScript goes down one call for each operator of a chain, and of a thousand or so its stack overflows.
const MOST_TESTS = 256

/** Whether a missing field would be found on Object.prototype; the engine answers this without looking. */
function inheritedLines(scope: ModuleScope, model: StructModel, fields: string): string[] {
  const prototype = scope.use('objectPrototype')
  if (model.fields.length > MOST_TESTS) return [`const inherited = ${fields}.some((name) => name in ${prototype})`]
  const tests = model.fields.map((field) => `${literal(field.name)} in ${prototype}`)
  const line = `const inherited = ${tests.join(' || ')}`
  if (line.length + 2 <= WIDTH) return [line]
  const joined = `  ${tests.join(' || ')}`
  if (joined.length + 2 <= WIDTH) return ['const inherited =', joined]
  return ['const inherited =', ...tests.map((test, i) => `  ${test}${i + 1 < tests.length ? ' ||' : ''}`)]
}

function property(object: string, name: string): string {
  return isPropertyName(name) ? `${object}.${name}` : `${object}[${literal(name)}]`
}

function listBody(scope: ModuleScope, model: ListModel): string[] {
  const locals = scope.locals(['w', 'value', 'count', 'i', 'error', 'item'])
  const simple = model.element.kind !== 'option' && !isScalar(model.element.kind)
  const loop = simple
    ? [`  for (; i < count; i++) ${writeStatements(scope, model.element, 'value[i]!', locals)[0]!}`]
    : [
        '  for (; i < count; i++) {',
        `    const item = value[i]${model.element.kind === 'option' ? '' : '!'}`,
        ...indented(indented(writeStatements(scope, model.element, 'item', locals))),
        '  }',
      ]
  return [
    `const count = ${scope.use('writeListCount')}(w, value)`,
    'let i = 0',
    'try {',
    ...loop,
    `  ${scope.use('checkLength')}(value, count)`,
    '} catch (error) {',
    `  throw ${scope.use('inElement')}(error, i)`,
    '}',
  ]
}

function dictBody(scope: ModuleScope, model: DictModel): string[] {
  const locals = scope.locals(['w', 'value', 'entries', 'count', 'i', 'written', 'entry', 'key', 'item', 'error'])
  const mayClash = isInt64(model.key.kind)
  return [
    `const entries = ${scope.use('entriesOf')}(value, '${model.key.kind}')`,
    `const count = ${scope.use('writeEntryCount')}(w, entries)`,
    ...(mayClash ? ['const written = new Set<string>()'] : []),
    'let i = 0',
    `let entry: ${typeText(scope, model.key, 'input')} | undefined`,
    'try {',
    '  for (const [key, item] of entries) {',
    '    entry = key',
    `    ${scope.use('checkEntry')}(i++, count)`,
    ...indented(indented(writeStatements(scope, model.key, 'key', locals))),
    ...(mayClash ? [`    ${scope.use('addKey')}(written, key)`] : []),
    ...indented(indented(writeStatements(scope, model.value, 'item', locals))),
    '  }',
    '} catch (error) {',
    `  throw ${scope.use('inKey')}(error, entry)`,
    '}',
    `${scope.use('checkEntries')}(i, count)`,
  ]
}
