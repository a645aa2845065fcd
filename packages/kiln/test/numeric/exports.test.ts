import { expect, test } from 'vitest'
import * as numeric from 'kiln-format/numeric'

test('what the entry exports', () => {
  expect(Object.keys(numeric).sort()).toEqual([
    'Difference', 'Statistics', 'codeOf', 'dequantize', 'dequantizesGgml', 'differenceOf', 'narrow', 'numberOf',
    'numbersOf', 'quantizationFormat', 'quantize', 'statisticsOf', 'streamDifference', 'streamNarrowed',
    'streamQuantized', 'streamStatistics', 'streamValues', 'valueBlocks', 'widen',
  ])
})
