/**
 * A name for a type: the words of a text, each with a capital first letter, and nothing between. Empty if there is
 * no letter or digit in it.
 */
export function pascalCase(text: string): string {
  const words = text.normalize('NFC').match(/[\p{L}\p{Nd}\p{M}]+/gu) ?? []
  const name = words.map((word) => capital(word)).join('')
  // Marks and digits can't begin a name; letters can, whatever their script.
  if (name === '' || /^[$_\p{ID_Start}]/u.test(name)) return name
  return /^\p{Nd}/u.test(name) ? `Type${name}` : ''
}

function capital(word: string): string {
  const [first = ''] = word
  const upper = first.toUpperCase()
  // Some letters have no capital of one letter (ß).
  return (upper.length === first.length ? upper : first) + word.slice(first.length)
}

/** The same as a variable's name: `UserProfile` is `userProfile`, `CPIConfig` is `cpiConfig`. */
export function camelCase(text: string): string {
  const name = pascalCase(text)
  const capitals = /^\p{Lu}+/u.exec(name)?.[0] ?? ''
  const length =
    capitals.length > 1 && capitals.length < name.length && /^\p{Ll}/u.test(name.slice(capitals.length))
      ? capitals.length - 1
      : capitals.length
  return name.slice(0, length).toLowerCase() + name.slice(length)
}

/** Whether a text can stand in code as a property's name without quotes; ASCII only, as names of fields are. */
export function isPropertyName(text: string): boolean {
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(text)
}
