import { byteReader, type ByteReader } from '../bytes/reader.js'
import { moved, pathText, type KilnError, type PathStep } from '../errors/kiln-error.js'
import { resolveSettings, type Settings } from '../limits/limits.js'
import { rules } from './rules.js'
import type { Span, SpanKind, WalkOptions } from './span.js'

/** A walker stops to ask for bytes; `undefined` only hands over the spans made so far. */
export interface Need {
  readonly offset: number
  readonly length: number
}

/** A part of the walk: it puts spans into the state and stops now and then. */
export type Pauses<T = void> = Generator<Need | undefined, T, undefined>

/** Thrown when all that lies before the option `to` has been given. */
export const PAST_RANGE = new Error('past the range asked for')

/** Spans that are held back before the walker hands them over. */
const BATCH = 256

type Extra = Pick<Span, 'type' | 'value' | 'entries' | 'tensor'>

const NO_STEPS: readonly PathStep[] = []
const NOTHING: Uint8Array = new Uint8Array(0)

/**
 * Where a walk is. Offsets are counted from the start of the input; the library's readers see the part of it that
 * is at hand through `r`, whose offsets are less by `base`, and whose end may lie behind that part.
 */
export class WalkState {
  r: ByteReader
  base = 0
  /** Where the input ends. */
  readonly size: number
  /** Whether the whole input is at hand. */
  readonly whole: boolean
  readonly steps: PathStep[] = []
  /** Over 0 while a part is read that is given as one span. */
  muted = 0
  /** Spans from here on are not given; one that reaches over is cut. */
  clip = Infinity
  readonly #settings: Settings
  readonly #from: number
  readonly #to: number
  #end: number
  #spans: Span[] = []
  #emitted = 0
  #fieldStart = 0
  #fieldEnd = 0
  #rule = ''

  constructor(size: number, bytes: Uint8Array | undefined, options: WalkOptions) {
    this.size = size
    this.whole = bytes !== undefined
    this.#settings = resolveSettings(options)
    this.#from = options.from ?? 0
    this.#to = options.to ?? Infinity
    this.#end = size
    this.r = byteReader(bytes ?? NOTHING, this.#settings, 0, size)
  }

  get pos(): number {
    return this.base + this.r.pos
  }

  set pos(offset: number) {
    this.r.pos = offset - this.base
  }

  /** Where what can be taken ends: the input, or a frame's body. */
  get end(): number {
    return this.#end
  }

  set end(offset: number) {
    this.#end = offset
    this.r.end = offset - this.base
  }

  /** Whether the next `length` bytes, or all up to the end, are at hand. */
  has(length: number): boolean {
    const { pos, base } = this
    return pos >= base && pos + Math.min(length, this.#end - pos) <= base + this.r.bytes.length
  }

  need(length: number): Need {
    return { offset: this.pos, length: Math.min(length, this.#end - this.pos) }
  }

  /** Takes the bytes that a walker has asked for, and perhaps more behind them. */
  load(bytes: Uint8Array, offset: number): void {
    const { pos } = this
    this.base = offset
    this.r = byteReader(bytes, this.#settings, pos - offset, this.#end - offset)
  }

  /** Says which bytes are read next and by which rule, for a fault's place. */
  field(length: number, rule: string, start = this.pos): void {
    this.#rule = rule
    this.#fieldStart = start
    this.#fieldEnd = Math.min(start + length, this.size)
  }

  /** Whether a walker should hand over what it has. */
  get full(): boolean {
    return this.#spans.length >= BATCH
  }

  /** The spans since the last call. */
  drain(): readonly Span[] {
    const spans = this.#spans
    if (spans.length > 0) this.#spans = []
    return spans
  }

  /** Whether a part of the input can have spans that were asked for. */
  touches(offset: number, length: number): boolean {
    return offset < this.#to && offset + length >= this.#from
  }

  /** The first byte that was asked for. */
  get from(): number {
    return this.#from
  }

  put(
    kind: SpanKind,
    offset: number,
    length: number,
    rule: string,
    extra?: Extra,
    steps: readonly PathStep[] = NO_STEPS,
  ): void {
    if (this.muted > 0) return
    if (offset >= this.clip) return
    if (offset >= this.#to) throw PAST_RANGE
    const fitting = Math.min(length, this.clip - offset)
    this.#emitted = offset + fitting
    if (!this.#isAskedFor(offset, fitting)) return
    const path = pathText(steps.length === 0 ? this.steps : [...this.steps, ...steps])
    this.#spans.push({ offset, length: fitting, path, kind, rule, ...extra })
  }

  #isAskedFor(offset: number, length: number): boolean {
    return offset < this.#to && (length === 0 ? offset >= this.#from : offset + length > this.#from)
  }

  /** Gives what was valid of an unopened part, the fault, and the rest. */
  fail(error: KilnError): void {
    const { code, path, detail, offset } = moved(error, this.base) as KilnError
    const start = this.#fieldStart
    if (this.#emitted < start) {
      this.#give({
        offset: this.#emitted,
        length: start - this.#emitted,
        path: '',
        kind: 'group',
        rule: rules.beforeFault,
      })
      this.#emitted = start
    }
    const from = this.#emitted
    const to = Math.max(from, this.#fieldEnd)
    // The readers' own steps are indexes: `[3].dtype` of a table, or none.
    const joined = pathText(this.steps) + path
    const fault = { code, byte: offset ?? from, detail }
    this.#give({ offset: from, length: to - from, path: joined, kind: 'error', rule: this.#rule, fault })
    if (this.size > to) this.#give({ offset: to, length: this.size - to, path: '', kind: 'rest', rule: rules.rest })
  }

  #give(span: Span): void {
    if (this.#isAskedFor(span.offset, span.length)) this.#spans.push(span)
  }
}
