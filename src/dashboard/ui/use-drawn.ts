import { startTransition, useEffect, useState } from 'react'
import { afterFrame } from './after-frame'

/** The value as it was at the last frame, and `first` before the first one: what depends on it comes after what is on screen. */
export function useDrawn<Value, First>(value: Value, first: First): Value | First {
  const [drawn, setDrawn] = useState<Value | First>(first)
  // Frames are outside React.
  useEffect(() => afterFrame(() => startTransition(() => setDrawn(() => value))), [value])
  return drawn
}
