import { useEffect, useRef, useState } from 'react'

const pauseMilliseconds = 200

/** Text that shows at every key and counts once the typing pauses. Follows `value` when that changes from elsewhere. */
export function useDebouncedText(value: string, commit: (text: string) => void): [string, (text: string) => void] {
  const [draft, setDraft] = useState({ text: value, of: value })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // A timer still running when the field goes away must not change another page's address.
  useEffect(() => () => clearTimeout(timer.current), [])
  if (draft.of !== value) setDraft({ text: value, of: value })
  const change = (text: string) => {
    setDraft({ text, of: value })
    clearTimeout(timer.current)
    timer.current = setTimeout(() => commit(text), text === '' ? 0 : pauseMilliseconds)
  }
  return [draft.text, change]
}
