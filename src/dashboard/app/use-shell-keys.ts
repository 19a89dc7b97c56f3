import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { ignoresLetters } from '../ui/ignores-letters'
import { sections } from './pages'

const maxSequenceMs = 1200

/** mod+K, `?`, and `g` followed by a section's letter. Letters do nothing while a person types or a dialog is open. */
export function useShellKeys({ onPalette, onHelp }: { onPalette: () => void; onHelp: () => void }): void {
  const [, navigate] = useLocation()
  // The keys of the whole window are outside React.
  useEffect(() => {
    let prefixAt = -Infinity
    const onKeyDown = (event: KeyboardEvent) => {
      const isMod = event.metaKey || event.ctrlKey
      if (isMod && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        onPalette()
        return
      }
      if (isMod || event.altKey || event.defaultPrevented || ignoresLetters(event.target)) return
      if (event.key === '?') {
        event.preventDefault()
        onHelp()
        return
      }
      const section =
        performance.now() - prefixAt < maxSequenceMs ? sections.find(({ shortcut }) => shortcut === event.key) : undefined
      prefixAt = event.key === 'g' ? performance.now() : -Infinity
      if (!section) return
      // The table has shortcuts of its own and must not see this key.
      event.preventDefault()
      event.stopPropagation()
      navigate(section.path)
    }
    window.addEventListener('keydown', onKeyDown, { capture: true })
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true })
  }, [navigate, onPalette, onHelp])
}
