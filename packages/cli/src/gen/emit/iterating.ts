import type { ListModel } from '../model/model.js'
import { borrows, minSize } from '../model/sizes.js'
import { docComment } from './docs.js'
import { readExpression } from './reading.js'
import type { ModuleScope } from './scope.js'
import { functionHead } from './text.js'
import { typeText } from './types.js'

type Reading = 'own' | 'view'

/** Functions that go through a root list element by element, without building the array. */
export function emitIterators(scope: ModuleScope, root: ListModel): string[] {
  const { iterate, iterateView } = scope.exports
  return [
    ...iterator(scope, root, 'own', iterate),
    ...(borrows(root.element) ? iterator(scope, root, 'view', iterateView) : []),
  ]
}

function iterator(scope: ModuleScope, root: ListModel, reading: Reading, name: string): string[] {
  const element = typeText(scope, root.element, reading)
  const result = `Generator<${element}, undefined>`
  const each = scope.take(reading === 'own' ? 'eachItem' : 'eachView')
  const description =
    reading === 'own'
      ? 'Reads the elements one by one, as they are asked for. The end of the bytes is checked after the last.'
      : 'As {@link ' + scope.exports.iterate + '}; lists of numbers, bytes and tensors lie in the bytes.'
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
    `      item = ${readExpression(scope, root.element, reading)}`,
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
