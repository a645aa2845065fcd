// What Jazzer.js calls: the target that KILN_FUZZ_TARGET names. A KilnError is an answer, anything else a finding.
import { isKilnError } from 'kiln-format'
import { targets } from '../../scripts/fuzz/targets.mjs'

const target = targets.find(({ name }) => name === process.env['KILN_FUZZ_TARGET'])
if (target === undefined) throw new Error(`there is no target ${process.env['KILN_FUZZ_TARGET']}`)
Error.stackTraceLimit = 8

// The compiler, which some targets use, takes seconds for its first module; that is no slow input.
const first = target.seeds()[0]
if (first !== undefined) await fuzz(Buffer.from(first))

/** @param {Buffer} data */
export async function fuzz(data) {
  try {
    // A copy: the fuzzer's memory is reused.
    await target.run(new Uint8Array(data))
  } catch (error) {
    if (!isKilnError(error)) throw error
  }
}
