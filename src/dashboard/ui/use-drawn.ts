import { startTransition, useEffect, useState } from 'react'

/** The value as it was at the last frame, and `first` before the first one: what depends on it comes after what is on screen. */
export function useDrawn<Value, First>(value: Value, first: First): Value | First {
  const [drawn, setDrawn] = useState<Value | First>(first)
  // Frames are outside React.
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => startTransition(() => setDrawn(() => value)))
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [value])
  return drawn
}
