import { once } from 'node:events'
import { basename } from 'node:path'
import { InvalidArgumentError, type Command } from 'commander'
import { labelOf } from '../input/label.js'
import { openSource } from '../input/open-source.js'
import { fileNameOfUrl, headersOf, placeOf } from '../input/url.js'
import { inFile } from '../terminal/failure.js'
import { visible } from '../terminal/escape.js'
import type { Terminal } from '../terminal/terminal.js'
import { openBrowser } from '../view/open-browser.js'
import { pageFiles, pageFolder } from '../view/page-files.js'
import { startServer } from '../view/server.js'
import { addCommand, collect, type CommonOptions } from './define.js'

interface ViewOptions extends CommonOptions {
  readonly port: number
  readonly open: boolean
  readonly header?: string[]
}

export function registerView(program: Command, terminal: Terminal): void {
  addCommand(program, 'view', {
    summary: 'look at a file in the browser',
    details:
      'Serves a page on this machine that shows tensors, metadata, values and bytes of FILE, and opens it in the ' +
      'browser. The file is read by ranges as the page asks for them, and leaves this machine never. Ctrl+C ends it.',
    examples: ['kiln view model.kiln', 'kiln view --no-open --port 8080 https://example.org/model.gguf'],
  })
    .argument('<file>', 'a file, a URL, or - for standard input')
    .option('--port <port>', 'the port to listen on; 0 takes one that is free', parsePort, 0)
    .option('--no-open', 'print the address only')
    .option('--header <name: value>', 'a header for a URL, to its own origin alone; can be given again', collect)
    .action(async (file: string, options: ViewOptions) => {
      await view(file, options, terminal)
    })
}

async function view(input: string, options: ViewOptions, terminal: Terminal): Promise<void> {
  const files = await pageFiles(pageFolder())
  const source = await openSource(input, terminal, headersOf(options.header))
  try {
    const server = await inFile(labelOf(input), () => startServer(files, source, nameOf(input), options.port))
    try {
      if (options.json === true) await terminal.json({ url: server.url })
      else await terminal.line(server.url)
      if (options.open && !(await openBrowser(server.url)))
        await terminal.note('no browser could be opened; open the address above')
      if (options.json !== true)
        await terminal.note(`serving ${visible(labelOf(input))} to this machine alone; Ctrl+C ends it`)
      await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
    } finally {
      await server.close()
    }
  } finally {
    await source.close?.()
  }
}

/** What the page calls the file. */
function nameOf(input: string): string {
  const place = placeOf(input)
  if (place.kind === 'stdin') return 'standard input'
  return (place.kind === 'url' ? fileNameOfUrl(place.url) : basename(place.path)) || 'file'
}

function parsePort(text: string): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port < 65_536) return port
  throw new InvalidArgumentError('a port is a number from 0 to 65535')
}
