/** Runs checks one after the other, tells each, and counts. A check that throws does not hold. */
export class Report {
  #held = 0
  #faults = []

  /** What `check` returns is told behind the name. */
  async check(name, check) {
    try {
      const said = await check()
      this.#held++
      console.log(`ok    ${name}${said === undefined ? '' : `: ${said}`}`)
    } catch (error) {
      this.#faults.push(name)
      console.log(`FAULT ${name}: ${told(error)}`)
    }
  }

  section(title) {
    console.log(`\n${title}`)
  }

  end() {
    console.log(`\n${this.#held} passed, ${this.#faults.length} failed`)
    if (this.#faults.length > 0) process.exitCode = 1
  }
}

/** What went wrong; a program's standard error is a part of its error's message. */
function told(error) {
  const printed = typeof error.stdout === 'string' ? error.stdout.trim() : ''
  return [error.message ?? String(error), printed].join('\n').trim().slice(0, 2000)
}

/** Throws if there are faults, and names the first twenty. */
export function expectNone(faults, what = 'faults') {
  if (faults.length === 0) return
  const more = faults.length > 20 ? [`and ${faults.length - 20} more`] : []
  throw new Error([`${what}:`, ...faults.slice(0, 20), ...more].join('\n  '))
}
