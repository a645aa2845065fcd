import { isKilnError, KilnError, selectionOf, type Schema } from 'kiln-format'
import type { ProjectionRequest } from './emit/projected-names.js'
import { pascalCase } from './names/words.js'

/** Some fields that a module reads by a function of their own. */
export interface ProjectionOption {
  /** What its type is called, not yet fit for code; there is a letter in it. */
  readonly name: string
  readonly paths: readonly string[]
}

/** The projections of a module. Throws KilnError (`SCHEMA`) for a path that leads to no field. */
export function projectionsOf(schema: Schema, options: readonly ProjectionOption[]): ProjectionRequest[] {
  return options.map(({ name, paths }) => {
    try {
      const selection = selectionOf(schema, paths)
      if (selection === 'all') throw new Error('paths select fields')
      return { name: pascalCase(name), selection }
    } catch (error) {
      if (!isKilnError(error)) throw error
      throw new KilnError(error.code, `--project ${name}: ${error.detail}`, undefined, { cause: error })
    }
  })
}

/** What `--project NAME=path,path` means; undefined if it is nothing of that form. */
export function parseProjection(text: string): ProjectionOption | undefined {
  const at = text.indexOf('=')
  const name = text.slice(0, at)
  if (at < 0 || pascalCase(name) === '') return undefined
  return { name, paths: text.slice(at + 1).split(',') }
}
