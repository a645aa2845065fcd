import { useEffect, useState } from 'preact/hooks'

/** Something that is read: on its way, there, or failed. */
export type Task<T> =
  | { readonly state: 'busy' }
  | { readonly state: 'done'; readonly value: T }
  | { readonly state: 'failed'; readonly error: unknown }

const BUSY = { state: 'busy' } as const

/** Runs a task when one of `inputs` changes, and ends the one before. */
export function useTask<T>(run: (signal: AbortSignal) => Promise<T>, inputs: readonly unknown[]): Task<T> {
  const [task, setTask] = useState<Task<T>>(BUSY)
  useEffect(() => {
    const abort = new AbortController()
    setTask(BUSY)
    run(abort.signal).then(
      (value) => {
        if (!abort.signal.aborted) setTask({ state: 'done', value })
      },
      (error: unknown) => {
        if (!abort.signal.aborted) setTask({ state: 'failed', error })
      },
    )
    return () => abort.abort()
  }, inputs)
  return task
}
