// What is taken from a runtime, or put into it, before the library is loaded.

export const hosts = ['as it comes', 'no eval', 'no Float16Array', 'stand-in']

/** Changes the runtime's globals; throws where the change did not take. */
export function prepare(host) {
  if (host === 'no eval') withoutEval()
  else if (host === 'no Float16Array') withoutFloat16Array()
  else if (host === 'stand-in') globalThis.Float16Array = Float16StandIn
  else if (host !== 'as it comes') throw new Error(`no such host: ${host}`)
}

/* eslint-disable no-eval, no-new-func -- they are what is taken away */
function withoutEval() {
  const refuse = () => {
    throw new EvalError('code from text')
  }
  const makers = [
    Function,
    async function () {}.constructor,
    function* () {}.constructor,
    async function* () {}.constructor,
  ]
  for (const maker of makers) {
    Object.defineProperty(maker.prototype, 'constructor', { value: refuse, configurable: true })
  }
  globalThis.Function = refuse
  globalThis.eval = refuse
  for (const attempt of [
    () => new Function('return 1'),
    () => (() => {}).constructor('return 1'),
    () => (0, eval)('1'),
  ]) {
    if (!throws(attempt)) throw new Error('text can still be made into code')
  }
}
/* eslint-enable no-eval, no-new-func */

function withoutFloat16Array() {
  delete globalThis.Float16Array
  if ('Float16Array' in globalThis) throw new Error('Float16Array is still there')
}

export function throws(attempt) {
  try {
    attempt()
    return false
  } catch {
    return true
  }
}

/** Float16Array as far as Kiln uses it, for hosts that have none: it rounds once, ties to even, to infinity. */
class Float16StandIn {
  #codes

  constructor(buffer, byteOffset, length) {
    this.#codes = new Uint16Array(buffer, byteOffset, length)
  }

  set(values) {
    for (let i = 0; i < values.length; i++) this.#codes[i] = codeOf(values[i])
  }
}

function codeOf(value) {
  // A NaN that nobody expects, as an engine may well write.
  if (Number.isNaN(value)) return 0xfd01
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0
  const size = Math.abs(value)
  // Half a step above the largest finite number, 65504: from here on it is infinity.
  if (size >= 65520) return sign + 0x7c00
  let exponent = -14
  while (size >= 2 ** (exponent + 1)) exponent++
  const steps = size / 2 ** (exponent - 10)
  const floor = Math.floor(steps)
  const rest = steps - floor
  const up = rest > 0.5 || (rest === 0.5 && floor % 2 === 1)
  return sign + (exponent + 14) * 1024 + floor + (up ? 1 : 0)
}
