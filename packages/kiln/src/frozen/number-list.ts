import {
  borrowElements, copyElements, elementType, isBorrowable, loadElements,
  type AnyArrays, type ElementType, type NumberName, type NumberValue, type OwnArrays,
} from '../bytes/elements.js'
import { checkMemory, describe } from '../bytes/input.js'
import { KilnError } from '../errors/kiln-error.js'

/**
 * A list of fixed-width numbers that was read without copying it: a pointer into the input and a byte
 * length (FORMAT §2). It lives as long as the input is left alone.
 */
export interface NumberList<N extends NumberName = NumberName> extends Iterable<NumberValue<N>> {
  /** The element type, such as `f32`. */
  readonly type: N
  /** Elements. */
  readonly length: number
  /** Bytes of all elements. */
  readonly byteLength: number
  /** The elements' bytes, little-endian, in the input's memory. */
  readonly bytes: Uint8Array
  /** Whether {@link borrow} can give a typed array here. */
  readonly aligned: boolean
  /** One element; `f16` and `bf16` as their code. Throws `TYPE` for an index that is not in the list. */
  at(index: number): NumberValue<N>
  /** Copies all elements to the front of the caller's typed array, and returns how many there are. */
  load(target: ArrayBufferView): number
  /** A typed array of its own. */
  copy(): OwnArrays[N]
  /** A typed array over the input's memory; `ALIGN` where alignment or the host's byte order forbids it. */
  borrow(): AnyArrays[N]
}

export class BorrowedNumbers<N extends NumberName> implements NumberList<N> {
  readonly length: number
  readonly byteLength: number
  readonly #element: ElementType<N>
  readonly #source: Uint8Array
  readonly #view: DataView
  readonly #start: number

  constructor(element: ElementType<N>, source: Uint8Array, view: DataView, start: number, length: number) {
    this.length = length
    this.byteLength = length * element.width
    this.#element = element
    this.#source = source
    this.#view = view
    this.#start = start
  }

  get type(): N {
    return this.#element.name
  }

  get bytes(): Uint8Array {
    if (this.byteLength === 0) return new Uint8Array(0)
    checkMemory(this.#source, this.#start + this.byteLength)
    return this.#source.subarray(this.#start, this.#start + this.byteLength)
  }

  get aligned(): boolean {
    return isBorrowable(this.#source, this.#start, this.byteLength, this.#element.width)
  }

  at(index: number): NumberValue<N> {
    if (!Number.isInteger(index) || index < 0 || index >= this.length) {
      throw new KilnError('TYPE', `index ${describe(index)} is not in a list of ${this.length}`)
    }
    checkMemory(this.#source, this.#start + this.byteLength)
    return this.#element.get(this.#view, this.#start + index * this.#element.width)
  }

  load(target: ArrayBufferView): number {
    return loadElements(this.#element, this.#source, this.#start, this.byteLength, target)
  }

  copy(): OwnArrays[N] {
    return copyElements(this.#element, this.#source, this.#start, this.byteLength)
  }

  borrow(): AnyArrays[N] {
    return borrowElements(this.#element, this.#source, this.#start, this.byteLength)
  }

  *[Symbol.iterator](): Generator<NumberValue<N>, undefined> {
    for (let i = 0; i < this.length; i++) yield this.at(i)
    return undefined
  }
}

/** A borrowed list of `length` numbers from `start` on, all of which are there. */
export function borrowedNumbers(name: NumberName, source: Uint8Array, view: DataView, start: number, length: number): NumberList {
  return new BorrowedNumbers(elementType(name), source, view, start, length)
}

/** The bytes of a borrowed list of this element, or undefined for anything else. */
export function bytesOfList(type: ElementType, value: unknown): Uint8Array | undefined {
  return value instanceof BorrowedNumbers && value.type === type.name ? value.bytes : undefined
}

