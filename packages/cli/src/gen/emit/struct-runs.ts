import type { ScalarName } from 'kiln-format'
import type { FieldModel, StructModel } from '../model/model.js'
import { isScalar, WIDTHS } from '../model/numbers.js'

/** A field of a struct, and the offset in its run if it is of fixed width. */
export interface RunField {
  readonly field: FieldModel
  readonly scalar: ScalarName
  readonly offset: number
}

/** Fields that are read and written together: one of any type, or all scalars that follow one another. */
export type Step = { readonly run: readonly RunField[]; readonly size: number } | { readonly field: FieldModel }

/** The steps of a struct. A run needs one check of the input's length, or of the writer's room. */
export function stepsOf(struct: StructModel): Step[] {
  const steps: Step[] = []
  let run: RunField[] = []
  let size = 0
  const endRun = (): void => {
    if (run.length > 0) steps.push({ run, size })
    run = []
    size = 0
  }
  for (const field of struct.fields) {
    const { kind } = field.type
    if (isScalar(kind)) {
      run.push({ field, scalar: kind, offset: size })
      size += WIDTHS[kind]
    } else {
      endRun()
      steps.push({ field })
    }
  }
  endRun()
  return steps
}
