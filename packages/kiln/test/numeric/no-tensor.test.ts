import { expect, test } from 'vitest'
import { dequantize, differenceOf, numbersOf, statisticsOf, valueBlocks, widen } from 'kiln-format/numeric'
import { fault } from '../support/fault.js'

test.each<[string, (given: never) => unknown]>([
  ['widen', (given) => widen(given)],
  ['dequantize', (given) => dequantize(given)],
  ['statisticsOf', (given) => statisticsOf(given)],
  ['differenceOf', (given) => differenceOf(given, given)],
  ['numbersOf', (given) => numbersOf(given)],
  ['valueBlocks', (given) => valueBlocks(given).next()],
])('%s without a tensor is TYPE, as programs without types may call it', (_, call) => {
  for (const [given, what] of [[undefined, 'undefined'], [null, 'null'], [7, '7']] as const) {
    expect(fault(() => call(given as never))).toMatchObject({
      code: 'TYPE', detail: `a tensor expected, with dtype, shape and bytes; got ${what}`,
    })
  }
})
