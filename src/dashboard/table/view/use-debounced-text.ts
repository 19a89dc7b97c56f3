import { useEffect, useRef, useState } from 'react'

const debounceMs = 200

/** Text that shows every key press and is committed after a pause. It takes over `value` when that changes elsewhere. */
export function useDebouncedText(value: string, commit: (text: string) => void): [string, (text: string) => void] {
  const [draft, setDraft] = useState({ text: value, of: value })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // After the field is unmounted, a pending timer must not change the URL of another page.
  useEffect(() => () => clearTimeout(timer.current), [])
  if (draft.of !== value) setDraft({ text: value, of: value })
  const change = (text: string) => {
    setDraft({ text, of: value })
    clearTimeout(timer.current)
    timer.current = setTimeout(() => commit(text), text === '' ? 0 : debounceMs)
  }
  return [draft.text, change]
}
