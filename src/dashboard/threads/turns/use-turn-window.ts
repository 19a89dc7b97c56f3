import { type RefObject, useEffect, useState } from 'react'

/** The window moves in steps, so that a scroll by a few pixels renders nothing. */
const stepPx = 256

/**
 * Which rows of a long list are near enough to be seen. `offsets` are the tops of all rows and the bottom of the last. Rows
 * above and below the window are rendered for one step of scrolling more.
 */
export function useTurnWindow(
  scroller: RefObject<HTMLElement | null>,
  offsets: readonly number[],
): { first: number; last: number } {
  const [view, setView] = useState({ top: 0, height: 1000 })
  // The place and size of the scroller are outside React.
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const read = () => {
      const next = { top: Math.floor(element.scrollTop / stepPx) * stepPx, height: element.clientHeight }
      setView((before) => (before.top === next.top && before.height === next.height ? before : next))
    }
    read()
    const size = new ResizeObserver(read)
    size.observe(element)
    element.addEventListener('scroll', read, { passive: true })
    return () => {
      size.disconnect()
      element.removeEventListener('scroll', read)
    }
  }, [scroller])
  return findRows(offsets, view.top - stepPx, view.top + view.height + 2 * stepPx)
}

/** The first and last row that touch the pixels from `top` to `bottom`; `last` is -1 without rows. */
export function findRows(offsets: readonly number[], top: number, bottom: number): { first: number; last: number } {
  const count = offsets.length - 1
  let [low, high] = [0, count]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((offsets[middle + 1] ?? 0) <= top) low = middle + 1
    else high = middle
  }
  let last = low - 1
  while (last + 1 < count && (offsets[last + 1] ?? 0) < bottom) last += 1
  return { first: low, last }
}
