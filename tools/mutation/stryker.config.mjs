import { folders } from './folders.mjs'

const folder = process.env.KILN_MUTATION_FOLDER ?? ''
if (!folders.includes(folder)) throw new Error(`KILN_MUTATION_FOLDER is one of ${folders.join(', ')}`)
const only = process.env.KILN_MUTATION_FILES ?? '**/*.ts'

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  mutate: only.split(',').map((path) => `packages/kiln/src/${folder}/${path}`),
  testRunner: 'kept',
  testRunnerNodeArgs: ['--max-old-space-size=2048'],
  plugins: [`${import.meta.dirname}/runner.mjs`, `${import.meta.dirname}/messages.mjs`],
  ignorers: ['messages'],
  coverageAnalysis: 'perTest',
  // What only runs while modules load would need a new process each: a second a mutant instead of milliseconds.
  ignoreStatic: true,
  concurrency: Number(process.env.KILN_MUTATION_CONCURRENCY ?? 1),
  // Endless loops are ended before; this is for a busy machine on which everything is loaded anew.
  timeoutMS: 20_000,
  timeoutFactor: 2,
  // The sandbox holds what tests read, and links node_modules.
  ignorePatterns: ['**', '!packages/kiln/{src,test}/**', '!packages/*/tsconfig*.json', '!packages/kiln/package.json', '!spec/**', '!*.{ts,json}', '!tools/mutation/*.mjs'],
  tempDirName: `tools/mutation/.tmp/${folder}/sandbox`,
  incremental: true,
  incrementalFile: `tools/mutation/.tmp/${folder}/incremental.json`,
  reporters: ['json', 'progress-append-only'],
  jsonReporter: { fileName: `tools/mutation/.tmp/${folder}/report.json` },
  checkers: [],
  disableTypeChecks: false,
  allowEmpty: true,
  fileLogLevel: 'off',
  allowConsoleColors: false,
}
