import type { ByteSink } from 'kiln-format'

/** Runs a writer, then makes what it wrote final; if it fails, drops that and passes the error on, whatever comes of the dropping. */
export async function intoSink(sink: ByteSink, write: () => Promise<void>): Promise<void> {
  try {
    await write()
    await sink.close()
  } catch (error) {
    try {
      await sink.abort(error)
    } catch {
      // What the sink says to being dropped matters less than why.
    }
    throw error
  }
}
