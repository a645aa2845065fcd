import type { RefObject } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'

/** The width of an element in CSS pixels, kept up to date; 0 before it is laid out. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const target = element.current
    if (target === null) return undefined
    const observer = new ResizeObserver(() => setWidth(Math.floor(target.clientWidth)))
    observer.observe(target)
    setWidth(Math.floor(target.clientWidth))
    return () => observer.disconnect()
  }, [element])
  return width
}
