import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { pages } from './pages'

const sequenceMilliseconds = 1200

/** mod+K, `?`, and `g` followed by a page's letter. Letters are left alone where somebody types or a dialog is open. */
export function useShellKeys({ onPalette, onHelp }: { onPalette: () => void; onHelp: () => void }): void {
  const [, navigate] = useLocation()
  // The whole window's keys are outside React.
  useEffect(() => {
    let leaderAt = -Infinity
    const onKeyDown = (event: KeyboardEvent) => {
      const isMod = event.metaKey || event.ctrlKey
      if (isMod && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        onPalette()
        return
      }
      if (isMod || event.altKey || event.defaultPrevented || isTaken(event.target)) return
      if (event.key === '?') {
        event.preventDefault()
        onHelp()
        return
      }
      const page = performance.now() - leaderAt < sequenceMilliseconds ? pages.find(({ key }) => key === event.key) : undefined
      leaderAt = event.key === 'g' ? performance.now() : -Infinity
      if (!page) return
      // The table has letters of its own; this one is used up.
      event.preventDefault()
      event.stopPropagation()
      navigate(page.path)
    }
    window.addEventListener('keydown', onKeyDown, { capture: true })
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true })
  }, [navigate, onPalette, onHelp])
}

function isTaken(target: EventTarget | null): boolean {
  if (document.querySelector('dialog:modal, [popover]:popover-open')) return true
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input:not([type=radio],[type=checkbox]), textarea, select'))
  )
}
