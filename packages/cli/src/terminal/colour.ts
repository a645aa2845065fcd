/** Puts text into a colour; without colour it hands it on. */
export interface Colours {
  bold(text: string): string
  dim(text: string): string
  red(text: string): string
  green(text: string): string
}

const plain = (text: string): string => text
const ansi = (on: number, off: number) => (text: string): string => `\u001b[${on}m${text}\u001b[${off}m`

const without: Colours = { bold: plain, dim: plain, red: plain, green: plain }
const withAnsi: Colours = { bold: ansi(1, 22), dim: ansi(2, 22), red: ansi(31, 39), green: ansi(32, 39) }

/** Colours for a stream: only on a terminal, and not if NO_COLOR is set to anything or TERM is `dumb`. */
export function coloursFor(isTTY: boolean, env: NodeJS.ProcessEnv): Colours {
  const wanted = isTTY && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb'
  return wanted ? withAnsi : without
}
