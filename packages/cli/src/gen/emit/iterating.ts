import type { ListModel } from '../model/model.js'
import { borrows, minSize } from '../model/sizes.js'
import { docComment } from './docs.js'
import { readExpression, type Reading } from './reading.js'
import type { ModuleScope } from './scope.js'
import { functionHead } from './text.js'
import { typeText } from './types.js'

/** Functions that go through a root list element by element, without building the array. */
export function emitIterators(scope: ModuleScope, root: ListModel): string[] {
  const { iterate, iterateView } = scope.exports
  const reading = (how: Reading): ElementReading => ({
    element: typeText(scope, root.element, how),
    expression: readExpression(scope, root.element, how),
  })
  return [
    ...emitIterator(scope, root, 'own', { name: iterate, each: scope.take('eachItem'), ...reading('own') }),
    ...(borrows(root.element)
      ? emitIterator(scope, root, 'view', {
          name: iterateView,
          each: scope.take('eachView'),
          owned: iterate,
          ...reading('view'),
        })
      : []),
  ]
}

interface ElementReading {
  /** The type of an element. */
  readonly element: string
  /** What reads one at `r`. */
  readonly expression: string
}

interface Iterator extends ElementReading {
  readonly name: string
  /** The generator behind it, which has opened the bytes. */
  readonly each: string
  /** The function that gives owned elements, beside one that borrows. */
  readonly owned?: string
}

/** A function that goes through the elements of a root list. */
export function emitIterator(scope: ModuleScope, root: ListModel, reading: Reading, iterator: Iterator): string[] {
  const { element, expression, name, each, owned } = iterator
  const result = `Generator<${element}, undefined>`
  const description =
    reading === 'own'
      ? 'Reads the elements one by one, as they are asked for. The end of the bytes is checked after the last.'
      : 'As {@link ' + owned! + '}; lists of numbers, bytes and tensors lie in the bytes.'
  const parameters = [`bytes: ${scope.useType('ByteInput')}`, `options?: ${scope.useType('ReadOptions')}`]
  return [
    ...docComment({ description }),
    ...functionHead(`export function ${name}`, parameters, result),
    `  return ${each}(${scope.use('openReader')}(bytes, options, '${scope.int64}'))`,
    '}',
    '',
    ...functionHead(`function* ${each}`, [`r: ${scope.useType('ByteReader')}`], result),
    `  const count = ${scope.use('takeCount')}(r, ${minSize(root.element)}, 'count')`,
    '  for (let i = 0; i < count; i++) {',
    `    let item: ${element}`,
    '    try {',
    `      item = ${expression}`,
    '    } catch (error) {',
    `      throw ${scope.use('inElement')}(error, i)`,
    '    }',
    '    yield item',
    '  }',
    `  ${scope.use('checkEnd')}(r, 'list')`,
    '  return undefined',
    '}',
    '',
  ]
}
