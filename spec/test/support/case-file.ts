import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Case } from '../../build/case.js'

export const CASE_FILES = [
  'kiln-pod-cases.json',
  'kiln-v2-cases.json',
  'frame-cases.json',
  'schema-cases.json',
] as const

export function caseFileText(name: string): string {
  return readFileSync(fileURLToPath(new URL(`../../${name}`, import.meta.url)), 'utf8')
}

/** The cases of a file as they stand in it. */
export function casesOf(name: string): Case[] {
  return (JSON.parse(caseFileText(name)) as { cases: Case[] }).cases
}

export function everyCase(): Case[] {
  return CASE_FILES.flatMap(casesOf)
}
