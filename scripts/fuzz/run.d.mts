import type { Target } from './targets.mjs'

export interface Figures {
  readonly inputs: number
  readonly read: number
  readonly refused: ReadonlyMap<string, number>
  readonly slowest: number
  readonly memory: number
  readonly finding: { readonly bytes: Uint8Array; readonly error: unknown } | undefined
}
export function runTarget(target: Target, seed: number, goOn: (inputs: number) => boolean): Promise<Figures>
