// `expect` as Vitest makes it, and the few helpers that the tests use. Types are checked elsewhere, snapshots by Vitest.
import { ASYMMETRIC_MATCHERS_OBJECT, JestAsymmetricMatchers, JestChaiExpect, JestExtend, chai, getState, setState } from '@vitest/expect'
import { spyOn } from '@vitest/spy'

chai.use(JestExtend)
chai.use(JestChaiExpect)
chai.use(JestAsymmetricMatchers)
chai.util.addMethod(chai.Assertion.prototype, 'toMatchSnapshot', () => undefined)

const make = (value, message) => chai.expect(value, message)
export const expect = Object.assign(make, chai.expect, globalThis[ASYMMETRIC_MATCHERS_OBJECT])
expect.getState = () => getState(expect)
expect.setState = (state) => setState(state, expect)
expect.setState({ assertionCalls: 0, isExpectingAssertions: false, isExpectingAssertionsError: null, expectedAssertionsNumber: null, expectedAssertionsNumberErrorGen: null })

const anything = new Proxy(() => anything, { get: () => anything })
export const expectTypeOf = () => anything

export const vi = {
  spyOn,
  setConfig: () => undefined,
  async waitFor(run, { timeout = 1000, interval = 20 } = {}) {
    for (const end = Date.now() + timeout; ; ) {
      try {
        return await run()
      } catch (error) {
        if (Date.now() > end) throw error
        await new Promise((resolve) => setTimeout(resolve, interval))
      }
    }
  },
}
