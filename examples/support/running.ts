import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** An example that was started as a person does, and goes on until it is stopped. */
export interface Running {
  /** All that it has printed. */
  readonly printed: string
  /** All that it has printed of errors. */
  readonly complaints: string
  stop(): Promise<void>
}

/** Starts `node main.mjs` of an example and waits until it has printed a line like this. */
export async function start(example: string, args: readonly string[], until: RegExp): Promise<Running> {
  const main = fileURLToPath(new URL(`../${example}/main.mjs`, import.meta.url))
  const child = spawn(process.execPath, [main, ...args], { env: { ...process.env, PORT: '0' } })
  const ended = once(child, 'exit')
  let printed = ''
  let complaints = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text))
  await new Promise<void>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text
      if (until.test(printed)) resolve()
    })
    child.once('close', (code) => reject(new Error(`${example} ended with ${code}: ${complaints}${printed}`)))
  })
  return {
    get printed() {
      return printed
    },
    get complaints() {
      return complaints
    },
    async stop() {
      child.kill()
      await ended
    },
  }
}
