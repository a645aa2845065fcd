/** A name from a file as it stands in a message: quoted, and cut where it is long. */
export function quoted(name: string): string {
  return JSON.stringify(name.length > 120 ? `${name.slice(0, 117)}...` : name)
}

/** The first few of many names for a message, and how many more there are. */
export function someOf(names: readonly string[], most = 5): string {
  const shown = names.slice(0, most).map(quoted).join(', ')
  return names.length > most ? `${shown} and ${names.length - most} more` : shown
}
