import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const here = dirname(fileURLToPath(import.meta.url))
export const root = dirname(dirname(here))

/** The built files by what imports them are called. */
export const modules = {
  'kiln-cli/conformance': 'packages/cli/dist/conformance/run.js',
  'kiln-format': 'packages/kiln/dist/index.js',
  'kiln-format/numeric': 'packages/kiln/dist/numeric/index.js',
  'kiln-format/walk': 'packages/kiln/dist/walk/index.js',
  'kiln-format/runtime': 'packages/kiln/dist/runtime/index.js',
  'kiln-format/debug': 'packages/kiln/dist/debug/index.js',
  'kiln-format/node': 'packages/kiln/dist/node/index.js',
}

export const caseFiles = [
  'spec/kiln-pod-cases.json',
  'spec/kiln-v2-cases.json',
  'spec/schema-cases.json',
  'spec/frame-cases.json',
]

export function readCases() {
  return caseFiles.map((name) => ({ name, text: readFileSync(join(root, name), 'utf8') }))
}
