import type { Command } from 'commander'

const WIDTH = 100

/** What `--help` of a command prints, at a fixed width. */
function helpText(command: Command): string {
  let text = ''
  command.configureOutput({ writeOut: (piece) => (text += piece), getOutHelpWidth: () => WIDTH, getOutHasColors: () => false })
  command.outputHelp()
  return text.trimEnd()
}

function fullName(command: Command): string {
  return command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`
}

/** The commands below one, depth first. */
function* below(command: Command): Generator<Command> {
  for (const inner of command.commands) {
    yield inner
    yield* below(inner)
  }
}

/** The page of the command line: the help of the program and of every command, as they print it. */
export function cliPage(program: Command): string {
  const section = (command: Command, mark: string): string => `${mark} ${fullName(command)}\n\n\`\`\`text\n${helpText(command)}\n\`\`\`\n`
  const commands = [...below(program)].map((command) => section(command, command.parent === program ? '##' : '###'))
  return [INTRODUCTION, section(program, '##'), ...commands].join('\n')
}

const INTRODUCTION = `# The command line

This page is made of what \`--help\` prints. Every command takes \`--json\` and then prints one JSON document on
standard output: tensors with \`name\`, \`dtype\`, \`shape\` (numbers), \`byte_length\` and, in Kiln files, \`offset\`, \`scheme\`,
\`axis\`, \`group_size\`, \`scale\`, \`outer\` and \`checksum\`. Integers beyond 2^53 are decimal strings, NaN and infinities the
strings \`"NaN"\`, \`"Infinity"\` and \`"-Infinity"\`. A failure is a document too: \`{ "error": { "code", "file", "path", "offset", "message" } }\`.

| exit code | meaning |
| --- | --- |
| 0 | all is well; also where the reader of the output has gone (\`kiln … \\| head -1\`) |
| 1 | the input is bad: \`kiln: CODE at PATH (byte N): what, and what to do\` on standard error |
| 2 | the command line is wrong |

An output file appears whole or not at all, and never in place of a file that is read. Control characters, bidirectional
marks and the like in names are shown as \`\\u001b\`. Colour and progress are on terminals alone; \`NO_COLOR\` turns colour off,
\`KILN_DEBUG=1\` adds where in the program an error arose.
`
