import type { Command } from 'commander'
import { writeGguf, writeSafetensors } from 'kiln-convert'
import { KilnError } from 'kiln-format'
import { labelOf } from '../input/label.js'
import type { KilnModel } from '../input/kiln-model.js'
import type { AnyModel } from '../input/model.js'
import { openModel } from '../input/open-any.js'
import { placeOf } from '../input/url.js'
import { rewriteKiln } from '../meta/rewrite-kiln.js'
import { openFileSink, writingTo } from '../output/open-output.js'
import { inFile } from '../terminal/failure.js'
import { visible } from '../terminal/escape.js'
import type { Terminal } from '../terminal/terminal.js'
import { UsageError } from '../terminal/usage-error.js'
import { addCommand, collect, type CommonOptions } from './define.js'
import { inputOptions, openOptionsOf, type InputOptions } from './input-options.js'

type GetOptions = CommonOptions & InputOptions

interface SetOptions extends CommonOptions {
  readonly output?: string
  readonly remove?: string[]
}

export function registerMeta(program: Command, terminal: Terminal): void {
  const meta = program.command('meta').summary('read and edit a file\'s metadata').description('Reads and edits a file\'s metadata.')
  meta.addHelpText('after', '\nExamples:\n  $ kiln meta get model.kiln\n  $ kiln meta set model.kiln author=me "note=two words"')
  registerGet(meta, terminal)
  registerSet(meta, terminal)
}

function registerGet(meta: Command, terminal: Terminal): void {
  const command = addCommand(meta, 'get', {
    summary: 'print metadata, all or of one key',
    details: 'With KEY its value alone and as it is; without, a line "KEY: VALUE" each. Works on files of every format.',
    examples: ['kiln meta get model.kiln', 'kiln meta get model.gguf general.name'],
  })
    .argument('<file>', 'a file of any format, a URL, or - for standard input')
    .argument('[key]', 'one key')
  inputOptions(command).action(async (file: string, key: string | undefined, options: GetOptions) => {
    const model = await openModel(file, terminal, openOptionsOf(options))
    try {
      if (key === undefined) {
        if (options.json === true) await terminal.json({ file: labelOf(file), metadata: model.metadata })
        else for (const [name, value] of model.metadata) await terminal.line(`${visible(name)}: ${visible(value)}`)
        return
      }
      const value = await inFile(labelOf(file), () => valueOf(model, key))
      if (options.json === true) await terminal.json({ file: labelOf(file), key, value })
      // Through a pipe the value is what the file has; on a terminal it must not be obeyed.
      else await terminal.line(terminal.out.isTTY ? visible(value) : value)
    } finally {
      await model.close()
    }
  })
}

function valueOf({ metadata }: AnyModel, key: string): string {
  const value = metadata.get(key)
  if (value !== undefined) return value
  throw new KilnError('TYPE', `there is no key ${JSON.stringify(key)}; kiln meta get without a key shows all ${metadata.size}`)
}

function registerSet(meta: Command, terminal: Terminal): void {
  addCommand(meta, 'set', {
    summary: 'set and remove metadata; tensors keep every bit',
    details:
      'Changes FILE itself (a Kiln model file, safetensors or GGUF), or writes the changed file to -o. It is replaced as a whole ' +
      'when all is written, or left as it was.',
    examples: ['kiln meta set model.kiln author=me', 'kiln meta set model.kiln --remove note -o cleaned.kiln'],
  })
    .argument('<file>', 'a file')
    .argument('[entries...]', 'KEY=VALUE; the first = ends the key')
    .option('--remove <key>', 'a key to remove; can be given again', collect)
    .option('-o, --output <file>', 'write there instead')
    .action(async (file: string, entries: string[], options: SetOptions) => {
      const place = placeOf(file)
      if (place.kind !== 'path') throw new UsageError('only a file can be changed; kiln convert makes one')
      const changes = changesOf(entries, options.remove ?? [])
      const model = await openModel(file, terminal, { alone: true })
      try {
        const metadata = await inFile(file, () => changed(model.metadata, changes))
        // Its own source is written over on purpose here: by a new file in its place, when that is whole.
        const target = options.output ?? place.path
        const sink = await openFileSink(target, options.output === undefined ? [] : model.files)
        const bytes = await inFile(file, () => writingTo({ sink, path: target }, () => rewrite(model, metadata, sink)))
        if (options.json === true) await terminal.json({ output: target, bytes, metadata })
      } finally {
        await model.close()
      }
    })
}

/** Values by key; undefined for those to remove. */
function changesOf(entries: readonly string[], removed: readonly string[]): Map<string, string | undefined> {
  const changes = new Map<string, string | undefined>()
  for (const entry of entries) {
    const equals = entry.indexOf('=')
    if (equals < 1) throw new UsageError(`"${entry}" is not KEY=VALUE`)
    changes.set(entry.slice(0, equals), entry.slice(equals + 1))
  }
  for (const key of removed) changes.set(key, undefined)
  if (changes.size === 0) throw new UsageError('nothing to set; give KEY=VALUE or --remove KEY')
  return changes
}

/** Keys that were there keep their place, new ones follow. */
function changed(metadata: ReadonlyMap<string, string>, changes: ReadonlyMap<string, string | undefined>): Map<string, string> {
  const result = new Map(metadata)
  for (const [key, value] of changes) {
    if (value !== undefined) result.set(key, value)
    else if (!result.delete(key)) throw new KilnError('TYPE', `there is no key ${JSON.stringify(key)} to remove`)
  }
  return result
}

async function rewrite(model: AnyModel, metadata: ReadonlyMap<string, string>, sink: Parameters<typeof rewriteKiln>[2]): Promise<number> {
  const copy = { tensors: model.tensors, metadata }
  switch (model.format) {
    case 'kiln':
      return rewriteKiln((model as KilnModel).lazy, metadata, sink)
    case 'safetensors':
      return writeSafetensors(copy, sink)
    case 'gguf':
      return writeGguf(copy, sink)
    default:
      throw new KilnError('TYPE', `metadata of ${model.format} is not edited; kiln convert makes a Kiln model file, whose is`)
  }
}
