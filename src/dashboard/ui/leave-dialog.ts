import { flushSync } from 'react-dom'
import { afterFrame } from './after-frame'

/**
 * Shows a frame without the dialog, and calls `end` after it: to end a modal dialog takes the browser long. Until then the dialog
 * has the focus, but nothing is for it any more: a key or a click ends it at once, and a key goes on to what has the focus then.
 * Returns how to stop that. A dialog that `end` leaves open is shown again.
 */
export function leaveDialog(element: HTMLDialogElement, end: () => void): () => void {
  const moment = new AbortController()
  const stop = () => {
    moment.abort()
    stopWaiting()
    delete element.dataset['leaving']
  }
  const endNow = () => {
    stop()
    flushSync(end)
  }
  const endBy = (event: Event) => {
    event.preventDefault()
    event.stopImmediatePropagation()
    endNow()
  }
  element.dataset['leaving'] = ''
  const stopWaiting = afterFrame(endNow)
  const options = { capture: true, signal: moment.signal }
  window.addEventListener('click', endBy, options)
  window.addEventListener(
    'keydown',
    (event) => {
      endBy(event)
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', event))
    },
    options,
  )
  return stop
}
