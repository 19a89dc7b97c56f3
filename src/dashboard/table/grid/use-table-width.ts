import { type RefObject, useLayoutEffect, useState } from 'react'

type Widths = { alone: number | undefined; besidePanel: number }

/**
 * The place of a table is the same on each page. Without this, opening a page would lay it out twice: to read the width, and to
 * draw it.
 */
let lastRead: { windowWidth: number; widths: Widths } | undefined

/**
 * How wide the place of the table is, pixels: with a panel beside it, less than alone. Undefined in the first render of the
 * first table, which is not drawn.
 *
 * Not by container units: whenever the place changed its width, the browser would style all cells anew.
 */
export function useTableWidth(scroller: RefObject<HTMLElement | null>, isPanelShown: boolean): number | undefined {
  const [widths, setWidths] = useState(getLastWidths)
  const isKnown = widths !== undefined
  // The width is outside React. Before the first frame it is measured, so that no column moves. Then an observer gets it without
  // a layout of its own.
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    const read = () => {
      const { clientWidth, offsetWidth } = element
      // Known before a panel opens, so that the table is laid out once, with the columns that fit.
      const next = isPanelShown
        ? { alone: getLastWidths()?.alone, besidePanel: clientWidth }
        : { alone: clientWidth, besidePanel: Math.floor(clientWidth - estimatePanelWidth(offsetWidth)) }
      lastRead = { windowWidth: window.innerWidth, widths: next }
      setWidths((last) => keepIfEqual(last, next))
    }
    if (!isKnown) read()
    const observer = new ResizeObserver(read)
    observer.observe(element)
    return () => observer.disconnect()
  }, [scroller, isPanelShown, isKnown])
  return isPanelShown ? widths?.besidePanel : (widths?.alone ?? widths?.besidePanel)
}

function getLastWidths(): Widths | undefined {
  return lastRead?.windowWidth === window.innerWidth ? lastRead.widths : undefined
}

/** React renders nothing for an object that is the same. The estimate may be a pixel off, by rounding. */
function keepIfEqual(last: Widths | undefined, next: Widths): Widths {
  return last && last.alone === next.alone && Math.abs(last.besidePanel - next.besidePanel) <= 1 ? last : next
}

/** The width of `.row-panel` in table.css. If it is wrong, the table is laid out a second time. */
function estimatePanelWidth(tableWidth: number): number {
  return window.innerWidth < 900 ? 0 : Math.min(Math.max(400, tableWidth * 0.36), 600)
}
