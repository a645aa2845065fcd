/** What the library advises a program to do, and how the same is done on a command line. */
export const ADVICE: readonly (readonly [library: RegExp, command: string])[] = [
  [/with the option raw$/, 'with --bits'],
  [/with the option alone\b/, 'with --alone'],
  [/the option subgraphs\b/, '--subgraphs'],
  [/, or read it as it is with the option version1$/, ''],
  [/\bdecodeFrame or framesOf reads it$/, 'kiln decode shows it'],
  [/\bframesOf goes through one frame after the other$/, 'kiln decode shows them all'],
  [/\bgive the one with hash (0x[0-9a-f]+)$/, 'kiln decode, inspect and verify take the one with hash $1 by --schema'],
  [/\bgive \{ headers: \{ (Authorization): '(Basic …)' \} \}$/, "give --header '$1: $2'"],
  [/\braise (limits\.\w+)/, 'a program that uses the library can raise $1'],
]

/** A message of the library as the command says it: with its own options and commands. */
export function onCommandLine(message: string): string {
  return ADVICE.reduce((text, [library, command]) => text.replace(library, command), message)
}
