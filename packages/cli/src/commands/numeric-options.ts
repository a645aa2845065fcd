import type { Command } from 'commander'
import type { AnyModel } from '../input/model.js'
import type { Transformed } from '../transform/numeric.js'
import { UsageError } from '../terminal/usage-error.js'

/** Options of `convert` that change numbers. */
export interface NumericOptions {
  readonly dtype?: string
  readonly quantize?: string
  readonly mode?: string
  readonly nan?: string
  readonly axis?: string
  readonly only?: string
}

export function numericOptions(command: Command): void {
  command
    .option('--dtype <dtype>', 'turn all floats into this dtype, such as bf16; scales and ggml blocks are applied')
    .option('--quantize <format>', 'quantize floats of two dimensions or more: mxfp4, mxfp6e3m2, mxfp6e2m3, mxfp8e4m3, mxfp8e5m2, nvfp4, int8:N, int4:N')
    .option('--mode <mode>', 'numbers past the largest: "overflow" to infinity or NaN, or "saturate"', 'overflow')
    .option('--nan <policy>', 'a NaN where the dtype has none: "refuse", "zero" or "max"', 'refuse')
    .option('--axis <number>', 'quantize along this dimension; default the last')
    .option('--only <pattern>', 'change only tensors whose names this regular expression finds')
}

/** What the options ask for, checked before any file is opened. The numeric part is loaded only if it is wanted. */
export function numericSettings(options: NumericOptions): (model: AnyModel) => Promise<Transformed> {
  const { dtype, quantize } = options
  const mode = oneOf('--mode', options.mode ?? 'overflow', ['overflow', 'saturate'] as const)
  const nan = oneOf('--nan', options.nan ?? 'refuse', ['refuse', 'zero', 'max'] as const)
  const axis = options.axis === undefined ? undefined : wholeNumber('--axis', options.axis)
  const only = options.only === undefined ? undefined : pattern(options.only)
  if (axis !== undefined && quantize === undefined) throw new UsageError('--axis is of --quantize')
  if (only !== undefined && quantize === undefined && dtype === undefined) throw new UsageError('--only is of --dtype and --quantize')
  if (dtype === undefined && quantize === undefined) return async ({ tensors }) => ({ tensors, changed: [] })
  return async (model) => {
    const { namedDtype, namedQuantization, transformed } = await import('../transform/numeric.js')
    return transformed(model, {
      dtype: dtype === undefined ? undefined : usable('--dtype', () => namedDtype(dtype)),
      quantize: quantize === undefined ? undefined : usable('--quantize', () => namedQuantization(quantize)),
      mode,
      nan,
      axis,
      only,
    })
  }
}

function usable<T>(option: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new UsageError(`${option}: ${error instanceof Error && 'detail' in error ? String(error.detail) : String(error)}`)
  }
}

function oneOf<T extends string>(option: string, value: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === value)
  if (found === undefined) throw new UsageError(`${option} is ${choices.join(' or ')}, not "${value}"`)
  return found
}

function wholeNumber(option: string, value: string): number {
  if (!/^\d+$/.test(value)) throw new UsageError(`${option} is a whole number, not "${value}"`)
  return Number(value)
}

function pattern(source: string): RegExp {
  try {
    return new RegExp(source, 'u')
  } catch (error) {
    throw new UsageError(`--only: ${error instanceof Error ? error.message : String(error)}`)
  }
}
