import { type RefObject, useEffect, useState } from 'react'

/** Pixels: that of compact rows (`theme.css`). */
const minRowHeight = 28

/** The index of the first row that is below the fold while the table is scrolled to its top. */
export function useFoldIndex(scroller: RefObject<HTMLElement | null>): number {
  const [foldIndex, setFoldIndex] = useState(Infinity)
  // The height is outside React. An observer gets it without a layout of its own.
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const observer = new ResizeObserver(([entry]) => {
      if (!entry) return
      // The layout is done, so this height costs nothing.
      const rowHeight = element.querySelector('.body-row')?.clientHeight ?? 0
      // In a narrow window the page scrolls, and the table is as high as its rows: then there is no fold.
      setFoldIndex(Math.ceil(entry.contentRect.height / Math.max(minRowHeight, rowHeight)))
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [scroller])
  return foldIndex
}
