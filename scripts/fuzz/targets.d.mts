/** A reader to be fuzzed; see targets.mjs. */
export interface Target {
  readonly name: string
  readonly words: readonly string[]
  readonly seeds: () => Uint8Array[]
  readonly run: (bytes: Uint8Array) => void | Promise<void>
}
export const targets: readonly Target[]
