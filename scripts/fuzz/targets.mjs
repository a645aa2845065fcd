import { converters } from './targets/converters.mjs'
import { bodies, directories, frames, schemaText } from './targets/core.mjs'
import { made } from './targets/made.mjs'

/**
 * Readers to be fuzzed. `run` throws a KilnError for an input that is refused; any other error is a finding: the
 * reader broke, or two readers don't agree.
 *
 * @typedef {object} Target
 * @property {string} name
 * @property {readonly string[]} words texts that mean something to the reader
 * @property {() => Uint8Array[]} seeds inputs to begin with
 * @property {(bytes: Uint8Array) => void | Promise<void>} run
 */

/** @type {readonly Target[]} */
export const targets = [bodies, directories, frames, schemaText, ...made, ...converters]
