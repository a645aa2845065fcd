/** What an input is called in messages and reports. The query of a URL may hold a signature and is not said. */
export function labelOf(input: string): string {
  if (input === '-') return 'standard input'
  if (!/^https?:\/\//i.test(input) || !URL.canParse(input)) return input
  const { origin, pathname, search } = new URL(input)
  return `${origin}${pathname}${search === '' ? '' : '?…'}`
}
