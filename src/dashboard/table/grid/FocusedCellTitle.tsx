import { useEffect, useRef } from 'react'

/**
 * Shows the titles in the cell that has the focus, and gives them to screen readers: the exact value, for example. A
 * pointer reads titles by itself. Listens to the whole document, so that cells need no handlers.
 */
export function FocusedCellTitle() {
  const tooltip = useRef<HTMLDivElement>(null)
  // Focus, keys and scrolling of other components are outside React.
  useEffect(() => {
    const element = tooltip.current
    if (!element) return
    const hide = () => element.hidePopover()
    const show = ({ target }: FocusEvent) => {
      // A menu in a cell is not the cell.
      if (!(target instanceof HTMLElement) || target.closest('[popover]')) return
      const cell = target.closest<HTMLElement>('.head-cell, .body-cell')
      const title = cell && readTitles(cell)
      if (!title) return
      target.setAttribute('aria-description', title)
      // Later: a menu gives back the focus while it closes, and the browser shows no popover during that.
      requestAnimationFrame(() => {
        if (document.activeElement !== target || !target.matches(':focus-visible')) return
        element.textContent = title
        element.showPopover()
        const { left, bottom, top } = cell.getBoundingClientRect()
        const { width, height } = element.getBoundingClientRect()
        const isBelow = bottom + height + 4 < innerHeight
        element.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`
        element.style.top = `${isBelow ? bottom + 2 : top - height - 2}px`
      })
    }
    const onKeyDown = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') hide()
    }
    document.addEventListener('focusin', show)
    document.addEventListener('focusout', hide)
    document.addEventListener('keydown', onKeyDown)
    document.addEventListener('scroll', hide, { capture: true, passive: true })
    return () => {
      document.removeEventListener('focusin', show)
      document.removeEventListener('focusout', hide)
      document.removeEventListener('keydown', onKeyDown)
      document.removeEventListener('scroll', hide, { capture: true })
    }
  }, [])
  return <div ref={tooltip} popover="manual" role="tooltip" className="cell-title float-panel" />
}

/** What the titles of a cell add to its text. The titles of buttons are their names, which are read anyway. */
export function readTitles(cell: HTMLElement): string {
  const titles = [cell, ...cell.querySelectorAll<HTMLElement>('[title]:not([aria-label])')].map(({ title }) => title.trim())
  return [...new Set(titles)].filter((title) => title !== '' && title !== cell.textContent.trim()).join('\n')
}
