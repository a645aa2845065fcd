import { isNumber, WIDTHS } from '../model/numbers.js'
import { fixedSize, hasTensors, minSize } from '../model/sizes.js'
import type { TypeModel } from '../model/model.js'
import type { ModuleScope } from './scope.js'
import { WIDTH } from './text.js'

/** Variables of a function that passes over values; none of its own may have these names. */
export const PASSING_LOCALS = ['r', 'end', 'view', 'pos', 'n', 'left', 'maxCount', 'maxNumbers', 'maxString']

/** What the statements refer to, beside `r`, `pos` and `end`. */
export interface PassingNeeds {
  view?: boolean
  n?: boolean
  readonly limits: Set<'count' | 'numbers' | 'string'>
}

export interface PassingOptions {
  /** The statement that throws what is wrong from `r.pos` on. */
  readonly fault: string
  /** Columns in front of the statements. */
  readonly indent: number
  /** Return where the first directory begins, instead of passing over it. */
  readonly seeking?: boolean
}

/**
 * Writes statements that pass over values with the cursor in a local variable, `pos`. What is available is compared
 * before each word that is read, for the values before it too, and last of all; so a list whose elements can't all be
 * there is noticed where the input ends. Where a comparison fails, `fault` finds out what is wrong.
 */
export class Passing {
  readonly lines: string[] = []
  readonly #scope: ModuleScope
  readonly #needs: PassingNeeds
  readonly #options: PassingOptions
  /** Bytes beyond `pos` that have been passed. */
  #ahead = 0
  /** Whether `pos` and what is ahead are known to lie in the input. */
  #checked = true
  #waiting: (() => string[])[] = []
  #blocks = 0
  #loops = 0

  constructor(scope: ModuleScope, needs: PassingNeeds, options: PassingOptions) {
    this.#scope = scope
    this.#needs = needs
    this.#options = options
  }

  /** Reads what is in the next bytes, once they are known to be there. `make` is given the place. */
  take(size: number, make: (at: string) => string[]): void {
    const at = place(this.#ahead)
    this.#waiting.push(() => make(at))
    this.#skip(size)
  }

  /** Passes over a value. True if nothing is reached any more, since the place of a directory has been returned. */
  pass(model: TypeModel): boolean {
    const fixed = fixedSize(model)
    if (fixed !== undefined) {
      this.#skip(fixed)
      return false
    }
    switch (model.kind) {
      case 'struct':
        return model.fields.some((field) => this.pass(field.type))
      case 'tensors':
        return this.#tensors()
      case 'option':
        this.#option(model.some)
        return false
      case 'string':
        this.#word('string')
        this.#advance(4, ' + n')
        return false
      case 'bytes':
        this.#word()
        this.#advance(4, ' + n')
        return false
      case 'list':
        if (isNumber(model.element.kind)) {
          this.#word('numbers')
          this.#advance(4, times(WIDTHS[model.element.kind]))
        } else this.#each([model.element])
        return false
      case 'dict':
        this.#each([model.key, model.value])
        return false
      default:
        throw new Error(`${model.kind} has a fixed size`)
    }
  }

  /** Compares what is left to be compared, and gives the cursor's place. */
  settle(): string {
    if (!this.#checked || this.#waiting.length > 0) this.#need(0)
    return place(this.#ahead)
  }

  #push(line: string): void {
    this.lines.push('  '.repeat(this.#blocks) + line)
  }

  #fail(condition: string): void {
    const line = `if (${condition}) ${this.#options.fault}`
    if (this.#options.indent + this.#blocks * 2 + line.length <= WIDTH) this.#push(line)
    else {
      this.#push(`if (${condition})`)
      this.#push(`  ${this.#options.fault}`)
    }
  }

  #need(size: number): void {
    this.#fail(`${place(this.#ahead + size)} > end`)
    this.#checked = true
    const waiting = this.#waiting
    this.#waiting = []
    for (const make of waiting) for (const line of make()) this.#push(line)
  }

  #skip(size: number): void {
    this.#ahead += size
    this.#checked = false
  }

  #advance(size: number, more = ''): void {
    const by = this.#ahead + size
    this.#ahead = 0
    const before = by > 0 && more === '' ? /^( *pos \+= )(\d+)(.*)$/.exec(this.lines.at(-1) ?? '') : null
    if (before !== null) this.lines.splice(-1, 1, `${before[1]!}${Number(before[2]) + by}${before[3]!}`)
    else if (by > 0) this.#push(`pos += ${by}${more}`)
    this.#checked = more === '' && this.#checked
  }

  /** Reads a count or a length into `n`; it stays in front of the cursor. */
  #word(cap?: 'count' | 'numbers' | 'string'): void {
    this.#need(4)
    this.#needs.view = true
    this.#needs.n = true
    this.#push(`n = view.getUint32(${place(this.#ahead)}, true)`)
    if (cap === undefined) return
    this.#needs.limits.add(cap)
    this.#fail(`n > max${cap.charAt(0).toUpperCase()}${cap.slice(1)}`)
  }

