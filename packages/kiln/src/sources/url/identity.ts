import { KilnError } from '../../errors/kiln-error.js'
import type { ResponseLike } from './platform.js'

/**
 * What tells one state of a file from another: its size, its ETag, or where there is none the time of its last change.
 * Taken from the first answer; every later one must say the same, so that bytes of two states are never mixed.
 */
export class Identity {
  readonly #label: string
  #etag: string | undefined
  #lastModified: string | undefined
  #total: number | undefined

  constructor(label: string, total: number | undefined) {
    this.#label = label
    this.#total = total
  }

  /** Compares an answer, and learns what was not known yet. `total` is the size that the answer tells, if it does. */
  check(response: ResponseLike, total: number | undefined): void {
    const etag = plainTag(response.headers.get('etag'))
    const lastModified = response.headers.get('last-modified') ?? undefined
    if (differ(this.#total, total)) throw this.changed(`its size was ${this.#total} bytes and is ${total}`)
    if (differ(this.#etag, etag)) throw this.changed(`its ETag was ${this.#etag} and is ${etag}`)
    // Servers behind one name often disagree about the time of the same file; its ETag goes before.
    if ((this.#etag === undefined || etag === undefined) && differ(this.#lastModified, lastModified)) {
      throw this.changed(`its last change was at ${this.#lastModified} and is at ${lastModified}`)
    }
    this.#total ??= total
    this.#etag ??= etag
    this.#lastModified ??= lastModified
  }

  changed(how: string): KilnError {
    return new KilnError(
      'FRAME',
      `${this.#label} was changed on the server since it was opened (${how}); open it again`,
    )
  }
}

function differ<T>(before: T | undefined, now: T | undefined): boolean {
  return before !== undefined && now !== undefined && before !== now
}

/** A weak tag names the same file as the strong one: servers weaken it when they might have compressed. */
function plainTag(etag: string | null): string | undefined {
  const tag = etag?.trim()
  if (tag === undefined || tag === '') return undefined
  return tag.startsWith('W/') ? tag.slice(2) : tag
}
