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

// How long each test takes, kept for the process that comes after one that was ended.
const TIMES = fileURLToPath(new URL(`.tmp/${process.env.KILN_MUTATION_FOLDER}/times.json`, import.meta.url))

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
    this.#session = new Session(this.#loaded.files, existsSync(TIMES) ? JSON.parse(readFileSync(TIMES, 'utf8')) : {})
  }

  async dryRun() {
    const results = await this.#session.run({ before: (id) => (this.#stryker.currentTestId = id), after: () => (this.#stryker.currentTestId = undefined) })
    writeFileSync(TIMES, JSON.stringify(Object.fromEntries(results.map(({ id, timeSpentMs }) => [id, timeSpentMs]))))
    await this.#load()
    return { status: DryRunStatus.Complete, tests: results, mutantCoverage: this.#stryker.mutantCoverage }
  }

  async mutantRun({ activeMutant, testFilter, hitLimit }) {
    const ids = testFilter === undefined ? undefined : new Set(testFilter)
    let { results, timeout } = await this.#judge(activeMutant, ids, hitLimit)
    if (keepers.has(process.env.KILN_MUTATION_FOLDER) && timeout === undefined && results.every(({ status }) => status === TestStatus.Success)) {
      await this.#load()
      ;({ results, timeout } = await this.#judge(activeMutant, ids, hitLimit))
    }
    const failed = results.find(({ status }) => status === TestStatus.Failed)
    if (timeout === undefined && failed !== undefined && (await this.#failsWithout(failed.id))) {
      this.#log.info(`mutant ${activeMutant.id} left something behind for ${failed.id}; judged again with everything loaded anew`)
      await this.#load()
      const again = await this.#judge(activeMutant, ids, hitLimit)
      const still = again.results.find(({ status }) => status === TestStatus.Failed)
      if (still !== undefined && (await this.#failsWithout(still.id))) await this.#load()
      return toMutantRunResult(again.timeout ?? { status: DryRunStatus.Complete, tests: again.results })
    }
    return toMutantRunResult(timeout ?? { status: DryRunStatus.Complete, tests: results })
  }

  async #judge(mutant, ids, hitLimit) {
    Object.assign(this.#stryker, { activeMutant: mutant.id, hitCount: 0, hitLimit })
    const results = await this.#session.run({ ids, bail: true })
    const timeout = determineHitLimitReached(this.#stryker.hitCount, hitLimit)
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
