import { type RefObject, useEffect, useState } from 'react'

/** Rows are added and removed in groups: fewer renders while a person scrolls. */
const group = 8

type RowWindow = { first: number; end: number }

/** Which rows of a list are near enough to be drawn. All of 100,000 in the page would take minutes. */
export function useRowWindow(scroller: RefObject<HTMLElement | null>, rowCount: number, rowHeight: number): RowWindow {
  const [view, setView] = useState<RowWindow>({ first: 0, end: 5 * group })
  useEffect(() => {
    const element = scroller.current
    if (!element) return undefined
    const update = () => {
      const first = Math.max(0, Math.floor(element.scrollTop / rowHeight / group) - 1) * group
      const end = first + (Math.ceil(element.clientHeight / rowHeight / group) + 3) * group
      setView((last) => (last.first === first && last.end === end ? last : { first, end }))
    }
    const observer = new ResizeObserver(update)
    observer.observe(element)
    element.addEventListener('scroll', update, { passive: true })
    update()
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', update)
    }
  }, [scroller, rowHeight])
  return { first: Math.min(view.first, Math.max(0, rowCount - group)), end: Math.min(view.end, rowCount) }
}
