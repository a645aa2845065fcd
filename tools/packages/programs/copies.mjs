import { strict as assert } from 'node:assert'
import * as first from 'kiln-first'
import * as second from 'kiln-second'

assert.notEqual(first.KilnError, second.KilnError)
const faultOf = ({ decode, k }) => {
  try {
    return decode(k.struct({ a: k.u16 }), Uint8Array.of(1))
  } catch (error) {
    return error
  }
}
for (const [thrower, knower] of [
  [first, second],
  [second, first],
]) {
  const fault = faultOf(thrower)
  assert.ok(fault instanceof thrower.KilnError && !(fault instanceof knower.KilnError))
  assert.ok(knower.isKilnError(fault))
  assert.deepEqual([fault.code, fault.path, fault.offset], ['EOF', 'a', 0])
}
assert.ok(!first.isKilnError(new Error('KilnError')) && !first.isKilnError({ code: 'EOF' }))

// A schema of one copy is understood by the other as its text is.
const { text } = first.k.struct({ a: first.k.u16 })
assert.deepEqual(second.decode(second.parseSchema(text), Uint8Array.of(1, 2)), { a: 513 })
console.log('each knows the other')
