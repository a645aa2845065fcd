import { ladder, slowCode } from './slow-codes.js'

const rungs = ladder('f16')

/** What Float16Array does where a host has one, of which Kiln uses `set` alone: IEEE 754 rounding to infinity. */
class Float16StandIn {
  readonly #codes: Uint16Array

  constructor(buffer: ArrayBuffer, byteOffset: number, length: number) {
    this.#codes = new Uint16Array(buffer, byteOffset, length)
  }

  set(values: ArrayLike<number>): void {
    for (let i = 0; i < values.length; i++) {
      const code = slowCode('f16', values[i]!, 'overflow', rungs)
      // A NaN that nobody expects, as an engine may well write.
      this.#codes[i] = code === 'nan' ? 0xfd01 : code
    }
  }
}

function withGlobal<T>(value: unknown, run: () => T): T {
  const host = globalThis as { Float16Array?: unknown }
  const own = Object.getOwnPropertyDescriptor(host, 'Float16Array')
  Object.defineProperty(host, 'Float16Array', { value, configurable: true, writable: true })
  try {
    return run()
  } finally {
    if (own === undefined) delete host.Float16Array
    else Object.defineProperty(host, 'Float16Array', own)
  }
}

/** Runs with a Float16Array in the host: its own, or where it has none a stand-in. */
export function withFloat16Array<T>(run: () => T): T {
  return withGlobal((globalThis as { Float16Array?: unknown }).Float16Array ?? Float16StandIn, run)
}

/** Runs as on a host without Float16Array. */
export function withoutFloat16Array<T>(run: () => T): T {
  return withGlobal(undefined, run)
}
