import { project, projectView, type DecodeOptions, type Schema } from 'kiln-format'

type ProjectAny = (schema: Schema, paths: readonly string[]) => (bytes: Uint8Array, options?: DecodeOptions) => unknown

/** `project` of any schema: what it gives, the compiler would work out without end. */
export const projectAny = project as unknown as ProjectAny
export const projectViewAny = projectView as unknown as ProjectAny
