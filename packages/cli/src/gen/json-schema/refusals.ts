/** Why a part of a document can't become Kiln. */
export interface Refusal {
  /** A JSON Pointer into the document, as a URI fragment. */
  readonly pointer: string
  /** What is there, and what to do. */
  readonly detail: string
}

// A document that is far from the subset would fill a screen.
const MAX_REFUSALS = 40

/** Everything in a document that is in the way, so that it can be mended at once. */
export class Refusals {
  readonly #list: Refusal[] = []
  #more = 0

  add(pointer: string, detail: string): void {
    if (this.#list.some((refusal) => refusal.pointer === pointer && refusal.detail === detail)) return
    if (this.#list.length < MAX_REFUSALS) this.#list.push({ pointer, detail })
    else this.#more++
  }

  get count(): number {
    return this.#list.length + this.#more
  }

  get list(): readonly Refusal[] {
    return this.#list
  }

  /** How many there are beyond those in the list. */
  get more(): number {
    return this.#more
  }
}
