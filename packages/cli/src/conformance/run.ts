import { caseOf, CaseFault } from './case.js'
import { entriesOf, type Entry } from './case-file.js'
import type { Reused } from './engines.js'
import { isNumericVector, runNumericVector } from './numeric-vectors.js'
import type { Mismatch } from './outcome.js'
import { runCase } from './run-case.js'

/** What became of a case. */
export interface CaseResult {
  readonly name: string
  /** What did not hold; empty for a case that passed. */
  readonly mismatches: readonly Mismatch[]
}

/**
 * Runs the cases of a file's text, one after the other. Takes the notation of the format's cases and of the numeric
 * vectors, told apart by their keys. Uses the library alone: it runs wherever the library does.
 */
export async function* runCases(text: string): AsyncGenerator<CaseResult> {
  const reused: Reused = { readers: new Map() }
  for (const entry of entriesOf(text)) yield { name: entry.name, mismatches: await mismatchesOf(entry, reused) }
}

async function mismatchesOf(entry: Entry, reused: Reused): Promise<readonly Mismatch[]> {
  const unusable = (came: string): Mismatch[] => [{ check: 'the case itself', expected: 'a case in the notation', came }]
  if (entry.fault !== undefined) return unusable(entry.fault)
  const json = entry.json as Readonly<Record<string, unknown>>
  try {
    if (json['kind'] === undefined && isNumericVector(json)) return vectorMismatches(json)
    const mismatches: Mismatch[] = []
    await runCase(caseOf(json), reused, (mismatch) => mismatches.push(mismatch))
    return mismatches
  } catch (error) {
    if (error instanceof CaseFault) return unusable(error.message)
    throw error
  }
}

function vectorMismatches(json: Readonly<Record<string, unknown>>): Mismatch[] {
  const result = runNumericVector(json)
  return result.passed ? [] : [{ check: String(json['op'] ?? 'numeric vector'), expected: result.expected, came: result.came }]
}
