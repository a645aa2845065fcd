import { dtypeOf } from 'kiln-format'
import { brief, shapeText } from '../terminal/shape-text.js'
import { visible } from '../terminal/escape.js'
import { countText } from '../terminal/units.js'
import type { ModelDifference, ValueDifference } from './compare-models.js'

/** A difference in a line for people. */
export function differenceText(difference: ModelDifference): string {
  const name = visible(difference.name)
  switch (difference.kind) {
    case 'added':
      return `+ ${name}  ${difference.dtype} ${shapeText(difference.shape)}`
    case 'removed':
      return `- ${name}  ${difference.dtype} ${shapeText(difference.shape)}`
    case 'shape':
      return `~ ${name}  ${difference.from.dtype} ${shapeText(difference.from.shape)} became ${difference.to.dtype} ${shapeText(difference.to.shape)}`
    case 'dtype':
      return `~ ${name}  ${difference.from.dtype} became ${difference.to.dtype}${errorText(difference)}`
    case 'bits': {
      const foreign = difference.dtype.startsWith('ggml_') && dtypeOf(difference.dtype).foreign
      const things = `${foreign ? 'block' : 'element'}${difference.count === 1 ? '' : 's'}`
      return `~ ${name}  ${countText(difference.count)} ${things} differ, the first at index ${countText(difference.first_index)}${errorText(difference)}`
    }
    case 'links':
      return `~ ${name}  links: ${visible(difference.from)} became ${visible(difference.to)}`
    case 'metadata':
      return `~ metadata ${brief(difference.name)}: ${valueText(difference.from)} became ${valueText(difference.to)}`
  }
}

function valueText(value: string | null): string {
  return value === null ? 'nothing' : brief(JSON.stringify(value), 60)
}

function errorText({ max_error, mean_error, incomparable }: Partial<ValueDifference>): string {
  if (max_error === undefined || mean_error === undefined) return ''
  const odd = incomparable === undefined || incomparable === 0 ? '' : `, ${countText(incomparable)} incomparable`
  return `; error at most ${numberText(max_error)}, mean ${numberText(mean_error)}${odd}`
}

/** A measured number with six significant digits. */
export function numberText(value: number): string {
  return Number.isInteger(value) && Math.abs(value) < 1e9 ? String(value) : value.toPrecision(6).replace(/\.?0+($|e)/, '$1')
}
