import { onAbort } from '../abort.js'
import type { AbortSignalLike } from '../source.js'

/** Lets a number of tasks run at a time; the others wait in the order in which they came. */
export class Turns {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(count: number) {
    this.#free = count
  }

  async run<T>(signal: AbortSignalLike, task: () => Promise<T>): Promise<T> {
    await this.#turn(signal)
    try {
      return await task()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#free += 1
      else next()
    }
  }

  #turn(signal: AbortSignalLike): Promise<void> {
    signal.throwIfAborted()
    if (this.#free > 0) {
      this.#free -= 1
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const take = (): void => {
        stop()
        resolve()
      }
      const stop = onAbort(signal, () => {
        stop()
        this.#waiting.splice(this.#waiting.indexOf(take), 1)
        try {
          signal.throwIfAborted()
        } catch (reason) {
          reject(reason)
        }
      })
      this.#waiting.push(take)
    })
  }
}
