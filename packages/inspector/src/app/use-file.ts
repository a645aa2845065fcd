import { useEffect, useRef, useState } from 'preact/hooks'
import { faultOf } from '../model/fault.js'
import { openPicked, openUrl } from '../model/open-file.js'
import type { Fault, OpenedFile } from '../model/opened-file.js'
import { navigate, route } from './route.js'

export type FileState =
  | { readonly state: 'none' }
  | { readonly state: 'opening'; readonly what: string }
  | { readonly state: 'open'; readonly file: OpenedFile }
  | { readonly state: 'failed'; readonly what: string; readonly fault: Fault }

/** The file that is open: the one at the address in the URL, or the one that was picked last. */
export function useFile(url: string | undefined): {
  readonly state: FileState
  pick(files: readonly File[]): void
  leave(): void
} {
  const [state, setState] = useState<FileState>(url === undefined ? { state: 'none' } : { state: 'opening', what: url })
  const abort = useRef<AbortController | undefined>(undefined)
  const opened = useRef<OpenedFile | undefined>(undefined)

  function start(what: string, open: (signal: AbortSignal) => Promise<OpenedFile>): void {
    close()
    const controller = new AbortController()
    abort.current = controller
    setState({ state: 'opening', what })
    open(controller.signal).then(
      (file) => {
        if (controller.signal.aborted) {
          void file.close()
          return
        }
        opened.current = file
        document.title = `${file.name} – Kiln inspector`
        setState({ state: 'open', file })
      },
      (error: unknown) => {
        if (!controller.signal.aborted) setState({ state: 'failed', what, fault: faultOf(error) })
      },
    )
  }

  function close(): void {
    abort.current?.abort()
    void opened.current?.close()
    opened.current = undefined
  }

  useEffect(() => {
    if (url !== undefined) start(url, (signal) => openUrl(url, signal))
  }, [url])

  return {
    state,
    pick(files) {
      const [first] = files
      if (first === undefined) return
      // What the URL said was of another file.
      const { view } = route()
      navigate({
        url: undefined,
        view: view === 'bytes' || view === 'value' ? 'overview' : view,
        tensor: undefined,
        find: undefined,
        sort: undefined,
        axes: undefined,
        at: undefined,
        pan: undefined,
        byte: undefined,
        frame: undefined,
      })
      start(files.length === 1 ? first.name : `${first.name} and ${files.length - 1} more`, (signal) =>
        openPicked(files, signal),
      )
    },
    leave() {
      close()
      document.title = 'Kiln inspector'
      setState({ state: 'none' })
      navigate({
        url: undefined,
        view: 'overview',
        tensor: undefined,
        find: undefined,
        sort: undefined,
        axes: undefined,
        at: undefined,
        pan: undefined,
        byte: undefined,
        frame: undefined,
      })
    },
  }
}
