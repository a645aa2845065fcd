import promises from 'node:fs/promises'
import path from 'node:path'
import { syncBuiltinESMExports } from 'node:module'

type Call = (...given: never[]) => Promise<unknown>

/** Runs with another function in the place of one of `node:fs/promises`, which it is given: for what a system does seldom. */
export async function withSystem(name: keyof typeof promises, instead: (own: Call) => Call, run: () => Promise<void>): Promise<void> {
  await exchanged(promises as unknown as Record<string, unknown>, name, instead(promises[name] as unknown as Call), run)
}

/** Runs as where paths are put together with another sign. */
export async function withSeparator(sep: string, run: () => Promise<void>): Promise<void> {
  await exchanged(path as unknown as Record<string, unknown>, 'sep', sep, run)
}

async function exchanged(owner: Record<string, unknown>, name: string, value: unknown, run: () => Promise<void>): Promise<void> {
  const own = owner[name]
  owner[name] = value
  syncBuiltinESMExports()
  try {
    await run()
  } finally {
    owner[name] = own
    syncBuiltinESMExports()
  }
}

/** An error as the system gives it. */
export function failed(code: string): Error {
  return Object.assign(new Error(`${code}: it failed`), { code })
}
