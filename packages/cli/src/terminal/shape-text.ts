import { visible } from './escape.js'

/** A shape for people: `[2, 3]`, `[]` for rank 0. */
export function shapeText(shape: readonly number[]): string {
  return `[${shape.join(', ')}]`
}

/** Text of a file on one line, cut so that it does not drown what stands around it. */
export function brief(text: string, length = 100): string {
  const shown = visible(text.length > length ? text.slice(0, length) : text)
  return text.length > length ? `${shown}… (${text.length} characters)` : shown
}

/** A tensor's name for people; an unnamed one is called by its place. */
export function nameText(name: string, index: number): string {
  return name === '' ? `(tensor ${index})` : visible(name)
}
