import type { ByteSink } from 'kiln-format'

/** Runs a writer, then makes what it wrote final; if it fails, drops that and passes the error on. */
export async function intoSink(sink: ByteSink, write: () => Promise<void>): Promise<void> {
  try {
    await write()
    await sink.close()
  } catch (error) {
    await sink.abort(error)
    throw error
  }
}
