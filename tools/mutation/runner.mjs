// A test runner for Stryker that loads library and tests once and then runs, mutant by mutant, the tests that reach it. Stryker's own
// runner starts a Vitest for each mutant, half a second even if the test takes a millisecond: over an hour for this library.
//
// Keeping modules has a price: a mutant can leave something behind, such as a cache with wrong entries. So a test that fails is run again
// with the mutant off; if it still fails, everything is loaded anew and the mutant judged again. And what was made before the mutant is not made
// again: in folders that keep such things by design, a mutant that survives is judged once more with everything loaded anew.
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import { fileURLToPath } from 'node:url'
import { INSTRUMENTER_CONSTANTS } from '@stryker-mutator/api/core'
import { PluginKind, commonTokens, declareClassPlugin, tokens } from '@stryker-mutator/api/plugin'
import { DryRunStatus, TestStatus, determineHitLimitReached, toMutantRunResult } from '@stryker-mutator/api/test-runner'
import { load } from './load.mjs'
import { Session } from './session.mjs'
import { keepers, testsOf } from './folders.mjs'

// How long each test takes, and how often it reaches each mutant, kept for the process that comes after one that was ended.
const kept = (name) => fileURLToPath(new URL(`.tmp/${process.env.KILN_MUTATION_FOLDER}/${name}.json`, import.meta.url))
const TIMES = kept('times')
const HITS = kept('hits')

// A test in which a mutant is reached so many times more often than without it is in a loop that doesn't end.
const MOST_TIMES_MORE = 100
const LEAST_LIMIT = 1000

// How many tests reach what is made once: the one that asks first.
const FEW = 1

const failedOf = (results) => results.find(({ status }) => status === TestStatus.Failed)
const readKept = (path) => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {})

function testFiles(folder) {
  const globs = testsOf(folder)
  return readdirSync('.', { recursive: true })
    .filter((path) => globs.some((glob) => matchesGlob(path, glob)))
    .map((path) => join(process.cwd(), path))
    .sort()
}

class KeptRunner {
  static inject = tokens(commonTokens.logger)
  #log
  #stryker
  #session
  #hits
  #loaded

  constructor(log) {
    this.#log = log
    this.#stryker = globalThis[INSTRUMENTER_CONSTANTS.NAMESPACE] ??= {}
  }

  capabilities() {
    // Asked for with mutants that modules reach while they load as well. They are switched on when all is loaded, so nothing is to be done.
    return { reloadEnvironment: true }
  }

  async init() {
    // A mutant's promise may reject with nobody listening: that is a failure of the test that runs.
    process.on('unhandledRejection', (error) => this.#session?.stray.push(error))
    process.on('uncaughtException', (error) => this.#session?.stray.push(error))
    await this.#load()
  }

  async #load() {
    await this.#loaded?.close()
    this.#stryker.activeMutant = undefined
    this.#loaded = await load(testFiles(process.env.KILN_MUTATION_FOLDER))
    this.#session = new Session(this.#loaded.files, readKept(TIMES))
    this.#hits = readKept(HITS)
  }

  async dryRun() {
    const results = await this.#session.run({ before: (id) => (this.#stryker.currentTestId = id), after: () => (this.#stryker.currentTestId = undefined) })
    writeFileSync(TIMES, JSON.stringify(Object.fromEntries(results.map(({ id, timeSpentMs }) => [id, timeSpentMs]))))
    writeFileSync(HITS, JSON.stringify(this.#stryker.mutantCoverage?.perTest ?? {}))
    await this.#load()
    return { status: DryRunStatus.Complete, tests: results, mutantCoverage: this.#stryker.mutantCoverage }
  }

  async mutantRun({ activeMutant, testFilter, hitLimit }) {
    const ids = testFilter === undefined ? undefined : new Set(testFilter)
    let { results, timeout } = await this.#judge(activeMutant, ids, hitLimit)
    if (timeout !== undefined) {
      // Or it makes a table that was there when its hits were counted: that is made by now.
      await this.#failsWithout(results.at(-1).id)
      ;({ results, timeout } = await this.#judge(activeMutant, ids, hitLimit))
      if (timeout !== undefined) return toMutantRunResult(timeout)
    }
    const failed = failedOf(results)
    if (failed === undefined) {
      // Few tests reach what makes a table or compiles a schema once; by now that is made.
      if (!keepers.has(process.env.KILN_MUTATION_FOLDER) && (ids === undefined || ids.size > FEW)) return toMutantRunResult({ status: DryRunStatus.Complete, tests: results })
    } else if (!(await this.#failsWithout(failed.id))) {
      return toMutantRunResult({ status: DryRunStatus.Complete, tests: results })
    } else this.#log.info(`mutant ${activeMutant.id} left something behind for ${failed.id}; judged again with everything loaded anew`)
    await this.#load()
    const again = await this.#judge(activeMutant, ids, hitLimit)
    const still = failedOf(again.results)
    if (failed === undefined || (still !== undefined && (await this.#failsWithout(still.id)))) await this.#load()
    return toMutantRunResult(again.timeout ?? { status: DryRunStatus.Complete, tests: again.results })
  }

  async #judge(mutant, ids, hitLimit) {
    // Stryker's limit is for all tests together: an endless loop in the quickest would have to run as long as all of them a hundred times.
    let timeout
    const before = (id) => {
      const own = Math.max((this.#hits[id]?.[mutant.id] ?? 0) * MOST_TIMES_MORE, LEAST_LIMIT)
      Object.assign(this.#stryker, { hitCount: 0, hitLimit: hitLimit === undefined ? undefined : Math.min(own, hitLimit) })
    }
    const after = () => (timeout ??= determineHitLimitReached(this.#stryker.hitCount, this.#stryker.hitLimit))
    this.#stryker.activeMutant = mutant.id
    const results = await this.#session.run({ ids, bail: true, before, after })
    Object.assign(this.#stryker, { activeMutant: undefined, hitCount: undefined, hitLimit: undefined })
    return { results, timeout }
  }

  async #failsWithout(id) {
    const results = await this.#session.run({ ids: new Set([id]) })
    return results.some(({ status }) => status === TestStatus.Failed)
  }

  async dispose() {
    await this.#loaded?.close()
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'kept', KeptRunner)]
