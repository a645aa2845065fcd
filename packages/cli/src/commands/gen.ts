import { mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Option, type Command } from 'commander'
import type { Int64 } from 'kiln-format'
import { generate, type Generation } from '../gen/generate.js'
import { IGNORABLE } from '../gen/json-schema/keywords.js'
import { pascalCase } from '../gen/names/words.js'
import { parseProjection, type ProjectionOption } from '../gen/projections.js'
import { targetsOf, type Target } from '../gen/output-paths.js'
import { labelOf } from '../input/label.js'
import { readBytes, textOf } from '../input/read-bytes.js'
import { broughtSchema } from '../input/schema-of.js'
import { openFileSink, writingTo } from '../output/open-output.js'
import { visible } from '../terminal/escape.js'
import { inFile } from '../terminal/failure.js'
import type { Terminal } from '../terminal/terminal.js'
import { UsageError } from '../terminal/usage-error.js'
import { addCommand, collect, type CommonOptions } from './define.js'

interface GenOptions extends CommonOptions {
  readonly output?: string
  readonly check?: boolean
  readonly pointer?: string
  readonly name?: string
  readonly ignore?: readonly string[]
  readonly int64: Int64
  readonly project?: readonly string[]
}

const DETAILS =
  'FILE is JSON Schema (drafts 7, 2019-09, 2020-12), an OpenAPI 3.0 or 3.1 document in JSON with --pointer, Kiln schema ' +
  'text, a Kiln file whose frame brings its schema, or - for standard input. The module goes to -o FILE.ts, to a ' +
  'folder, or to standard output. What a Kiln schema can\'t say is refused, each with its place and what to do.'

export function registerGen(program: Command, terminal: Terminal): void {
  addCommand(program, 'gen', {
    summary: 'write TypeScript that encodes and decodes one schema',
    details: DETAILS,
    examples: [
      'kiln gen user.schema.json -o src/user.ts',
      'kiln gen schemas/*.json -o src/generated --check',
      'kiln gen batch.kiln --project Scores=id,score -o src/batch.ts',
      'kiln gen openapi.json --pointer "#/components/schemas/User" -o src/user.ts',
    ],
  })
    .argument('<file...>', 'documents')
    .option('-o, --output <path>', 'a .ts file, or a folder for one module a document')
    .option('--check', 'write nothing; exit with 1 if a module is not what would be written')
    .option('--pointer <pointer>', 'which schema of the document, as in #/components/schemas/User')
    .option('--name <name>', 'the name of the root type')
    .option('--ignore <keyword>', 'drop a keyword that only narrows down what is valid (may be repeated)', collect)
    .addOption(new Option('--int64 <type>', 'how 64-bit integers come').choices(['bigint', 'number']).default('bigint'))
    .option('--project <name=paths>', 'also read only some fields: id,user.name (may be repeated)', collect)
    .action((files: readonly string[], options: GenOptions) => runGen(files, options, terminal))
}

async function runGen(files: readonly string[], options: GenOptions, terminal: Terminal): Promise<void> {
  checkUsage(files, options)
  const targets = targetsOf(files, options.output)
  const results: { target: Target; generation: Generation }[] = []
  for (const target of targets) results.push({ target, generation: await generateFrom(target, options, terminal) })
  const refused = results.some(({ generation }) => generation.code === undefined)
  const report: object[] = []
  for (const { target, generation } of results) {
    const state = refused ? undefined : await settle(target, generation.code!, options, terminal)
    if (state === 'stale' || state === 'missing') terminal.exitCode = 1
    if (options.json !== true) await tell(target, generation, state, terminal)
    const { refusals, moreRefusals, notes } = generation
    report.push({
      file: target.input,
      ...(target.output === undefined ? {} : { output: target.output }),
      state: state ?? 'refused',
      refusals,
      moreRefusals,
      notes,
    })
  }
  if (refused) terminal.exitCode = 1
  if (options.json === true) await terminal.json({ modules: report })
}

