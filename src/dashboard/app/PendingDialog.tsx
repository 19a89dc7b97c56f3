import { useEffect } from 'react'

/** A text that ends in a line break was ended by Enter. */
type Props = { onType: (change: (text: string) => string) => void; onClose: () => void }

/** Stands for a dialog of the shell while its file loads. What is typed meanwhile is meant for it, and not for the page. */
export function PendingDialog({ onType, onClose }: Props) {
  // The keys of the whole window are outside React.
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (event.key === 'Escape') onClose()
      else if (event.key === 'Backspace') onType((text) => text.replace('\n', '').slice(0, -1))
      else if (event.key === 'Enter') onType((text) => `${text.replace('\n', '')}\n`)
      else if (event.key.length === 1) onType((text) => text.replace('\n', '') + event.key)
      else return
      event.preventDefault()
      event.stopPropagation()
    }
    window.addEventListener('keydown', onKeyDown, { capture: true })
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true })
  }, [onType, onClose])
  return null
}