  #each(parts: readonly TypeModel[]): void {
    this.#word('count')
    const sizes = parts.map(fixedSize)
    if (!sizes.includes(undefined)) {
      this.#advance(4, times(sizes.reduce<number>((sum, size) => sum + size!, 0)))
      return
    }
    if (this.#options.seeking === true && parts.some(hasTensors)) {
      // The first directory may be returned, and the other elements never reached.
      const least = parts.reduce((sum, part) => sum + minSize(part), 0)
      this.#fail(`${place(this.#ahead + 4)}${times(least)} > end`)
    }
    this.#advance(4)
    this.#loops++
    const left = this.#loops === 1 ? 'left' : `left${this.#loops}`
    this.#push(`for (let ${left} = n; ${left} > 0; ${left}--) {`)
    this.#block(parts)
    this.#loops--
  }

  #option(some: TypeModel): void {
    this.#need(1)
    this.#needs.view = true
    this.#needs.n = true
    this.#push(`n = view.getUint8(${place(this.#ahead)})`)
    this.#fail('n > 1')
    const fixed = fixedSize(some)
    if (fixed !== undefined) {
      this.#advance(1, times(fixed))
      return
    }
    this.#advance(1)
    this.#push('if (n === 1) {')
    this.#block([some])
  }

  #block(parts: readonly TypeModel[]): void {
    this.#blocks++
    this.#checked = false
    if (!parts.some((part) => this.pass(part))) this.#advance(0)
    this.#ahead = 0
    this.#blocks--
    this.#push('}')
    this.#checked = false
  }

  #tensors(): boolean {
    if (this.#options.seeking === true) {
      this.#push(`return ${this.settle()}`)
      return true
    }
    if (this.#waiting.length > 0) this.#need(0)
    this.#push(`pos = ${this.#scope.use('passTensors')}(r, ${place(this.#ahead)})`)
    this.#ahead = 0
    this.#checked = false
    return false
  }
}

/** The lines at the front of a function for what its statements refer to. */
export function passingVariables(needs: PassingNeeds, lines: readonly string[]): string[] {
  const caps = [...needs.limits].sort().map((cap) => `${cap}: max${cap.charAt(0).toUpperCase()}${cap.slice(1)}`)
  const changes = lines.some((line) => /^ *pos \+?= /.test(line))
  return [
    `const { end${needs.view === true ? ', view' : ''} } = r`,
    ...(caps.length > 0 ? [`const { ${caps.join(', ')} } = r.settings.limits`] : []),
    `${changes ? 'let' : 'const'} pos = r.pos`,
    ...(needs.n === true ? ['let n: number'] : []),
  ]
}

function place(offset: number): string {
  return offset === 0 ? 'pos' : `pos + ${offset}`
}

function times(size: number): string {
  return size === 1 ? ' + n' : ` + n * ${size}`
}
