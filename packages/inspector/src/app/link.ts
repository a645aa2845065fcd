import { navigate } from './route.js'

/** Follows a link within the page, unless it is to open elsewhere. */
export function go(change: Parameters<typeof navigate>[0]): (event: MouseEvent) => void {
  return (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    navigate(change)
  }
}
