import { type RefObject, useEffect, useState } from 'react'

/** The index of the first row that is surely below the fold while the table is scrolled to its top. */
export function useFoldIndex(scroller: RefObject<HTMLElement | null>): number {
  const [foldIndex, setFoldIndex] = useState(Infinity)
  // The height is outside React. An observer gets it without a layout of its own.
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const observer = new ResizeObserver(() => {
      // Rows are at least as high as this. The layout is done, so the heights cost nothing.
      const rowHeight = Number.parseFloat(getComputedStyle(element).getPropertyValue('--row-height'))
      // In a narrow window the page scrolls, and the table is as high as its rows: then there is no fold.
      setFoldIndex(Math.ceil(element.clientHeight / rowHeight))
    })
    observer.observe(element)
    // Its height changes with that of its rows.
    for (const table of element.children) observer.observe(table)
    return () => observer.disconnect()
  }, [scroller])
  return foldIndex
}
