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

function told(error) {
  const printed = [error.stdout, error.stderr].filter((text) => typeof text === 'string' && text.trim() !== '')
  return [error.message ?? String(error), ...printed].join('\n').slice(0, 4000)
}

export function expectNone(faults, what = 'faults') {
  if (faults.length > 0)
    throw new Error(
      `${what}:\n  ${faults.slice(0, 20).join('\n  ')}${faults.length > 20 ? `\n  and ${faults.length - 20} more` : ''}`,
    )
}
