import { expect } from 'vitest'
import { generate, type Generation, type GenerateOptions } from '../../../src/gen/generate.js'
import { functionsOf, loadModule } from './load-module.js'

/** Generates from a document, or from its text. */
export function run(document: unknown, options: Partial<GenerateOptions> = {}): Generation {
  const text = typeof document === 'string' ? document : JSON.stringify(document)
  return generate(text, { source: 'thing.json', name: 'Thing', ...options })
}

/** The Kiln schema that a document becomes. */
export function schemaOf(document: unknown, options: Partial<GenerateOptions> = {}): string {
  const { code, refusals } = run(document, options)
  expect(refusals).toEqual([])
  return functionsOf(loadModule(code!), 'Thing').text
}

/** Where a document is refused. */
export function refusedAt(document: unknown, options: Partial<GenerateOptions> = {}): string[] {
  const { code, refusals } = run(document, options)
  expect(code).toBeUndefined()
  return refusals.map(({ pointer }) => pointer)
}
