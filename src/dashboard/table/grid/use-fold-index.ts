import { type RefObject, useEffect, useState } from 'react'

/** Pixels: that of compact rows (`theme.css`). */
const minRowHeight = 28

/** The index of the first row that is surely below the fold while the table is scrolled to its top. */
export function useFoldIndex(scroller: RefObject<HTMLElement | null>): number {
  const [foldIndex, setFoldIndex] = useState(Infinity)
  // The height is outside React. An observer gets it without a layout of its own.
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const observer = new ResizeObserver(([entry]) => {
      // In a narrow window the page scrolls, and the table is as high as its rows: then there is no fold.
      if (entry) setFoldIndex(Math.ceil(entry.contentRect.height / minRowHeight))
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [scroller])
  return foldIndex
}