function checkUsage(files: readonly string[], options: GenOptions): void {
  const { output, check, pointer, name, ignore = [], project, json } = options
  if (check === true && output === undefined) throw new UsageError('--check compares with a file; name it with -o')
  if (json === true && output === undefined) throw new UsageError('--json reports on a file; name it with -o')
  if (files.length > 1 && (pointer !== undefined || name !== undefined || project !== undefined)) {
    throw new UsageError('--pointer, --name and --project go with one document; run several apart')
  }
  if (name !== undefined && pascalCase(name) === '')
    throw new UsageError(`--name ${name} has no letter in it; name a type, as in --name User`)
  projectionsIn(options)
  const unknown = ignore.find((keyword) => !IGNORABLE.includes(keyword))
  if (unknown !== undefined) {
    throw new UsageError(
      `--ignore ${unknown} would not only widen what is accepted, or is no keyword; there are ${IGNORABLE.join(', ')}`,
    )
  }
}

/** The projections of the command line. Two of one name would be one type. */
function projectionsIn({ project = [] }: GenOptions): ProjectionOption[] {
  const names = new Set<string>()
  return project.map((text) => {
    const projection = parseProjection(text)
    if (projection === undefined)
      throw new UsageError(`--project ${text} is not NAME=path,path, as in --project Scores=id,user.name`)
    const name = pascalCase(projection.name)
    if (names.has(name)) throw new UsageError(`--project ${name} stands twice; name one of them otherwise`)
    names.add(name)
    return projection
  })
}

function generateFrom(target: Target, options: GenOptions, terminal: Terminal): Promise<Generation> {
  return inFile(labelOf(target.input), async () => {
    const text = schemaText(await readBytes(target.input, terminal))
    const { name, pointer, ignore, int64 } = options
    return generate(text, { source: target.source, name, pointer, ignore, int64, projections: projectionsIn(options) })
  })
}

/** The text of a document; of a file of frames, the schema that the first one brings. */
function schemaText(bytes: Uint8Array): string {
  return broughtSchema(bytes)?.text ?? textOf(bytes)
}

type State = 'printed' | 'written' | 'same' | 'stale' | 'missing'

/** Writes a module where it belongs, or with `--check` says whether it is there. */
async function settle(target: Target, code: string, options: GenOptions, terminal: Terminal): Promise<State> {
  const { output } = target
  if (output === undefined) {
    await terminal.out.write(code)
    return 'printed'
  }
  const found = await existing(output)
  // A checkout may have given the file the line ends of its system.
  if (found?.replaceAll('\r\n', '\n') === code) return 'same'
  if (options.check === true) return found === undefined ? 'missing' : 'stale'
  await inFile(output, () => mkdir(dirname(output), { recursive: true }))
  const sink = await openFileSink(output, [])
  await writingTo({ sink, path: output }, (open) => open.write(new TextEncoder().encode(code)))
  return 'written'
}

function existing(path: string): Promise<string | undefined> {
  return inFile(path, async () => {
    try {
      return await readFile(path, 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
  })
}

async function tell(
  target: Target,
  generation: Generation,
  state: State | undefined,
  terminal: Terminal,
): Promise<void> {
  const label = labelOf(target.input)
  for (const note of generation.notes) await terminal.note(visible(`${label}: ${note}`))
  for (const { pointer, detail } of generation.refusals)
    await terminal.note(visible(`SCHEMA at ${label}${pointer}: ${detail}`))
  if (generation.moreRefusals > 0) await terminal.note(visible(`${label}: and ${generation.moreRefusals} more`))
  if (state === 'missing') await terminal.note(visible(`${target.output!} is not there; run kiln gen without --check`))
  if (state === 'stale')
    await terminal.note(visible(`${target.output!} is not what ${label} makes now; run kiln gen without --check`))
}
