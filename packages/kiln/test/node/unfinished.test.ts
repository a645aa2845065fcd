import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { keepOnExit, removeOnExit } from '../../src/node/unfinished.js'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
type Listener = (...given: unknown[]) => void
const folders: string[] = []
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

async function files(): Promise<[string, string]> {
  const folder = await mkdtemp(join(tmpdir(), 'kiln-unfinished-'))
  folders.push(folder)
  const paths: [string, string] = [join(folder, 'a'), join(folder, 'b')]
  for (const path of paths) await writeFile(path, 'x')
  return paths
}

/** What this library has put there: the last of each kind. */
const last = (event: string): Listener | undefined => process.listeners(event as 'exit').at(-1) as Listener | undefined

/** Runs with no listener of the signal but `own`, which may go; and with `process.kill` noted instead of done. */
function alone(signal: (typeof SIGNALS)[number], own: Listener, run: (killed: unknown[]) => void): void {
  const others = process.listeners(signal).filter((listener) => listener !== own)
  const kill = process.kill.bind(process)
  const killed: unknown[] = []
  process.kill = ((...given: unknown[]) => killed.push(given)) as never
  for (const other of others) process.off(signal, other)
  try {
    run(killed)
  } finally {
    process.kill = kill
    for (const other of others) process.on(signal, other)
  }
}

test('signals and the end are listened to once, and what is unfinished goes with the process', async () => {
  const [a, b] = await files()
  removeOnExit(a)
  const counts = [...SIGNALS, 'exit'].map((event) => process.listenerCount(event))
  removeOnExit(b)
  expect([...SIGNALS, 'exit'].map((event) => process.listenerCount(event))).toEqual(counts)
  keepOnExit(b)
  last('exit')!()
  expect([existsSync(a), existsSync(b)]).toEqual([false, true])
  // What has gone is not removed again; one that cannot be removed keeps nobody.
  await writeFile(a, 'again')
  last('exit')!()
  expect(existsSync(a)).toBe(true)
  removeOnExit(join(a, 'below a file'))
  removeOnExit(folders[0]!)
  removeOnExit(b)
  last('exit')!()
  expect([existsSync(a), existsSync(b)]).toEqual([true, false])
})

test.each(SIGNALS)('%s ends the process as if nobody listened, unless the program does', async (signal) => {
  const [a, b] = await files()
  removeOnExit(a)
  const own = last(signal)!
  const end = last('exit')!
  alone(signal, own, (killed) => {
    const program = (): void => undefined
    process.on(signal, program)
    own(signal)
    expect([existsSync(a), killed]).toEqual([true, []])
    process.off(signal, program)
    own(signal)
    expect([existsSync(a), killed]).toEqual([false, [[process.pid, signal]]])
    for (const each of SIGNALS) expect(process.listeners(each)).not.toContain(own)
    expect(process.listeners('exit')).not.toContain(end)
    expect(process.listenerCount(signal)).toBe(0)
  })
  // The next file listens anew.
  const before = process.listenerCount('exit')
  removeOnExit(b)
  expect(process.listenerCount('exit')).toBe(before + 1)
  for (const each of SIGNALS) expect(last(each)?.name).toBe(own.name)
  last('exit')!()
  expect(existsSync(b)).toBe(false)
})
