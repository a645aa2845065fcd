import { join } from 'node:path'
import { UsageError } from '../terminal/usage-error.js'
import { baseName } from './names/file-name.js'

/** A document and the file that its module goes to; undefined for standard output. */
export interface Target {
  readonly input: string
  /** The document's name without its folders, on every system. */
  readonly source: string
  readonly output: string | undefined
}

/** Where the modules of some documents go: a file for one, a folder for several. */
export function targetsOf(inputs: readonly string[], output: string | undefined): Target[] {
  const toFile = output !== undefined && /\.[cm]?ts$/.test(output)
  if (output !== undefined && /\.(?:[cm]?js|[jt]sx|json)$/i.test(output)) {
    throw new UsageError(`${output} is neither a .ts file nor a folder's name; modules are TypeScript`)
  }
  if (inputs.length > 1 && (output === undefined || toFile)) {
    throw new UsageError('several documents need a folder for their modules; name one with -o')
  }
  const targets = inputs.map((input): Target => {
    const source = sourceName(input)
    if (output === undefined || toFile) return { input, source, output }
    if (input === '-') throw new UsageError('standard input has no name for its module; name the file with -o NAME.ts')
    return { input, source, output: join(output, `${baseName(source)}.ts`) }
  })
  const seen = new Map<string, string>()
  for (const { input, output: path } of targets) {
    if (path === undefined) continue
    const other = seen.get(path.toLowerCase())
    if (other !== undefined)
      throw new UsageError(`${other} and ${input} would both become ${path}; rename one, or run them apart`)
    seen.set(path.toLowerCase(), input)
  }
  return targets
}

function sourceName(input: string): string {
  if (input === '-') return 'standard input'
  const path = /^https?:/i.test(input) && URL.canParse(input) ? new URL(input).pathname : input
  return path.split(/[\\/]/).findLast((part) => part !== '') ?? input
}
