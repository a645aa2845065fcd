import { KilnError } from 'kiln-format'

/**
 * Caps with the caller's own in place of defaults. A name that is none of them, or a value that is no
 * number from 0 up, is `TYPE`: a misspelt cap must not leave the default in force unseen.
 */
export function resolveCaps<T extends { readonly [name: string]: number }>(
  defaults: T,
  given: { readonly [K in keyof T]?: number | undefined } | undefined,
): T {
  if (given === undefined) return defaults
  const caps: Record<string, number> = { ...defaults }
  for (const [name, cap] of Object.entries(given) as [string, unknown][]) {
    if (cap === undefined) continue
    if (!Object.hasOwn(defaults, name)) {
      throw new KilnError('TYPE', `limits has no cap named ${JSON.stringify(name)}; there are ${Object.keys(defaults).join(', ')}`)
    }
    if (typeof cap !== 'number' || !(cap >= 0)) {
      throw new KilnError('TYPE', `limits.${name} must be a number that is not negative`)
    }
    caps[name] = cap
  }
  return caps as T
}
