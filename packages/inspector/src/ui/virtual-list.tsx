import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type VirtualItem,
} from '@tanstack/virtual-core'
import type { RefObject } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'

export interface VirtualRows {
  readonly items: readonly VirtualItem[]
  /** Pixels of all rows together. */
  readonly height: number
  /** Scrolls as far as it takes for a row to be seen; `center` puts it into the middle. */
  scrollTo(index: number, align?: 'auto' | 'center'): void
}

/**
 * The rows of a long list that are to be drawn for where it is scrolled to. All rows are of one height; `head` pixels
 * at the top are of a heading that stays there.
 */
export function useVirtualRows(
  scroller: RefObject<HTMLElement | null>,
  count: number,
  rowHeight: number,
  head = 0,
): VirtualRows {
  const [, redraw] = useState(0)
  const [virtualizer] = useState(() => new Virtualizer<HTMLElement, Element>(optionsOf()))

  function optionsOf(): ConstructorParameters<typeof Virtualizer<HTMLElement, Element>>[0] {
    return {
      count,
      getScrollElement: () => scroller.current,
      estimateSize: () => rowHeight,
      scrollToFn: elementScroll,
      observeElementRect,
      observeElementOffset,
      overscan: 8,
      paddingStart: head,
      scrollPaddingStart: head,
      onChange: () => redraw((n) => n + 1),
    }
  }

  virtualizer.setOptions(optionsOf())
  useLayoutEffect(() => virtualizer._didMount(), [])
  useLayoutEffect(() => virtualizer._willUpdate())
  return {
    items: virtualizer.getVirtualItems(),
    height: virtualizer.getTotalSize(),
    scrollTo: (index, align = 'auto') => virtualizer.scrollToIndex(index, { align }),
  }
}
