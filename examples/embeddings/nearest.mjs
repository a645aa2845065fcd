/** The embeddings that are nearest to a query among those that it is shown, the nearest first. */
export class Nearest {
  #query
  #count
  /** @type {{ id: number, similarity: number }[]} */
  #found = []

  /**
   * @param {Float32Array} query
   * @param {number} count how many are kept
   */
  constructor(query, count = 10) {
    this.#query = query
    this.#count = count
  }

  /**
   * Looks at a vector where it lies: `values` may be a matrix, of which it is one row.
   *
   * @param {number} id
   * @param {Float32Array} values
   * @param {number} at where in them the vector begins
   */
  look(id, values, at = 0) {
    const query = this.#query
    let similarity = 0
    for (let i = 0; i < query.length; i++) similarity += (query[i] ?? 0) * (values[at + i] ?? 0)
    const found = this.#found
    if (found.length === this.#count && similarity <= (found.at(-1)?.similarity ?? 0)) return
    found.push({ id, similarity })
    found.sort((a, b) => b.similarity - a.similarity)
    if (found.length > this.#count) found.pop()
  }

  get found() {
    return this.#found
  }
}
