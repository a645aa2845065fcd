import { KilnError } from '../errors/kiln-error.js'

/** What is wrong with a field of a descriptor, with tensor and field in its path; `at` is the field's byte. */
export function descriptorFault(code: 'FRAME' | 'TYPE' | 'EOF' | 'UTF8', index: number, what: string, at: number, detail: string): KilnError {
  return new KilnError(code, detail, at).within(what).within(index)
}
