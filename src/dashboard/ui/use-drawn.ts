import { startTransition, useEffect, useState } from 'react'

/** The value as it was at the last frame: what depends on it comes after what is on screen. */
export function useDrawn<Value>(value: Value): Value | undefined {
  const [drawn, setDrawn] = useState<{ value: Value }>()
  // Frames are outside React.
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => startTransition(() => setDrawn({ value })))
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [value])
  return drawn?.value
}
