import { type RefObject, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

type Widths = { alone: number | undefined; besidePanel: number }

/**
 * How wide the place of the table is, pixels: with a panel beside it, less than alone. Undefined before the first layout. What
 * depends on it is rendered before that layout is drawn.
 *
 * Not by container units: whenever the place changed its width, the browser would style all cells anew.
 */
export function useTableWidth(scroller: RefObject<HTMLElement | null>, isPanelShown: boolean): number | undefined {
  const [widths, setWidths] = useState<Widths>()
  // The width is outside React. An observer gets it without a layout of its own.
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const observer = new ResizeObserver(() => {
      const { clientWidth, offsetWidth } = element
      // Known before a panel opens, so that the table is laid out once, with the columns that fit.
      const observed = (last: Widths | undefined): Widths =>
        isPanelShown
          ? { alone: last?.alone, besidePanel: clientWidth }
          : { alone: clientWidth, besidePanel: clientWidth - foreseePanelWidth(offsetWidth) }
      flushSync(() => setWidths((last) => keepIfEqual(last, observed(last))))
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [scroller, isPanelShown])
  return isPanelShown ? widths?.besidePanel : (widths?.alone ?? widths?.besidePanel)
}

/** React renders nothing for an object that is the same. */
function keepIfEqual(last: Widths | undefined, next: Widths): Widths {
  return last && last.alone === next.alone && last.besidePanel === next.besidePanel ? last : next
}

/** As `.row-panel` in table.css says. If it is wrong, the table is laid out a second time. */
function foreseePanelWidth(tableWidth: number): number {
  return window.innerWidth < 900 ? 0 : Math.min(Math.max(400, tableWidth * 0.36), 600)
}
