import { isKilnError } from 'kiln-format'

/** What programs without types give where something else is asked for. */
export const ODD: Readonly<Record<string, () => unknown>> = {
  undefined: () => undefined,
  null: () => null,
  true: () => true,
  zero: () => 0,
  negative: () => -1,
  fraction: () => 1.5,
  NaN: () => NaN,
  Infinity: () => Infinity,
  unsafe: () => 2 ** 53,
  bigint: () => 1n,
  empty: () => '',
  text: () => 'text',
  symbol: () => Symbol('symbol'),
  object: () => ({}),
  bare: () => Object.create(null) as unknown,
  array: () => [],
  nulls: () => [null],
  symbols: () => [Symbol('symbol')],
  function: () => () => 1,
  Date: () => new Date(NaN),
  Map: () => new Map([[1, 2]]),
  bytes: () => new Uint8Array(3),
  promise: () => Promise.resolve(1),
}

/** An argument of a call, what comes of most odd values, and of which another: `{ taken: 'undefined object' }`. */
export type Row = readonly [
  argument: string,
  call: (odd: never) => unknown,
  most: string,
  others?: Readonly<Record<string, string>>,
]

/** What is as clear as the name itself. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  shape: ['a dimension', 'bytes of data'],
  bytes: ['a payload is'],
  chunks: ['bytes expected', 'the payload'],
  headers: ['a header'],
  min: ['histogram'],
  sources: ['a path or a file: URL'],
  tensors: ['a tensor expected'],
}

/**
 * What comes of each odd value: `taken`, or the code of the KilnError. Anything else that is thrown fails the test, and so
 * does an error about an option, `{ depth: x }`, that doesn't name it.
 */
export async function outcomesOf(call: (odd: never) => unknown): Promise<Record<string, string>> {
  const outcomes: Record<string, string> = {}
  const option = /[{,]\s*(\w+): x\s*\}/.exec(String(call))?.[1]
  for (const [name, make] of Object.entries(ODD)) {
    try {
      await drain(await call(make() as never))
      outcomes[name] = 'taken'
    } catch (error) {
      if (!isKilnError(error)) throw new Error(`${name}: ${String(error)}`, { cause: error })
      const named = option === undefined || error.code !== 'TYPE' || [option, ...(WORDS[option] ?? [])].some((word) => error.message.includes(word))
      outcomes[name] = named ? error.code : `nameless: ${error.message}`
    }
  }
  return outcomes
}

/** The outcomes that a row expects, one by one. */
export function expectedOf([, , most, others = {}]: Row): Record<string, string> {
  const outcomes = Object.fromEntries(Object.keys(ODD).map((name) => [name, most]))
  for (const [outcome, names] of Object.entries(others)) for (const name of names.split(' ')) outcomes[name] = outcome
  return outcomes
}

/** Generators do their work when they are gone through. */
async function drain(value: unknown): Promise<void> {
  if (typeof value !== 'object' || value === null || !('next' in value)) return
  for await (const item of value as unknown as AsyncIterable<unknown>) void item
}
