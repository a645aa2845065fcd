/** What an input is called in messages. */
export function labelOf(input: string): string {
  return input === '-' ? 'standard input' : input
}
