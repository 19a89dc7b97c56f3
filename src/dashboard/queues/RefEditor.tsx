import { useRef, useState } from 'react'
import { TextInput } from '../ui/TextInput'

type Props = { text: string; onFinish: (text: string, isKept: boolean) => void }

/** A chip being edited, in its place: Enter or leaving keeps, Escape gives up. */
export function RefEditor({ text, onFinish }: Props) {
  const [draft, setDraft] = useState(text)
  // Enter takes the field away, and that blurs it: the same edit must not end twice.
  const isFinished = useRef(false)
  const finish = (isKept: boolean) => {
    if (isFinished.current) return
    isFinished.current = true
    onFinish(draft, isKept)
  }
  return (
    <TextInput
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- it stands where the focused chip was
      autoFocus
      aria-label="Edit the reference"
      value={draft}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={() => finish(true)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== 'Escape') return
        event.preventDefault()
        finish(event.key === 'Enter')
      }}
      className="font-mono text-xs"
    />
  )
}
