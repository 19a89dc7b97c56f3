import { type FocusEvent, type PointerEvent, useEffect, useRef, useState } from 'react'

/** A pointer that passes over a button stays for a shorter time. */
const pointerRestMs = 60
/** A held Tab key goes on sooner. */
const focusRestMs = 40

/**
 * Handlers for a button whose press can be prepared. `prepare` is called when the pointer or the keyboard focus rests on it, and
 * when it is pressed; what it returns is called when the person turns away.
 */
export function useIntent(prepare: (() => () => void) | undefined) {
  const latest = useRef(prepare)
  // A timer calls what the last render gave.
  useEffect(() => {
    latest.current = prepare
  })
  const [intent] = useState(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let end: (() => void) | undefined
    const begin = () => (end = latest.current?.())
    const rest = (ms: number) => {
      clearTimeout(timer)
      timer = setTimeout(begin, ms)
    }
    const leave = () => {
      clearTimeout(timer)
      end?.()
      end = undefined
    }
    return {
      leave,
      handlers: {
        // A finger rests nowhere, and where it begins to scroll it presses nothing.
        onPointerEnter: ({ pointerType }: PointerEvent) => {
          if (pointerType === 'mouse') rest(pointerRestMs)
        },
        onPointerDown: ({ pointerType, button, shiftKey }: PointerEvent) => {
          if (pointerType !== 'mouse' || button !== 0 || shiftKey) return
          clearTimeout(timer)
          begin()
        },
        // The press is what was meant. The next one is another intent, although the pointer or the focus still rests here.
        onClickCapture: () => clearTimeout(timer),
        onPointerLeave: leave,
        onFocus: ({ currentTarget }: FocusEvent) => {
          if (currentTarget.matches(':focus-visible')) rest(focusRestMs)
        },
        onBlur: leave,
      },
    }
  })
  // Timers and requests are outside React.
  useEffect(() => intent.leave, [intent])
  return intent.handlers
}
