import { ByteWriter } from '../bytes/writer.js'
import { KilnError } from '../errors/kiln-error.js'
import type { Input } from '../schema/infer.js'
import type { Schema } from '../schema/types.js'
import type { WriteValue } from './write-value.js'
import { writerOf } from './writers.js'

/**
 * Encodes one message after the other into the same memory, so that a loop over small messages allocates only the view
 * of each: memory of its own takes `encode` longer than a small record does.
 *
 * The bytes that `encode` gives hold until the writer's next call; then they show the next message. Send them, write
 * them, or copy them, but don't keep them. The memory stays as large as the largest message was.
 */
export class MessageWriter {
  readonly #writer = new ByteWriter()
  // Where messages with large arrays are put together; the others lie in the writer's scratch.
  #whole = new Uint8Array(0)
  #busy = false

  /**
   * A value's bytes, as `encode` writes them, in this writer's memory. Throws KilnError for a value that the schema
   * doesn't take, and `TYPE` if a getter of the value calls this writer.
   */
  encode<S extends Schema>(schema: S, value: Input<S>): Uint8Array {
    return this.encodeBy(writerOf(schema), value)
  }

  /**
   * As {@link encode}, by what `kiln gen` wrote for a schema: its `encodeUserWith(writer, value)` calls this.
   * @internal
   */
  encodeBy<T>(write: WriteValue<T>, value: T): Uint8Array {
    if (this.#busy) throw new KilnError('TYPE', 'this MessageWriter is in the middle of a message; a value that encodes another needs a second one')
    const w = this.#writer
    this.#busy = true
    try {
      write(w, value)
      const { length } = w
      if (w.inScratch) return w.bytes.subarray(0, length)
      if (this.#whole.length < length) this.#whole = w.finish()
      else w.finishInto(this.#whole)
      return this.#whole.subarray(0, length)
    } finally {
      w.reset()
      this.#busy = false
    }
  }
}
