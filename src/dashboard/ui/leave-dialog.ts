import { flushSync } from 'react-dom'
import { afterFrame } from './after-frame'

/**
 * Shows a frame without the dialog, and then calls `end`, because the browser takes long to end a modal dialog. Until then the
 * dialog still has the focus, but it must not react: a key or a click ends it at once, and the key is sent to the element that
 * has the focus then. Returns how to stop that. A dialog that `end` leaves open is shown again.
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
