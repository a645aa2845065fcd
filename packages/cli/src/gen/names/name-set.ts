import { GLOBAL_TYPES, RESERVED_WORDS } from './reserved.js'

/** The names that are taken in one scope of the generated code. */
export class NameSet {
  readonly #taken: Set<string>
  readonly #outer: NameSet | undefined

  constructor(taken: Iterable<string> = [], outer?: NameSet) {
    this.#taken = new Set(taken)
    this.#outer = outer
  }

  has(name: string): boolean {
    return this.#taken.has(name) || RESERVED_WORDS.has(name) || this.#outer?.has(name) === true
  }

  /** Takes the name, or with the least number behind it that makes it free. */
  take(name: string): string {
    const free = this.free(name, (candidate) => !this.has(candidate))
    this.#taken.add(free)
    return free
  }

  /** Takes the name of a type whose names with these endings must be free too. */
  takeType(name: string, endings: readonly string[]): string {
    const base = GLOBAL_TYPES.has(name) || (this.has(name) && RESERVED_WORDS.has(name)) ? `${name}Type` : name
    const free = this.free(base, (candidate) =>
      endings.every((ending) => !this.has(candidate + ending) && !GLOBAL_TYPES.has(candidate + ending)),
    )
    for (const ending of endings) this.#taken.add(free + ending)
    return free
  }

  private free(name: string, isFree: (name: string) => boolean): string {
    if (isFree(name)) return name
    let number = 2
    while (!isFree(`${name}${number}`)) number++
    return `${name}${number}`
  }

  /** A scope inside this one, in which these are taken too. Nothing may be added to the outer one any more. */
  inner(taken: Iterable<string>): NameSet {
    return new NameSet(taken, this)
  }
}
