import { useEffect, useRef, useState } from 'preact/hooks'

/** Work that somebody asks for: not begun, under way (`share` of 1 is done), there, or failed. */
export type Work<T> =
  | { readonly state: 'idle' }
  | { readonly state: 'busy'; readonly share: number }
  | { readonly state: 'done'; readonly value: T }
  | { readonly state: 'failed'; readonly error: unknown }

const IDLE = { state: 'idle' } as const

/** Work with progress that can be cancelled; it ends with the part of the page that shows it. */
export function useWork<T>(run: (signal: AbortSignal, progress: (share: number) => void) => Promise<T>) {
  const [work, setWork] = useState<Work<T>>(IDLE)
  const abort = useRef<AbortController | undefined>(undefined)

  function start(): void {
    abort.current?.abort()
    const controller = new AbortController()
    abort.current = controller
    const { signal } = controller
    // What ends after it was cancelled says nothing any more.
    const show = (next: Work<T>): void => {
      if (!signal.aborted) setWork(next)
    }
    show({ state: 'busy', share: 0 })
    run(signal, (share) => show({ state: 'busy', share })).then(
      (value) => show({ state: 'done', value }),
      (error: unknown) => show({ state: 'failed', error }),
    )
  }

  function stop(): void {
    abort.current?.abort()
    setWork(IDLE)
  }

  useEffect(() => () => abort.current?.abort(), [])
  return { work, start, stop }
}
