// Runs collected tests again and again: all, or those of some ids, to the end or to the first failure.
import { runInThisContext } from 'node:vm'
import { TestStatus } from '@stryker-mutator/api/test-runner'
import { getFn, getHooks } from '@vitest/runner'
import { passedOver } from './folders.mjs'

function idOf(task) {
  const names = []
  for (let at = task; at !== undefined; at = at.suite) names.unshift(at.name)
  return names.join(' > ')
}

function wanted(task, ids) {
  if (task.type !== 'test') return task.mode !== 'skip' && task.tasks.some((inner) => wanted(inner, ids))
  return task.mode !== 'skip' && !passedOver.test(task.name) && (ids === undefined || ids.has(idOf(task)))
}

// Tests put their own in place of these.
const { setTimeout: later, clearTimeout: cancel } = globalThis

/**
 * A mutant's promise may never settle, and what it breaks may loop where no hit is counted: V8 ends what is called by a script that
 * takes too long, which spares a new process. `usual` is what the test takes without a mutant, in milliseconds.
 */
async function inTime(call, usual) {
  if (usual === undefined) return call()
  const most = Math.ceil(4000 + 10 * usual)
  let timer
  const late = new Promise((_, reject) => {
    timer = later(() => reject(new Error('the test did not end')), most)
  })
  globalThis.kilnCall = call
  try {
    return await Promise.race([runInThisContext('kilnCall()', { timeout: most }), late])
  } finally {
    cancel(timer)
  }
}

export class Session {
  /** Errors that no test caught. */
  stray = []
  #files
  #times

  /** `times` says how long each test took without a mutant: the first failure ends a run, so the quick ones go first. */
  constructor(files, times) {
    this.#times = times
    this.#files = this.#quickFirst(files)
  }

  #quickFirst(tasks) {
    const timeOf = (task) => (task.type === 'test' ? (this.#times[idOf(task)] ?? 0) : task.tasks.reduce((sum, inner) => sum + timeOf(inner), 0))
    return tasks.toSorted((a, b) => timeOf(a) - timeOf(b))
  }

  async run({ ids, bail = false, before, after }) {
    const run = { ids, bail, before, after, results: [], failed: false }
    for (const file of this.#files) {
      if (wanted(file, ids)) await this.#suite(file, run, [])
      if (bail && run.failed) break
    }
    return run.results
  }

  async #suite(suite, run, outer) {
    const hooks = getHooks(suite)
    const cleanups = []
    let broken
    try {
      for (const hook of hooks.beforeAll) cleanups.push(await hook(suite))
    } catch (error) {
      broken = error
    }
    for (const task of this.#quickFirst(suite.tasks)) {
      if (!wanted(task, run.ids)) continue
      if (task.type === 'test') await this.#test(task, run, [...outer, hooks], broken)
      else await this.#suite(task, run, [...outer, hooks])
      if (run.bail && run.failed) break
    }
    try {
      for (const end of [...hooks.afterAll.toReversed(), ...cleanups.filter((cleanup) => typeof cleanup === 'function')]) await end(suite)
    } catch {
      // What a mutant broke may not close; the next mutant has its own.
    }
  }

  async #test(task, run, suites, broken) {
    const id = idOf(task)
    const started = performance.now()
    this.stray.length = 0
    run.before?.(id)
    let error = broken
    // Without a mutant a test may take what it wants: the times may be those of a run that instrumented other files.
    if (error === undefined) error = await this.#outcome(task, suites, run.bail ? this.#times[id] : undefined)
    run.after?.(id)
    // With the file's name Stryker sees which results a changed test makes old.
    const shown = { id, name: id, fileName: task.file.filepath }
    const timeSpentMs = performance.now() - started
    if (error === undefined) run.results.push({ ...shown, timeSpentMs, status: TestStatus.Success })
    else {
      run.failed = true
      const failureMessage = error instanceof Error ? error.message.slice(0, 500) : String(error)
      run.results.push({ ...shown, timeSpentMs, status: TestStatus.Failed, failureMessage })
    }
  }

  async #outcome(task, suites, usual) {
    let failure
    const keep = (error) => (failure ??= error instanceof Error ? error : new Error(String(error)))
    try {
      for (const { beforeEach } of suites) for (const hook of beforeEach) await hook(task.context, task.suite)
      await inTime(() => getFn(task)(), usual)
    } catch (error) {
      keep(error)
    }
    for (const { afterEach } of suites.toReversed()) {
      for (const hook of afterEach.toReversed()) {
        try {
          await hook(task.context, task.suite)
        } catch (error) {
          keep(error)
        }
      }
    }
    // Rejections that nobody listens to are told after the microtasks.
    await new Promise(setImmediate)
    if (this.stray.length > 0) keep(this.stray[0])
    return failure
  }
}
