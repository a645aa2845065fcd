import { expect } from 'vitest'
import { fault, faultOf, type Fault } from '../support/fault.js'

function check({ code, message }: Fault, text: string): void {
  expect(code).toBe('TYPE')
  expect(message).toContain(text)
}

/** That `run` throws a KilnError of code `TYPE` whose message has `text` in it. */
export function refuses(run: () => unknown, text: string): void {
  check(fault(run), text)
}

/** As {@link refuses}, of a promise. */
export async function refusesLater(promise: Promise<unknown>, text: string): Promise<void> {
  check(await faultOf(promise), text)
}
