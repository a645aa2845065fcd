/**
 * Numbers from 0 to 1, the same for the same seed everywhere: the multiplicative generator of Lehmer, whose products
 * stay exact in a double.
 *
 * @param {number} seed
 */
export function randomNumbers(seed) {
  let state = (seed % (2 ** 31 - 2)) + 1
  const next = () => {
    state = (state * 48_271) % (2 ** 31 - 1)
    return state / (2 ** 31 - 1)
  }
  // The first number of small seeds is small too.
  next()
  return next
}

/**
 * All of them in another order, each order as likely as another.
 *
 * @template T
 * @param {readonly T[]} values
 * @param {() => number} random
 */
export function shuffled(values, random) {
  const all = [...values]
  for (let i = all.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    const kept = /** @type {T} */ (all[i])
    all[i] = /** @type {T} */ (all[j])
    all[j] = kept
  }
  return all
}
